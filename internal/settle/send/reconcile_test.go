package send_test

import (
	"context"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/send"
	"hubquote/swap"
)

func TestNothingIsSentBeforeReconcile(t *testing.T) {
	r := newRig(t, nil)
	o := r.opts
	o.Journal, o.Write, o.Renew = r.journal, r.writer.Write, r.writer.Renew
	l, err := send.New(o)
	r.must(err)
	if err := l.Send(t.Context(), call(r.task())); err != send.ErrBusy || l.Free() != 0 {
		t.Errorf("Send: %v with %d free, want %v and none", err, l.Free(), send.ErrBusy)
	}
	if err := l.Tend(t.Context()); err == nil {
		t.Error("Tend succeeded, want an error")
	}
}

// A database that lost its last rows knows nothing of transactions that were
// mined.
func TestMinedNoncesWithoutARowAreForeign(t *testing.T) {
	r := newRig(t, nil)
	r.send()
	r.steps(1)
	for nonce := uint64(1); nonce < 4; nonce++ {
		r.stranger(nonce, 1e9, 30e9)
	}
	r.mine(1)
	r.start()
	r.wantNonces(journal.NonceMined, journal.NonceForeign, journal.NonceForeign, journal.NonceForeign)
	if got := r.lane.Health().Foreign; got != 3 {
		t.Errorf("Foreign = %d, want 3", got)
	}
	r.send()
	r.steps(1)
	r.wantDone(2)
	if got := r.image().Nonces[4]; got.Nonce != 4 || got.State != journal.NonceMined {
		t.Errorf("the next nonce is %d, %s; want 4, mined", got.Nonce, got.State)
	}
}

// The same while the lane runs: the key was used past the settler.
func TestKeyIsUsedPastTheLane(t *testing.T) {
	r := newRig(t, nil)
	r.send()
	r.steps(1)
	r.stranger(1, 1e9, 30e9)
	r.steps(1)
	r.wantNonces(journal.NonceMined, journal.NonceForeign)
	r.send()
	r.steps(1)
	r.wantDone(2)
}

// With the journal lost, transactions that nodes still hold may be payments. They
// are left alone while blocks take them.
func TestLostJournalStartsAtThePendingNonce(t *testing.T) {
	r := newRig(t, nil)
	r.send()
	r.send()
	r.open()
	r.orders = 100
	r.start()
	r.wantNonces(journal.NonceSent, journal.NonceSent)
	if got := r.lane.Free(); got != 2 {
		t.Errorf("Free = %d with two unknown transactions, want 2", got)
	}
	sent := len(r.pool.Sent())
	r.tend()
	if got := len(r.pool.Sent()); got != sent {
		t.Errorf("%d transactions were sent at once, want none", got-sent)
	}
	r.forget()
	r.send()
	r.steps(1)
	r.wantDone(3)
	r.steps(2)
	r.wantNonces(journal.NonceForeign, journal.NonceForeign, journal.NonceMined)
}

// forget leaves what was sent so far out of the comparison with the journal: it
// belongs to one that is lost.
func (r *rig) forget() {
	for _, h := range r.pool.Sent() {
		r.others[h] = true
	}
}

// An unknown transaction that blocks leave out is replaced by a filler, with
// rising fees, since nodes do not tell what it offers.
func TestUnknownTransactionThatIsStuckIsFilled(t *testing.T) {
	r := newRig(t, nil)
	r.stranger(0, 1e9, 2e9)
	r.start()
	r.wantNonces(journal.NonceSent)
	r.send()
	r.tend()
	r.expensive(2)
	if got := r.wantAttempts(0, 2)[1]; *got.To() != common.Address(r.key.Address()) || len(got.Data()) != 0 {
		t.Errorf("the replacement calls %v, want nothing to the key itself", got.To())
	}
	r.expensive(6)
	r.steps(2)
	r.wantNonces(journal.NonceMined, journal.NonceMined)
	r.wantDone(1)
}

// A node that names more than the lane ever has in flight is not believed.
func TestPendingIsBounded(t *testing.T) {
	r := newRig(t, nil)
	for _, g := range r.gates {
		g.set(func(method, params string) (string, bool) {
			return `"result":"0xffffffff"`, method == "eth_getTransactionCount" && params == `["`+r.key.Address().String()+`","pending"]`
		})
	}
	r.start()
	if got := len(r.image().Nonces); got != r.opts.InFlight {
		t.Errorf("%d nonces are held, want %d", got, r.opts.InFlight)
	}
	for _, g := range r.gates {
		g.set(nil)
	}
	r.tend()
	r.steps(3)
	r.wantNonces(journal.NonceMined, journal.NonceMined, journal.NonceMined, journal.NonceMined)
}

// A filler needs no room in the exposure.
func TestFillerIsHeldWhateverTheExposure(t *testing.T) {
	r := newRig(t, nil)
	id := r.task()
	r.write(func(ctx context.Context, tx journal.Tx) error {
		o, _, err := tx.Order(ctx, order.ID{byte(r.orders)})
		if err != nil {
			return err
		}
		o.Proof = order.Safe
		return tx.PutOrder(ctx, o)
	})
	c := call(id)
	c.Tasks[0].Amount.SetUint64(400)
	c.Caps = map[order.Pool]swap.Amount{{Chain: 1}: c.Tasks[0].Amount}
	r.caps = c.Caps
	r.must(r.lane.Send(t.Context(), c))
	r.stranger(1, 1e9, 2e9)
	r.start()
	r.wantNonces(journal.NonceSent, journal.NonceSent)
}

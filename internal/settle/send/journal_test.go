package send_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/send"
	"hubquote/internal/settle/sign"
	"hubquote/swap"
)

// The journal has nonce, bytes and tasks when the first node gets the bytes.
func TestCommittedBeforeSent(t *testing.T) {
	r := newRig(t, nil)
	id := r.task()
	asked := 0
	r.gates[0].set(func(method, params string) (string, bool) {
		if method == "eth_sendRawTransaction" {
			asked++
			raw := hexutil.MustDecode(strings.Trim(params, `["]`))
			_, found, err := r.journal.Attempt(context.Background(), order.Hash(crypto.Keccak256Hash(raw)))
			tasks, err2 := r.journal.TasksOf(context.Background(), chainID, r.key.Address(), 0)
			if err := errors.Join(err, err2); err != nil || !found || len(tasks) != 1 || tasks[0].ID != id || tasks[0].Progress != order.Sent {
				t.Errorf("at the first broadcast: attempt %v, tasks %+v, %v; want both committed", found, tasks, err)
			}
		}
		return "", false
	})
	r.must(r.lane.Send(t.Context(), call(id)))
	r.lane.Close()
	if asked != 1 {
		t.Errorf("the node got the bytes %d times, want 1", asked)
	}
}

// A broken key answers with an error.
type broken struct {
	sign.Key
	on bool
}

func (b *broken) Sign(ctx context.Context, tx *types.Transaction) ([]byte, error) {
	if b.on {
		return nil, errors.New("the key does not answer")
	}
	return b.Key.Sign(ctx, tx)
}

// A call that is not committed uses no nonce and is not sent.
func TestFailureBeforeCommit(t *testing.T) {
	for _, tt := range []struct {
		name string
		call func(r *rig, key *broken) send.Call
		want error
	}{
		{"the signer fails", func(r *rig, key *broken) send.Call { key.on = true; return call(r.task()) }, nil},
		{"the call is not on the signer's list", func(r *rig, _ *broken) send.Call {
			c := call(r.task())
			c.Data = []byte{9, 9, 9, 9}
			return c
		}, nil},
		{"the exposure is used up", func(r *rig, _ *broken) send.Call {
			c := call(r.task())
			c.Tasks[0].Amount = *uint256.NewInt(1)
			c.Caps = map[order.Pool]swap.Amount{}
			return c
		}, journal.ErrExposure},
		{"the task is not ready", func(r *rig, _ *broken) send.Call {
			id := r.task()
			r.end(id, order.Void)
			return call(id)
		}, journal.ErrTask},
		{"there is no task", func(*rig, *broken) send.Call { return call() }, send.ErrEmpty},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, nil)
			key := &broken{Key: r.key}
			r.opts.Signer = r.signer(key)
			r.start()
			err := r.lane.Send(t.Context(), tt.call(r, key))
			if err == nil || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("Send: %v, want an error (%v)", err, tt.want)
			}
			if got := len(r.pool.Sent()); got != 0 {
				t.Errorf("%d transactions were sent, want 0", got)
			}
			r.wantNonces()
			key.on = false
			r.send()
			if got := r.wantAttempts(0, 1)[0].Nonce(); got != 0 {
				t.Errorf("the next nonce is %d, want 0", got)
			}
		})
	}
}

// A commit without an answer is read back before anything is sent.
func TestUnknownCommit(t *testing.T) {
	for _, tt := range []struct {
		name      string
		committed bool
		renew     error
		want      error // in the error of Send; nil: none
		fails     bool
		sent      int
	}{
		{"it was committed", true, nil, nil, false, 3},
		{"it was not committed", false, nil, nil, true, 0},
		{"another writer took over", true, journal.ErrLost, journal.ErrLost, true, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			unknown := false
			r := newRig(t, nil)
			r.opts.Write = func(ctx context.Context, fn func(journal.Tx) error) error {
				if !unknown {
					return r.writer.Write(ctx, fn)
				}
				unknown = false
				if tt.committed {
					r.must(r.writer.Write(ctx, fn))
				}
				return journal.ErrUnknown
			}
			r.opts.Renew = func(context.Context) error { return tt.renew }
			r.start()
			id := r.task()
			unknown = true
			err := r.lane.Send(t.Context(), call(id))
			if (err != nil) != tt.fails || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("Send: %v, want failure %t (%v)", err, tt.fails, tt.want)
			}
			r.lane.Close()
			if got := len(r.pool.Sent()); got != tt.sent {
				t.Errorf("%d transactions were sent, want %d", got, tt.sent)
			}
			want := map[bool]order.Progress{true: order.Sent, false: order.Ready}[tt.committed]
			r.wantTask(id, want)
		})
	}
}

// Nodes that answer with an error have perhaps taken the bytes, and perhaps not.
// Either way the call is made once.
func TestSendErrorMeansPerhapsSent(t *testing.T) {
	for _, tt := range []struct {
		name  string
		taken bool
	}{{"taken", true}, {"not taken", false}} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, nil)
			for _, g := range r.gates {
				g.set(func(method, params string) (string, bool) {
					if method != "eth_sendRawTransaction" {
						return "", false
					}
					if tt.taken {
						r.offer(strings.Trim(params, `["]`))
					}
					return "", true
				})
			}
			id := r.send()
			r.wantTask(id, order.Sent)
			r.lane.Close()
			for _, g := range r.gates {
				g.set(nil)
			}
			r.steps(5)
			r.wantDone(1)
			r.wantNonces(journal.NonceMined)
		})
	}
}

// A settler that ends between commit and broadcast leaves bytes that its
// successor sends at once.
func TestCommittedAndNeverSentIsSentAfterATakeover(t *testing.T) {
	r := newRig(t, nil)
	for _, g := range r.gates {
		g.set(func(method, _ string) (string, bool) { return "", method == "eth_sendRawTransaction" })
	}
	r.send()
	r.send()
	r.lane.Close()
	for _, g := range r.gates {
		g.set(nil)
	}
	r.start()
	r.tend()
	if got := len(r.pool.Of(common.Address(r.key.Address()))); got != 2 {
		t.Errorf("%d transactions are in the pool after a takeover, want 2", got)
	}
	r.steps(1)
	r.wantDone(2)
	r.wantAttempts(0, 1)
}

// A transaction that fails on chain was mined. What that means for its order is
// not decided here.
func TestReceiptDecidesAboutTheNonceOnly(t *testing.T) {
	r := newRig(t, nil)
	id := r.send()
	r.do("anvil_setCode", target, refusing)
	r.final = 100
	r.steps(3)
	r.wantNonces(journal.NonceMined)
	r.wantTask(id, order.Sent)
}

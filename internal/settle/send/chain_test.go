package send_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/send"
)

// A node that starts again has lost every transaction. They are sent again
// together: waiting for each in turn would take too long.
func TestDroppedTransactionsAreSentAgainTogether(t *testing.T) {
	r := newRig(t, nil)
	for range 4 {
		r.send()
	}
	r.tend()
	r.arrived()
	r.pool.Drop()
	r.steps(2)
	if got := len(r.pool.Of(common.Address(r.key.Address()))); got != 4 {
		t.Errorf("%d transactions are in the pool, want 4", got)
	}
	r.steps(1)
	r.wantDone(4)
}

func TestAGapInThePoolIsClosed(t *testing.T) {
	r := newRig(t, nil)
	for range 3 {
		r.send()
	}
	r.arrived()
	r.pool.DropNonce(common.Address(r.key.Address()), 1)
	r.steps(1)
	r.wantNonces(journal.NonceMined, journal.NonceSent, journal.NonceSent)
	r.steps(3)
	r.wantNonces(journal.NonceMined, journal.NonceMined, journal.NonceMined)
	r.wantDone(3)
}

// A reorganisation takes mined transactions away. On a real network they return
// to the pool; on some they do not.
func TestReorganisation(t *testing.T) {
	for _, tt := range []struct {
		name string
		back bool
	}{{"the pool has them again", true}, {"they are gone", false}} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, nil)
			ids := []int64{r.send(), r.send()}
			r.steps(1)
			r.wantNonces(journal.NonceMined, journal.NonceMined)
			r.must(r.pool.Reorganise(t.Context(), 1, tt.back))
			r.wantDone(0)
			r.mineNothing()
			r.tend()
			r.wantNonces(journal.NonceSent, journal.NonceSent)
			r.wantTask(ids[0], order.Sent)
			r.steps(1)
			r.wantNonces(journal.NonceMined, journal.NonceMined)
			r.wantDone(2)
			r.wantAttempts(0, 1)
		})
	}
}

// A final nonce that falls out of the chain is sent again like any other.
func TestReorganisationBelowTheFinalityTag(t *testing.T) {
	r := newRig(t, nil)
	id := r.send()
	r.final = 100
	r.steps(1)
	r.end(id, order.Void)
	r.steps(1)
	r.wantNonces(journal.NonceFinal)
	r.must(r.pool.Reorganise(t.Context(), 2, false))
	r.send()
	r.steps(1)
	r.wantNonces(journal.NonceSent, journal.NonceSent)
	r.steps(1)
	r.wantNonces(journal.NonceMined, journal.NonceMined)
	r.wantDone(1) // the first one's task is void, so it was filled
}

// When another sender made the call unnecessary, the nonce is used up by nothing.
func TestUnwantedCallIsReplacedByAFiller(t *testing.T) {
	r := newRig(t, nil)
	r.pool.Delay(1)
	r.send()
	id := r.send()
	r.tend()
	r.arrived()
	r.pool.Delay(0)
	r.end(id, order.Done)
	r.mineNothing()
	r.tend()
	filler := r.wantAttempts(1, 2)[1]
	if filler.To() == nil || *filler.To() != common.Address(r.key.Address()) || len(filler.Data()) != 0 || filler.Value().Sign() != 0 {
		t.Errorf("the filler goes to %v with data %x, want nothing to the key itself", filler.To(), filler.Data())
	}
	r.steps(2)
	r.wantDone(1)
	r.wantNonces(journal.NonceMined, journal.NonceMined)
	if got := r.image().Nonces[1].Mined; got != order.Hash(filler.Hash()) {
		t.Errorf("nonce 1 was used by %v, want the filler %v", got, filler.Hash())
	}
}

// Which attempt was mined does not matter: the earlier one may be.
func TestAnEarlierAttemptIsMined(t *testing.T) {
	r := newRig(t, nil)
	r.send()
	r.tend()
	first := r.attempts(0)[0]
	r.arrived()
	r.pool.Drop()
	r.pool.Lose(true)
	r.steps(2)
	r.wantAttempts(0, 2)
	r.arrived()
	r.pool.Lose(false)
	raw, err := first.MarshalBinary()
	r.must(err)
	r.offer("0x" + common.Bytes2Hex(raw))
	r.steps(1)
	r.wantNonces(journal.NonceMined)
	if got := r.image().Nonces[0].Mined; got != order.Hash(first.Hash()) {
		t.Errorf("mined is %v, want the first attempt %v", got, first.Hash())
	}
}

// A nonce that other bytes have used carries no task any more.
func TestForeignNonce(t *testing.T) {
	r := newRig(t, nil)
	r.pool.Lose(true)
	lost := r.send()
	r.arrived()
	r.pool.Lose(false)
	r.stranger(0, 1e9, 30e9)
	next := r.send()
	r.steps(1)
	r.wantNonces(journal.NonceSent, journal.NonceMined)
	r.wantTask(lost, order.Sent) // nodes may be behind: not a verdict yet
	r.steps(2)
	r.wantNonces(journal.NonceForeign, journal.NonceMined)
	r.wantTask(lost, order.Void)
	r.wantTask(next, order.Sent)
	if got := r.lane.Health().Foreign; got != 1 {
		t.Errorf("Foreign = %d, want 1", got)
	}
}

// The block of a foreign transaction may be reorganised away too.
func TestForeignNonceThatIsFreeAgainIsFilled(t *testing.T) {
	r := newRig(t, nil)
	r.pool.Lose(true)
	r.send()
	r.arrived()
	r.pool.Lose(false)
	r.stranger(0, 1e9, 30e9)
	r.steps(4)
	r.wantNonces(journal.NonceForeign)
	r.must(r.pool.Reorganise(t.Context(), 4, false))
	r.send()
	r.steps(2)
	r.wantNonces(journal.NonceMined, journal.NonceMined)
	r.wantDone(1)
}

// One of three nodes cannot make the lane believe in a nonce.
func TestOneLyingNodeDecidesNothing(t *testing.T) {
	invented := func(method, params string) (string, bool) {
		word := strings.Repeat("01", 32)
		return fmt.Sprintf(`"result":{"transactionHash":%s,"blockHash":"0x%s","blockNumber":"0x1"}`, strings.Trim(params, "[]"), word), method == "eth_getTransactionReceipt"
	}
	for _, tt := range []struct {
		name string
		lie  func(method, params string) (string, bool)
	}{
		{"all nonces are used", says("eth_getTransactionCount", `"0xffff"`)},
		{"no nonce is used", says("eth_getTransactionCount", `"0x0"`)},
		{"nothing is mined", says("eth_getTransactionReceipt", "null")},
		{"it was mined in another block", invented},
		{"it is down", down},
		{"it has another chain", says("eth_chainId", `"0x1"`)},
		{"its head has no number", says("eth_getBlockByNumber", `{}`)},
		{"it has no head", says("eth_getBlockByNumber", `null`)},
		{"its receipt is empty", says("eth_getTransactionReceipt", `{}`)},
		{"it answers with nonsense", func(string, string) (string, bool) { return `"result":{"a":[]}`, true }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, nil)
			r.gates[0].set(tt.lie)
			r.start()
			id := r.send()
			r.tend()
			r.wantNonces(journal.NonceSent)
			r.final = 100
			r.steps(1)
			r.wantNonces(journal.NonceMined)
			if got := r.image().Nonces[0].Block; got != 2 {
				t.Errorf("mined in block %d, want 2", got)
			}
			r.end(id, order.Done)
			r.steps(1)
			r.wantNonces(journal.NonceFinal)
			r.wantDone(1)
		})
	}
}

// The count is the largest that two nodes reach, when no two say the same.
func TestOneNodeLiesAndOneLags(t *testing.T) {
	r := newRig(t, nil)
	r.send()
	r.mine(1)
	r.gates[0].set(says("eth_getTransactionCount", `"0xffff"`))
	r.gates[1].set(says("eth_getTransactionCount", `"0x0"`))
	r.tend()
	r.wantNonces(journal.NonceMined)
}

// Nothing is decided when too few nodes answer.
func TestTwoNodesDown(t *testing.T) {
	r := newRig(t, nil)
	r.send()
	r.mine(1)
	r.gates[0].set(down)
	r.gates[2].set(down)
	if err := r.lane.Tend(t.Context()); err == nil {
		t.Error("Tend with one of three nodes succeeded, want an error")
	}
	r.wantNonces(journal.NonceSent)
	if err := r.lane.Reconcile(t.Context()); err == nil || r.lane.Free() != 0 {
		t.Errorf("Reconcile with one of three nodes: %v, %d free; want an error and none", err, r.lane.Free())
	}
	r.gates[0].set(nil)
	r.must(r.lane.Reconcile(t.Context()))
	r.steps(1)
	r.wantNonces(journal.NonceMined)
}

// The finality tag is asked for by the lane itself when the caller has none.
func TestOwnFinalityTag(t *testing.T) {
	r := newRig(t, func(o *send.Options) { o.Final = nil })
	id := r.send()
	r.steps(1)
	r.end(id, order.Done)
	r.do("anvil_mine", "0x50")
	r.steps(1)
	r.wantNonces(journal.NonceFinal)
}

func TestNoCallsWithoutNeed(t *testing.T) {
	head, gone := uint64(2), uint64(0)
	r := newRig(t, func(o *send.Options) {
		o.Head = func(context.Context) (uint64, error) { return head, nil }
		o.Gone = func() uint64 { return gone }
	})
	want := func(event string, most int, do func()) {
		t.Helper()
		r.lane.Close() // some calls go on after their question is answered
		before := r.calls()
		do()
		r.lane.Close()
		if got := r.calls() - before; got > most {
			t.Errorf("%s: %d calls, want at most %d", event, got, most)
		}
	}
	want("nothing is open, 10 blocks", 0, func() {
		for range 10 {
			head++
			r.tend()
		}
	})
	var id int64
	want("a call is sent", 2*(3+1)+3, func() { id = r.send() }) // fees and estimate by two nodes, sent to three
	r.tend()
	want("no new block", 0, r.tend)
	r.mine(1)
	head++
	want("it is mined", 2+2, r.tend) // two counts, two receipts
	r.wantNonces(journal.NonceMined)
	want("it waits, 10 blocks", 0, func() {
		for range 10 {
			head++
			r.tend()
		}
	})
	gone++
	head++
	r.must(r.pool.Reorganise(t.Context(), 1, false))
	want("a reorganisation took it away", 2+2+3, r.tend) // counts, heights, and it is sent again
	r.wantNonces(journal.NonceSent)
	r.mine(1)
	head++
	want("it is mined again", 2+2, r.tend)
	r.end(id, order.Done)
	want("its task has ended", 0, r.tend)
	r.final = 100
	head++
	want("it becomes final", 2+2, r.tend)
	r.wantNonces(journal.NonceFinal)
}

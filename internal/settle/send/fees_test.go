package send_test

import (
	"errors"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/send"
	"hubquote/test/fake/mempool"
)

// expensive makes blocks that take nothing, and tends the lane after each.
func (r *rig) expensive(blocks int) {
	r.Helper()
	for range blocks {
		r.mineNothing()
		r.tend()
	}
}

func TestInFlightIsBounded(t *testing.T) {
	for _, limit := range []int{1, mempool.Slots} {
		r := newRigNow(t, func(o *send.Options) { o.InFlight = limit })
		for free := limit; free > 0; free-- {
			if got := r.lane.Free(); got != free {
				t.Errorf("Free = %d, want %d", got, free)
			}
			r.send()
		}
		if err := r.lane.Send(t.Context(), call(r.task())); !errors.Is(err, send.ErrBusy) {
			t.Errorf("Send with %d in flight: %v, want %v", limit, err, send.ErrBusy)
		}
		r.steps(1)
		r.wantDone(uint64(limit))
		if got := r.lane.Free(); got != limit {
			t.Errorf("Free = %d after a block, want %d", got, limit)
		}
		if got := r.pool.Refusals()[mempool.ErrLimit.Error()]; got != 0 {
			t.Errorf("the pool refused %d transactions above its limit, want 0", got)
		}
	}
}

// A real pool demands a tenth more of both fees. Only the lowest nonce can hold
// up the others, so only it pays more.
func TestOnlyTheLowestIsReplacedByAnEighth(t *testing.T) {
	r := newRig(t, nil)
	r.pool.Delay(100)
	r.send()
	r.send()
	r.tend()
	r.steps(1)
	r.wantAttempts(0, 1)
	r.steps(1)
	got := r.wantAttempts(0, 2)
	for name, pair := range map[string][2]*big.Int{"tip": {got[0].GasTipCap(), got[1].GasTipCap()}, "fee cap": {got[0].GasFeeCap(), got[1].GasFeeCap()}} {
		least := new(big.Int).Div(new(big.Int).Mul(pair[0], big.NewInt(9)), big.NewInt(8))
		if pair[1].Cmp(least) < 0 {
			t.Errorf("the %s rose from %v to %v, want an eighth more", name, pair[0], pair[1])
		}
	}
	r.arrived()
	r.pool.Delay(0)
	r.steps(2)
	r.wantAttempts(0, 3)
	r.wantAttempts(1, 1)
	if got := r.pool.Refusals()[mempool.ErrUnderpriced.Error()]; got != 0 {
		t.Errorf("the pool refused %d replacements as too cheap, want 0", got)
	}
	r.steps(1)
	r.wantDone(1)
	r.wantNonces(journal.NonceMined, journal.NonceSent)
}

// The blocks that were made while a lower nonce was missing could not take it.
func TestWaitBeginsWhenTheNonceBecomesTheLowest(t *testing.T) {
	r := newRig(t, func(o *send.Options) { o.Limits.After = 3 })
	r.send()
	r.pool.Delay(4)
	r.send()
	r.tend()
	r.expensive(2)
	r.steps(2)
	r.wantNonces(journal.NonceMined, journal.NonceSent)
	r.wantAttempts(1, 1)
	r.steps(2)
	r.wantNonces(journal.NonceMined, journal.NonceMined)
	r.wantAttempts(1, 1)
}

// At the cap the same bytes are sent again, and a person has to look.
func TestFeeCapIsNeverExceeded(t *testing.T) {
	r := newRig(t, func(o *send.Options) { o.Limits.Cap = *uint256.NewInt(4e9) })
	r.send()
	r.tend()
	if r.lane.Health().Capped {
		t.Error("Capped before the cap is reached, want not")
	}
	r.expensive(10)
	for _, tx := range r.attempts(0) {
		if tx.GasFeeCap().Cmp(big.NewInt(4e9)) > 0 {
			t.Errorf("an attempt offers %v, want at most the cap", tx.GasFeeCap())
		}
	}
	if h := r.lane.Health(); !h.Capped || h.Open != 1 || h.Lowest != 0 || h.Since.IsZero() {
		t.Errorf("Health = %+v, want one nonce at the cap", h)
	}
	r.arrived()
	r.pool.Drop()
	r.expensive(2)
	if got := len(r.pool.Of(common.Address(r.key.Address()))); got != 1 {
		t.Errorf("%d transactions are in the pool after it lost one, want 1", got)
	}
	r.steps(1)
	r.wantDone(1)
	r.send()
	r.steps(1)
	if r.lane.Health().Capped {
		t.Error("Capped after the nonce was mined, want not")
	}
}

func TestNothingIsSignedWhileGasCostsMoreThanTheCap(t *testing.T) {
	r := newRig(t, func(o *send.Options) { o.Limits.Cap = *uint256.NewInt(4e9) })
	_, err := r.pool.Mine(t.Context(), big.NewInt(5e9))
	r.must(err)
	r.start() // fees of a moment ago are believed
	if err := r.lane.Send(t.Context(), call(r.task())); !errors.Is(err, send.ErrFees) {
		t.Errorf("Send: %v, want %v", err, send.ErrFees)
	}
	if f, err := r.lane.Fees(t.Context()); err != nil || f.WithinCap {
		t.Errorf("Fees = %+v, %v; want not within the cap", f, err)
	}
}

// Without a mempool a higher fee buys nothing.
func TestWithoutMempoolTheSameBytesAreSentAgain(t *testing.T) {
	r := newRig(t, func(o *send.Options) { o.Mempool = false })
	r.send()
	r.tend()
	r.arrived()
	r.pool.Drop()
	r.expensive(4)
	r.wantAttempts(0, 1)
	r.steps(1)
	r.wantDone(1)
}

// A chain that makes blocks only with transactions makes none while ours is
// lost.
func TestBytesAreSentAgainWithoutBlocks(t *testing.T) {
	r := newRig(t, func(o *send.Options) { o.Resend = time.Nanosecond; o.Mempool = false })
	r.send()
	r.tend()
	r.arrived()
	r.pool.Drop()
	r.tend()
	if got := len(r.pool.Of(common.Address(r.key.Address()))); got != 1 {
		t.Errorf("%d transactions are in the pool, want 1", got)
	}
}

// One node that stands still must not keep a transaction from being replaced,
// and one that runs ahead must not make it dearer.
func TestOneNodeDoesNotDecideHowManyBlocksLeftItOut(t *testing.T) {
	for _, tt := range []struct{ name, head string }{{"it stands still", "0x1"}, {"it runs ahead", "0xffffff"}} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, func(o *send.Options) { o.Resend = time.Nanosecond })
			r.gates[0].set(says("eth_getBlockByNumber", `{"number":"`+tt.head+`","baseFeePerGas":"0x3b9aca00"}`))
			r.pool.Delay(100)
			r.send()
			r.tend()
			r.steps(1)
			r.wantAttempts(0, 1)
			r.steps(1)
			r.wantAttempts(0, 2)
		})
	}
}

func TestGasIsEstimatedAndCapped(t *testing.T) {
	for _, tt := range []struct {
		name       string
		gas, least uint64
		want       func(gas uint64) bool
		err        error
	}{
		{"the estimate and a quarter", 500_000, 0, func(g uint64) bool { return g > 43_000*5/4 && g < 50_000*5/4 }, nil},
		{"never more than the limit", 46_000, 0, func(g uint64) bool { return g == 46_000 }, nil},
		{"never less than a batch needs", 500_000, 300_000, func(g uint64) bool { return g == 300_000 }, nil},
		{"a call that needs more than the limit", 30_000, 0, nil, send.ErrGas},
		{"a batch that needs more than the limit", 500_000, 500_001, nil, send.ErrGas},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t, nil)
			c := call(r.task())
			c.Gas, c.Least = tt.gas, tt.least
			if err := r.lane.Send(t.Context(), c); !errors.Is(err, tt.err) {
				t.Fatalf("Send: %v, want %v", err, tt.err)
			}
			if tt.err == nil {
				if got := r.wantAttempts(0, 1)[0].Gas(); !tt.want(got) {
					t.Errorf("the gas limit is %d, want %s", got, tt.name)
				}
			}
		})
	}
}

// A call that reverts is not sent, and its four bytes are returned, when two of
// three nodes say so.
func TestRefused(t *testing.T) {
	r := newRig(t, nil)
	id := r.task()
	c := call(id)
	c.Data = refuse
	err := r.lane.Send(t.Context(), c)
	refused, ok := errors.AsType[*send.Refused](err)
	if !ok || refused.Selector() != [4]byte(refuse) || string(refused.Data) != string(refuse) {
		t.Fatalf("Send: %v (%+v), want a refusal with the contract's bytes", err, refused)
	}
	r.wantTask(id, order.Ready)
	r.wantNonces()
	lie := `"error":{"code":3,"message":"execution reverted","data":"0x01020304"}`
	liar := func(method, _ string) (string, bool) { return lie, method == "eth_estimateGas" }
	r.gates[0].set(liar)
	r.must(r.lane.Send(t.Context(), call(id)))
	r.gates[1].set(liar)
	if _, ok := errors.AsType[*send.Refused](r.lane.Send(t.Context(), call(r.task()))); !ok {
		t.Error("two nodes say that the call reverts, want a refusal")
	}
	r.gates[1].set(says("eth_estimateGas", `"0xzz"`))
	r.gates[2].set(down)
	if err := r.lane.Send(t.Context(), call(r.task())); err == nil || errors.As(err, &refused) {
		t.Errorf("one node says that the call reverts: %v, want another error", err)
	}
}

func TestPurseIsCountedInCalls(t *testing.T) {
	r := newRig(t, nil)
	f, err := r.lane.Fees(t.Context())
	r.must(err)
	price := new(uint256.Int).Lsh(&f.Base, 1)
	price.Add(price, &f.Tip).Mul(price, uint256.NewInt(100_000))
	want := new(uint256.Int).Div(uint256.NewInt(1e18), price).Uint64()
	if f.Calls != want || !f.WithinCap || !f.Mempool {
		t.Errorf("Fees = %+v, want %d calls within the cap", f, want)
	}
	r.send()
	less, err := r.lane.Fees(t.Context())
	r.must(err)
	if less.Calls >= want {
		t.Errorf("%d calls left with one in flight, want fewer than %d", less.Calls, want)
	}
	r.do("anvil_setBalance", r.key.Address(), "0x0")
	r.start()
	if f, err := r.lane.Fees(t.Context()); err != nil || f.Calls != 0 {
		t.Errorf("Fees = %+v, %v; want no calls from an empty purse", f, err)
	}
}

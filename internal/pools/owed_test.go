package pools_test

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/pools"
	"hubquote/internal/pools/atlas"
	"hubquote/internal/pools/backlog"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
)

// A settler answers with a text, or fails when that is empty.
type settler struct{ answer atomic.Value }

func (s *settler) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	text, _ := s.answer.Load().(string)
	if text == "" {
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	fmt.Fprint(w, text)
}

// owes makes the settler say what one pool owes, in whole dollars.
func (s *settler) owes(chain swap.ChainID, pool swap.Address, dollars int64) {
	s.answer.Store(fmt.Sprintf(`{"asOf":[],"pools":[{"chain":%d,"pool":"%s","pending":1,"amount":"%d000000","oldest":"2026-01-02T03:04:05Z"}]}`, chain, pool, dollars))
}

// owesFor is owes, all for the orders of one source.
func (s *settler) owesFor(from, to *atlas.Contract, dollars int64) {
	s.answer.Store(fmt.Sprintf(`{"pools":[{"chain":%d,"pool":"%s","amount":"%d000000","sources":[{"chain":%d,"pool":"%s","amount":"%d000000"}]}]}`,
		to.Network, to.Address, dollars, from.Network, from.Address, dollars))
}

func newSettler(t *testing.T) (*settler, *backlog.Settler) {
	t.Helper()
	s := &settler{}
	url, err := upstream.Parse("http://settler")
	if err != nil {
		t.Fatal(err)
	}
	asked, err := backlog.New(backlog.Options{URL: url, Transport: fake.Network{"settler": s}})
	if err != nil {
		t.Fatal(err)
	}
	return s, asked
}

// What the settler owes already is not available: not from the liquidity, and not
// from the cap. What it does not say takes nothing off.
func TestOwedIsTakenOff(t *testing.T) {
	const from, to = "USDC@1", "USDC@369"
	s, asked := newSettler(t)
	newTrial(t, 1, pools.Options{Settler: asked}, func(x *trial) {
		payer := x.pools.Leg(from, to).To
		x.pools.Change(payer, func(s *contract.Snapshot) { s.Liquidity = units(1_000, 6) })
		x.start()
		x.want("", from, to, "1000") // the settler does not answer
		s.owes(369, payer.Address, 400)
		x.round()
		x.want("", from, to, "600")
		if e := x.want(swap.PoolShort, from, to, "600.000001"); e != nil && e.Available.Dec() != "598200000" {
			t.Errorf("available = %s, want 598200000: 600 less 0.3 %%", e.Available.Dec())
		}
		s.owes(1, payer.Address, 400) // the same address on another chain
		x.round()
		x.want("", from, to, "1000")
		s.owes(369, payer.Address, 5_000) // more than there is
		x.round()
		x.want(swap.PoolShort, from, to, "10")
		s.answer.Store("")
		x.round()
		x.want(swap.PoolShort, from, to, "10") // its last word counts
		time.Sleep(pools.Known)
		synctest.Wait()
		x.want("", from, to, "1000")
	})
}

// An order waits behind those that use up the same cap before it.
func TestOwedUsesUpTheCap(t *testing.T) {
	const from, to = "USDC@1", "USDC@369"
	s, asked := newSettler(t)
	newTrial(t, 1, pools.Options{Settler: asked}, func(x *trial) {
		payer := x.pools.Leg(from, to).To
		x.pools.Change(payer, func(s *contract.Snapshot) {
			s.Caps[contract.PaymentsCap].Cap, s.Spendable[contract.PaymentsCap] = units(2*86_400, 6), units(1_500, 6)
		})
		s.owes(369, payer.Address, 700)
		x.start()
		x.want("", from, to, "800")
		if e := x.want(swap.PoolCapped, from, to, "1000"); e != nil {
			// 200 of 86,400 a day are missing, and then it must be seen.
			if got := e.After.Sub(x.State(x.quote(from, to, "10").Route).AsOf); got != 221*time.Second {
				t.Errorf("the amount fits after %v, want 221 s", got)
			}
		}
	})
}

// What is owed for the orders of one source uses up the cap of that source alone.
func TestOwedUsesUpTheCapOfItsSource(t *testing.T) {
	const from, other, to = "USDC@1", "USDT@1", "USDC@369"
	s, asked := newSettler(t)
	newTrial(t, 1, pools.Options{Settler: asked}, func(x *trial) {
		l := x.pools.Leg(from, to)
		x.pools.Change(l.To, func(s *contract.Snapshot) {
			for _, pair := range []string{from, other} {
				_, left := x.pools.Leg(pair, to).Source(s)
				*left = *units(1_500, 6)
			}
		})
		s.owesFor(l.From, l.To, 700)
		x.start()
		x.want("", from, to, "800")
		x.want(swap.PoolCapped, from, to, "800.000001")
		x.want("", other, to, "1500")
	})
}

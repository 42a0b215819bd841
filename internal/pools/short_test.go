package pools_test

import (
	"math/big"
	"testing"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/fee"
	"hubquote/internal/pools"
	"hubquote/swap"
)

// A pool that is nearly empty pays what it has, and says how much that is. What it
// is said to have falls at once, and rises by a twentieth at once.
func TestShortPoolSaysWhatItHas(t *testing.T) {
	newTrial(t, 1, pools.Options{}, func(x *trial) {
		x.start()
		payer := x.pools.Leg("USDC@1", "USDC@369").To
		set := func(n int64) {
			x.pools.Change(payer, func(s *contract.Snapshot) { s.Liquidity = units(n, 6) })
			x.round()
		}
		set(1_000)
		x.want("", "USDC@1", "USDC@369", "1000")
		e := x.want(swap.PoolShort, "USDC@1", "USDC@369", "1000.000001")
		if e != nil && (e.Available == nil || e.Available.Dec() != "997000000") { // 0.3 % stay
			t.Errorf("available = %v, want 997000000", e.Available)
		}
		set(1_040)
		x.want(swap.PoolShort, "USDC@1", "USDC@369", "1020")
		set(1_050)
		x.want("", "USDC@1", "USDC@369", "1020")
		set(500)
		x.want(swap.PoolShort, "USDC@1", "USDC@369", "1000")
		set(26_250) // a twentieth more than the largest order
		x.want("", "USDC@1", "USDC@369", "25000")
	})
}

// A pool that lost a little is whole again two looks after it was filled up.
func TestSmallFallHeals(t *testing.T) {
	newTrial(t, 1, pools.Options{}, func(x *trial) {
		x.start()
		payer := x.pools.Leg("USDC@1", "USDC@369").To
		for _, step := range []struct {
			has  int64
			code swap.Code // of an order of 995
		}{{1_000, ""}, {990, swap.PoolShort}, {1_000, swap.PoolShort}, {1_000, ""}} {
			x.pools.Change(payer, func(s *contract.Snapshot) { s.Liquidity = units(step.has, 6) })
			x.round()
			x.want(step.code, "USDC@1", "USDC@369", "995")
		}
	})
}

// What is available is what the recipient of the largest order that passes gets:
// that order is quoted, and one of a unit more is not.
func TestAvailableIsTheLargestThatPasses(t *testing.T) {
	ends := [][2]string{{"USDC@1", "USDC@369"}, {"DAI@1", "USDC@369"}, {"USDC@369", "USDC@56"}, {"USDC@369", "USDC@69696969"}, {"USDC@369", "USDC@10"}, {"USDC@10", "USDC@369"}}
	newTrial(t, 1, pools.Options{}, func(x *trial) {
		x.start()
		for _, end := range ends {
			leg := x.pools.Leg(end[0], end[1])
			has := units(1_000, int64(leg.Route.DstToken.Decimals))
			x.pools.Change(leg.To, func(s *contract.Snapshot) { s.Liquidity = has.Add(has, big.NewInt(777)) })
			x.round()
			q := x.quote(end[0], end[1], "1")
			available := x.State(q.Route).Available
			passes := x.largest(q.Route)
			if received, _, err := fee.Split(q.Route, &passes, nil); err != nil || !received.Eq(available) {
				t.Errorf("%s to %s: available = %s, want %s, which the largest order that passes gives", end[0], end[1], available.Dec(), received.Dec())
			}
		}
	})
}

// largest finds the largest deposit that is payable, by halving.
func (x *trial) largest(r *swap.Route) (low swap.Amount) {
	high := r.Limits.Max
	for step := high; !step.IsZero(); {
		step.Rsh(&step, 1)
		var next swap.Amount
		if next.Add(&low, &step); x.Payable(&swap.Quote{Route: r, Amount: next}) == nil {
			low = next
		}
	}
	for next := low; next.Lt(&high); low = next {
		if next.AddUint64(&next, 1); x.Payable(&swap.Quote{Route: r, Amount: next}) != nil {
			break
		}
	}
	return low
}

// A pool from which not even the smallest order can be paid has nothing available,
// and says why.
func TestNothingIsAvailable(t *testing.T) {
	tests := []struct {
		name   string
		change func(s *contract.Snapshot)
		want   swap.Code
	}{
		{"it is empty", func(s *contract.Snapshot) { s.Liquidity = new(big.Int) }, swap.PoolShort},
		{"it has less than the smallest order", func(s *contract.Snapshot) { s.Liquidity = big.NewInt(1) }, swap.PoolShort},
		{"its cap is used up", func(s *contract.Snapshot) { s.Spendable[contract.PaymentsCap] = new(big.Int) }, swap.PoolCapped},
		{"it is paused", func(s *contract.Snapshot) { s.PaymentsPaused = true }, swap.PoolPaused},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			newTrial(t, 1, pools.Options{}, func(x *trial) {
				x.start()
				leg := x.pools.Leg("USDC@1", "USDC@369")
				x.pools.Change(leg.To, tt.change)
				x.round()
				if s := x.State(x.quote("USDC@1", "USDC@369", "10").Route); s.Available == nil || !s.Available.IsZero() || s.Reason != tt.want {
					t.Errorf("state = %+v, want nothing available for %s", s, tt.want)
				}
			})
		})
	}
}

// A pool must have what the settler waits for: all that the deposit is worth, as a
// pool may charge less than the order says, and the most that the privacy pool or the
// issuer may take on top.
func TestShortPoolHasWhatTheSettlerCounts(t *testing.T) {
	newTrial(t, 1, pools.Options{}, func(x *trial) {
		x.start()
		inbound, shielding, burn := x.quote("USDC@1", "USDC@369", "1000"), x.quote("USDC@369", "USDC@69696969", "1000"), x.quote("USDC@369", "USDC@10", "1000")
		for _, tt := range []struct {
			quote *swap.Quote
			least int64 // millionths of a dollar
		}{{inbound, 1_000_000_000}, {shielding, 1_005_000_000}, {burn, 1_005_000_000}} {
			payer := x.pools.Leg(tt.quote.Route.From().String(), tt.quote.Route.To().String()).To
			for _, short := range []int64{0, 1} {
				x.pools.Change(payer, func(s *contract.Snapshot) { s.Liquidity = big.NewInt(tt.least - short) })
				x.round()
				x.heal() // so that the next figure is no small rise
				if err := x.Payable(tt.quote); err == nil != (short == 0) || err != nil && swap.CodeOf(err) != swap.PoolShort {
					t.Errorf("%s with %d less than it takes: %v, want POOL_SHORT only for less", tt.quote.Route.To(), short, err)
				}
				x.round()
			}
		}
	})
}

// A cap that is used up comes back within a day, and the refusal says when. One
// that is too low for the amount never does.
func TestCappedPoolSaysWhen(t *testing.T) {
	newTrial(t, 1, pools.Options{}, func(x *trial) {
		x.start()
		payer := x.pools.Leg("USDC@1", "USDC@369").To
		set := func(dailyCap, left int64) {
			x.pools.Change(payer, func(s *contract.Snapshot) {
				s.Caps[contract.PaymentsCap].Cap, s.Spendable[contract.PaymentsCap] = units(dailyCap, 6), units(left, 6)
			})
			x.round()
		}
		set(2*86_400, 100)
		if e := x.want(swap.PoolCapped, "USDC@1", "USDC@369", "1000"); e != nil {
			// 900 of 86,400 a day are missing: 900 seconds.
			if got := e.After.Sub(x.State(x.quote("USDC@1", "USDC@369", "10").Route).AsOf); got != 921*time.Second {
				t.Errorf("the amount fits after %v, want 921 s", got)
			}
			if e.Available.Dec() != "99700000" {
				t.Errorf("available = %s, want 99700000", e.Available.Dec())
			}
		}
		set(1_000, 400)
		if e := x.want(swap.PoolCapped, "USDC@1", "USDC@369", "1000"); e != nil && !e.After.IsZero() {
			t.Errorf("the amount fits at %v, want no time: it is more than the cap lets out at once", e.After)
		}
	})
}

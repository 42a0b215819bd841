package burn_test

import (
	"testing"
	"time"

	"github.com/holiman/uint256"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

func TestNext(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	chain := order.Pool{Chain: 8453}
	asked := func(n int, ago time.Duration) func(*burn.Burn, world.World) {
		return func(b *burn.Burn, _ world.World) { b.Attested, b.Asked, b.LastAsked = false, n, now.Add(-ago) }
	}
	waiting := func(left time.Duration) burn.Step {
		return burn.Step{State: burn.Asking, Reason: order.Issuer, Until: now.Add(left)}
	}
	asks := burn.Step{State: burn.Asking, Reason: order.Issuer, Ask: true}
	delivers := func(k order.Kind) burn.Step { return burn.Step{State: burn.Delivering, Send: k} }
	held := func(why order.Reason) burn.Step { return burn.Step{State: burn.Delivering, Reason: why} }
	for _, tt := range []struct {
		name   string
		change func(*burn.Burn, world.World)
		want   burn.Step
	}{
		{"an attested burn to a receiver is relayed", func(b *burn.Burn, _ world.World) {}, delivers(order.Relay)},
		{"an attested payment is delivered", func(b *burn.Burn, _ world.World) { b.Way = burn.Out }, delivers(order.Deliver)},
		{"an attested refund is delivered", func(b *burn.Burn, _ world.World) { b.Way = burn.Back }, delivers(order.Deliver)},
		{"not known to be authentic is not asked about", func(b *burn.Burn, _ world.World) { b.Authentic.OK = false }, burn.Step{State: burn.Seen, Reason: order.Chain}},
		{"not authentic is ignored", func(b *burn.Burn, _ world.World) { b.Authentic.Value = false }, burn.Step{State: burn.Ignored}},
		{"too small is ignored", func(b *burn.Burn, _ world.World) { b.TooSmall = true }, burn.Step{State: burn.Ignored}},
		{"received is delivered, by any sender", func(b *burn.Burn, _ world.World) { b.Received, b.Attested = true, false }, burn.Step{State: burn.Delivered}},
		{"in flight is not repeated", func(b *burn.Burn, _ world.World) { b.InFlight = true }, held(order.InFlight)},
		{"the first question comes at the usual time", func(b *burn.Burn, _ world.World) { b.Attested, b.Mined = false, now.Add(-19*time.Second) }, waiting(time.Second)},
		{"and not later", func(b *burn.Burn, _ world.World) { b.Attested, b.Mined = false, now.Add(-20*time.Second) }, asks},
		{"the second after five seconds", asked(1, 4*time.Second), waiting(time.Second)},
		{"the third after ten", asked(2, 9*time.Second), waiting(time.Second)},
		{"never more than a minute apart", asked(99, time.Minute), asks},
		{"never less than a minute apart after many", asked(99, 59*time.Second), waiting(time.Second)},
		{"an old one is asked about once an hour", func(b *burn.Burn, _ world.World) {
			b.Attested, b.Mined, b.Asked, b.LastAsked = false, now.Add(-49*time.Hour), 9, now.Add(-59*time.Minute)
		}, waiting(time.Minute)},
		{"and then", func(b *burn.Burn, _ world.World) {
			b.Attested, b.Mined, b.Asked, b.LastAsked = false, now.Add(-49*time.Hour), 9, now.Add(-time.Hour)
		}, asks},
		{"near its expiry it is attested again", func(b *burn.Burn, _ world.World) { b.Expires = 1300 }, burn.Step{State: burn.Reattest, Reason: order.Issuer, Ask: true}},
		{"a block earlier it is used", func(b *burn.Burn, _ world.World) { b.Expires = 1301 }, delivers(order.Relay)},
		{"an empty purse", func(_ *burn.Burn, w world.World) {
			w.Left[world.Budget{Limit: world.Calls, Pool: chain}] = swap.Amount{}
		}, held(order.Purse)},
		{"gas above the fee cap", func(_ *burn.Burn, w world.World) { w.Fees[8453] = world.Fees{} }, held(order.Fee)},
		{"an unknown chain", func(_ *burn.Burn, w world.World) { delete(w.Fees, 8453) }, held(order.Chain)},
		{"an unpayable burn is carried within the budget", func(b *burn.Burn, _ world.World) { b.Unpayable = true }, delivers(order.Relay)},
		{"and not beyond it", func(b *burn.Burn, w world.World) {
			b.Unpayable = true
			w.Left[world.Budget{Limit: world.Subsidy, Pool: chain}] = swap.Amount{}
		}, held(order.Budget)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := burn.Burn{Way: burn.In, To: chain, Authentic: order.Known[bool]{Value: true, OK: true}, Attested: true, Mined: now.Add(-time.Hour), Usual: 20 * time.Second}
			w := world.World{
				Fees: map[swap.ChainID]world.Fees{8453: {WithinCap: true}},
				Left: map[world.Budget]swap.Amount{{Limit: world.Calls, Pool: chain}: *uint256.NewInt(1), {Limit: world.Subsidy, Pool: chain}: *uint256.NewInt(1)},
			}
			tt.change(&b, w)
			if got := burn.Next(now, b, 1000, w, burn.Standard()); got != tt.want {
				t.Errorf("Next = %+v, want %+v", got, tt.want)
			}
		})
	}
	expiring := burn.Burn{Authentic: order.Known[bool]{Value: true, OK: true}, Attested: true, Expires: 9000}
	want := burn.Step{State: burn.Attested, Reason: order.Chain}
	if got := burn.Next(now, expiring, 0, world.World{}, burn.Standard()); got != want {
		t.Errorf("an unknown head and an expiry: Next = %+v, want %+v", got, want)
	}
}

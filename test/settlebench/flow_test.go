package settlebench

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/settler"
	"hubquote/internal/settler/term"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/backend"
	"hubquote/test/devnet/evm"
	"hubquote/test/fake"
)

// quick looks every 200 ms, as an operator may who pays for it.
func quick() term.Pace {
	p := backend.Pace()
	p.Watch, p.Lane = 200*time.Millisecond, 200*time.Millisecond
	p.Round, p.Again, p.Gap, p.Sweep = time.Second, 2*time.Second, 0, time.Hour
	return p
}

// settle runs a settler with keys that may pay until the benchmark ends.
func (r *rig) settle(pace term.Pace, keys ...int) {
	r.Helper()
	nodes := map[swap.ChainID][]string{}
	for id, front := range r.fronts {
		for _, e := range front.Endpoints {
			nodes[id] = append(nodes[id], e.URL)
		}
	}
	o, err := backend.Local(r.net.Catalog, nodes, r.issuer, r.TempDir(), devnet.Account(devnet.Relayer), nil)
	if err != nil {
		r.Fatal(err)
	}
	o.Pace, o.Keys = pace, nil
	for _, number := range keys {
		o.Keys = append(o.Keys, backend.Key(devnet.Account(number)))
		r.allow(devnet.Account(number).Address)
	}
	s, err := settler.New(r.Context(), o)
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(s.Close)
	r.beside(func(ctx context.Context) {
		if err := s.Run(ctx); err != nil {
			r.Error(err)
		}
	})
}

// allow gives an account the relayer's role everywhere.
func (r *rig) allow(account swap.Address) {
	r.Helper()
	for _, d := range r.net.Plan.Contracts {
		c := r.net.Chains[d.Network]
		if c == nil || d.Code == contract.Registry {
			continue
		}
		call := evm.Tx{To: common.Address(d.Address), Data: contract.Pool.Call("grantRole", contract.RelayerRole(), common.Address(account))}
		if _, err := c.Send(r.Context(), devnet.Account(devnet.Admin), call); err != nil {
			r.Fatal(err)
		}
	}
}

// flow makes so many deposits a second, for so long, and waits until all of them are
// paid and released. It returns how many there were, and the calls that they took.
func (r *rig) flow(perSecond, seconds int) (orders int, calls float64) {
	r.Helper()
	fake.Sleep(r.Context(), 3*blockSeconds*time.Second) // until the settler has looked around
	before := r.calls()
	ticks := time.NewTicker(time.Second / time.Duration(perSecond))
	defer ticks.Stop()
	for range perSecond * seconds {
		r.deposit()
		<-ticks.C
	}
	orders = perSecond * seconds
	r.await(dst, "OrderFulfilled", orders)
	r.await(src, "OrderReleased", orders)
	return orders, float64(r.calls()-before) / float64(orders)
}

// BenchmarkLatency has five orders a second.
func BenchmarkLatency(b *testing.B) {
	r := newRig(b)
	r.settle(quick(), devnet.Relayer)
	r.flow(5, 30)
	all := r.latencies()
	p50, p99 := milliseconds(quantile(all, 0.5)), milliseconds(quantile(all, 0.99))
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(p50, "p50-ms")
	b.ReportMetric(p99, "p99-ms")
	aim("final until broadcast, p50", p50, 400, "ms")
	aim("final until broadcast, p99", p99, 1500, "ms")
}

// BenchmarkSteady has fifty orders a second.
func BenchmarkSteady(b *testing.B) {
	r := newRig(b)
	r.settle(quick(), fourKeys...)
	_, calls := r.flow(50, 20)
	all := r.latencies()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(milliseconds(quantile(all, 0.5)), "p50-ms")
	b.ReportMetric(milliseconds(quantile(all, 0.99)), "p99-ms")
	b.ReportMetric(calls, "calls/order")
	b.ReportMetric(r.gas(dst, "OrderFulfilled"), "gas/payment")
	b.ReportMetric(r.gas(src, "OrderReleased"), "gas/release")
	aim("calls for an order, 50 a second", calls, 3, "calls")
}

var fourKeys = []int{devnet.Relayer, devnet.Standby, devnet.Bob, devnet.Carol}

// BenchmarkBurst has many orders at once.
func BenchmarkBurst(b *testing.B) {
	for _, tt := range []struct {
		keys []int
		want float64
	}{{fourKeys[:1], 40}, {fourKeys, 80}} {
		b.Run(fmt.Sprintf("keys=%d", len(tt.keys)), func(b *testing.B) {
			const orders = 800
			r := newRig(b)
			for range orders {
				r.deposit()
			}
			r.await(src, "OrderOpened", orders)
			r.settle(quick(), tt.keys...)
			r.await(dst, "OrderFulfilled", 1)
			start := time.Now().Add(-blockSeconds * time.Second) // the first block of payments
			r.await(dst, "OrderFulfilled", orders)
			rate := orders / time.Since(start).Seconds()
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(rate, "orders/s")
			b.ReportMetric(r.gas(dst, "OrderFulfilled"), "gas/payment")
			aim(fmt.Sprintf("orders a second, keys: %d", len(tt.keys)), rate, -tt.want, "orders/s")
		})
	}
}

// BenchmarkSequential is a relayer that sends a payment and waits for its block.
func BenchmarkSequential(b *testing.B) {
	const orders = 5
	r := newRig(b)
	for range orders {
		r.deposit()
	}
	opened := r.await(src, "OrderOpened", orders)
	start := time.Now()
	for i := range opened {
		said, err := contract.ReadOpened(&opened[i])
		if err != nil {
			b.Fatal(err)
		}
		call := evm.Tx{To: said.Order.DstPool, Data: contract.Pool.Call("fulfil", said.Order, true)}
		if _, err := r.net.Chains[dst].Send(b.Context(), devnet.Account(devnet.Relayer), call); err != nil {
			b.Fatal(contract.Explain(err))
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(orders/time.Since(start).Seconds(), "orders/s")
	b.ReportMetric(r.gas(dst, "OrderFulfilled"), "gas/payment")
}

package settlebench

import (
	"syscall"
	"testing"
	"time"

	"hubquote/swap"
	"hubquote/test/devnet/backend"
	"hubquote/test/fake"
	"hubquote/test/fake/postgres"
)

// BenchmarkTakeover kills or stops the settler that writes, with another beside it
// on the same Postgres, and counts until that one pays.
func BenchmarkTakeover(b *testing.B) {
	for name, signal := range map[string]syscall.Signal{"killed": syscall.SIGKILL, "stopped": syscall.SIGSTOP} {
		b.Run(name, func(b *testing.B) {
			r := newRig(b)
			db, err := postgres.Start(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = db.Close() })
			url, err := db.Empty(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			child := backend.Child{Nodes: map[swap.ChainID][]string{}, Issuer: r.issuer, Journal: url, Pace: quick()}
			for id, front := range r.fronts {
				for _, e := range front.Endpoints {
					child.Nodes[id] = append(child.Nodes[id], e.URL)
				}
			}
			first := r.start(child, "first")
			r.deposit()
			r.await(dst, "OrderFulfilled", 1)
			r.start(child, "second")
			fake.Sleep(b.Context(), 2*time.Second)
			if err := first.Signal(signal); err != nil {
				b.Fatal(err)
			}
			gone := time.Now()
			r.deposit()
			paid := r.await(dst, "OrderFulfilled", 2)
			r.mu.Lock()
			took := r.sent[paid[1].TxHash].Sub(gone).Seconds()
			r.mu.Unlock()
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(took, "s")
			aim("takeover until payment, the writer "+name, took, 15, "s")
		})
	}
}

// start starts a settler as a process that ends with the benchmark.
func (r *rig) start(c backend.Child, holder string) *fake.Process {
	r.Helper()
	c.Holder = holder
	p, err := c.Start(func(line string) { r.Log(holder, line) })
	if err != nil {
		r.Fatal(err)
	}
	r.Cleanup(p.Kill)
	return p
}

package pools_test

import (
	"testing"

	"hubquote/internal/fee"
	"hubquote/internal/pools"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
	"hubquote/test/reference"
)

// BenchmarkPayable is what the pools cost a quote: one atomic load, a look into a
// map, and comparisons.
func BenchmarkPayable(b *testing.B) {
	cat := reference.Catalog(b)
	made, err := fake.NewPools(cat)
	if err != nil {
		b.Fatal(err)
	}
	network, endpoints := fake.Network{}, map[swap.ChainID][]upstream.URL{}
	for _, id := range []swap.ChainID{1, 369} {
		n := fake.NewNode(id, swap.Address{})
		n.Pools = made
		host := map[swap.ChainID]string{1: "one", 369: "hub"}[id]
		network[host] = n
		url, err := upstream.Parse("http://" + host)
		if err != nil {
			b.Fatal(err)
		}
		endpoints[id] = []upstream.URL{url}
	}
	w, err := pools.New(pools.Options{Catalog: cat, Endpoints: endpoints, Transport: network})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Close()
	w.Look(b.Context())
	r := made.Leg("USDC@1", "USDC@369").Route
	for _, own := range cat.Routes() {
		if own.From() == r.From() && own.To() == r.To() {
			r = own
		}
	}
	q := &swap.Quote{Route: r, Amount: r.Limits.Max}
	if q.Received, q.Fees, err = fee.Split(r, &q.Amount, nil); err != nil {
		b.Fatal(err)
	}
	if !w.View().Route(r).Known {
		b.Fatal("the route is not known")
	}
	b.ReportAllocs()
	for b.Loop() {
		if err := w.Payable(q); err != nil {
			b.Fatal(err)
		}
	}
}

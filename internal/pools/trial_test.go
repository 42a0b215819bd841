package pools_test

import (
	"context"
	"fmt"
	"math/big"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/catalog"
	"hubquote/internal/fee"
	"hubquote/internal/pools"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
	"hubquote/test/reference"
)

// A trial is a watcher whose nodes show made-up contracts.
type trial struct {
	*pools.Watcher
	t       *testing.T
	row     string // what failures start with
	cat     *catalog.Catalog
	pools   *fake.Pools
	network fake.Network
	nodes   map[swap.ChainID][]*fake.Node
}

// newTrial runs a test with so many nodes for each chain, inside a bubble of time.
func newTrial(t *testing.T, nodes int, opts pools.Options, test func(*trial)) {
	t.Helper()
	newTrialOn(t, []swap.ChainID{1, 56, 369, 4663, 8453, 10}, nodes, opts, test)
}

func newTrialOn(t *testing.T, chains []swap.ChainID, nodes int, opts pools.Options, test func(*trial)) {
	t.Helper()
	cat := reference.Catalog(t)
	made, err := fake.NewPools(cat)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		x := &trial{t: t, cat: cat, pools: made, network: fake.Network{}, nodes: map[swap.ChainID][]*fake.Node{}}
		opts.Catalog, opts.Endpoints, opts.Transport = cat, map[swap.ChainID][]upstream.URL{}, x.network
		for _, id := range chains {
			for i := range nodes {
				opts.Endpoints[id] = append(opts.Endpoints[id], x.addNode(id, i))
			}
		}
		w, err := pools.New(opts)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		x.Watcher = w
		test(x)
	})
}

func (x *trial) addNode(id swap.ChainID, i int) upstream.URL {
	registry, _ := x.cat.Registry(id)
	n := fake.NewNode(id, registry)
	n.Pools = x.pools
	x.nodes[id] = append(x.nodes[id], n)
	host := fmt.Sprintf("node%d-%d", id, i)
	x.network[host] = n
	url, err := upstream.Parse("http://" + host)
	if err != nil {
		x.t.Fatal(err)
	}
	return url
}

// start waits for the first look.
func (x *trial) start() {
	x.Start(context.Background())
	synctest.Wait()
}

// round waits for the next look.
func (x *trial) round() {
	time.Sleep(pools.Every)
	synctest.Wait()
}

// lookAfter looks once when some time has passed without a look. What comes once
// an hour can so be seen without the hundreds of looks between.
func (x *trial) lookAfter(d time.Duration) {
	time.Sleep(d)
	x.Look(context.Background())
}

func (x *trial) quote(from, to, amount string) *swap.Quote {
	x.t.Helper()
	for _, r := range x.cat.Routes() {
		if r.From().String() != from || r.To().String() != to {
			continue
		}
		units, err := swap.ParseUnits(amount, r.SrcToken.Decimals)
		if err != nil {
			x.t.Fatal(err)
		}
		return x.quoteOn(r, units)
	}
	x.t.Fatalf("no route from %s to %s", from, to)
	return nil
}

func (x *trial) quoteOn(r *swap.Route, amount swap.Amount) *swap.Quote {
	x.t.Helper()
	received, fees, err := fee.Split(r, &amount, nil)
	if err != nil {
		x.t.Fatal(err)
	}
	return &swap.Quote{Route: r, Amount: amount, Received: received, Fees: fees}
}

// want checks the code of the refusal of a quote; empty means that it is payable.
func (x *trial) want(code swap.Code, from, to, amount string) *swap.Error {
	x.t.Helper()
	return x.wantQuote(code, x.quote(from, to, amount))
}

func (x *trial) wantQuote(code swap.Code, q *swap.Quote) *swap.Error {
	x.t.Helper()
	err, got := x.Payable(q), swap.Code("")
	if err != nil {
		got = swap.CodeOf(err)
	}
	if got != code {
		x.t.Errorf("%s%s units of %s to %s: %v, want %q", x.row, q.Amount.Dec(), q.Route.From(), q.Route.To(), err, code)
	}
	e, _ := err.(*swap.Error)
	return e
}

// wantOnly checks that routes with those ends are refused, and no others are.
func (x *trial) wantOnly(code swap.Code, concerned func(*swap.Route) bool) {
	x.t.Helper()
	for _, r := range x.cat.Routes() {
		want := swap.Code("")
		if concerned(r) {
			want = code
		}
		x.wantQuote(want, x.quoteOn(r, r.Limits.Max))
	}
}

func none(*swap.Route) bool { return false }

func units(n, decimals int64) *big.Int {
	return new(big.Int).Mul(big.NewInt(n), new(big.Int).Exp(big.NewInt(10), big.NewInt(decimals), nil))
}

package backend_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/sqlite"
	settled "hubquote/internal/settle/order"
	"hubquote/internal/settler"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/fake/endpoint"
)

// A deposit that was seen, and is gone before it is final, is not paid. One that
// is made after it is.
func TestWhatIsGoneIsNotPaid(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("all", func(t *testing.T) {
		n := devnettest.Net(t, "../../..", swap.Hub, 8453)
		issuer := devnettest.Attester(t, n, 0)
		orders := newOrders(t, n, 1+len(routesOf(n)))
		gone, kept := orders[0], orders[len(orders)-1] // of the same route
		dir := t.TempDir()
		during(func() {
			deposit(t, n, gone)
			await(t, dir, 1, settled.Seen, settled.Proved)
			source := n.Chains[gone.quote.Route.Src.Network]
			if err := source.Do(t.Context(), "anvil_reorg", 1, []any{}); err != nil {
				t.Fatal(err)
			}
			await(t, dir, 1, settled.Gone)
			deposit(t, n, kept)
			for _, c := range n.Chains {
				if err := c.Do(t.Context(), "anvil_mine", 2*depth); err != nil {
					t.Fatal(err)
				}
			}
			var there int
			during(func() { there = awaitAll(t, n, []*order{kept, gone}) }, func(ctx context.Context) { calm(ctx, t, n) })
			if there != 1 {
				t.Errorf("%d deposits are there, want 1", there)
			}
			devnettest.CheckPaidOnce(t, n, 1)
		}, func(ctx context.Context) { run(ctx, t, n, issuer, in(dir), behind(t, n)) })
	})
}

func deposit(t *testing.T, n *devnet.Net, o *order) {
	t.Helper()
	if err := o.deposit(t.Context(), n); err != nil {
		t.Fatal(err)
	}
}

// in keeps the journal in a directory that the test can look into.
func in(dir string) change {
	return func(o *settler.Options) { o.Journal = filepath.Join(dir, "journal.db") }
}

// behind puts three endpoints before every chain, which call a block final when
// it is deep enough.
func behind(t *testing.T, n *devnet.Net) change {
	rpc := map[swap.ChainID][]upstream.URL{}
	for id, c := range n.Chains {
		front := endpoint.New(t, c.URL, 3)
		front.Tag(depth, 2*depth)
		for _, e := range front.Endpoints {
			url, err := upstream.Parse(e.URL)
			if err != nil {
				t.Fatal(err)
			}
			rpc[id] = append(rpc[id], url)
		}
	}
	return func(o *settler.Options) { o.RPC = rpc }
}

// await waits until so many orders of the journal in a directory are in one of these
// states.
func await(t *testing.T, dir string, want int, states ...settled.State) {
	t.Helper()
	j, err := sqlite.Open(t.Context(), filepath.Join(dir, "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	devnettest.Eventually(t, fmt.Sprintf("%d orders are %v", want, states), func() bool {
		found := 0
		for _, s := range states {
			orders, err := j.OrdersBy(t.Context(), journal.Filter{State: s})
			if err != nil {
				t.Fatal(err)
			}
			found += len(orders)
		}
		return found >= want
	})
}

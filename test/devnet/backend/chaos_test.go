package backend_test

import (
	"context"
	"errors"
	"math/big"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/params"

	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/backend"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
	"hubquote/test/fake"
	"hubquote/test/fake/endpoint"
	"hubquote/test/fake/mempool"
)

// depth is how deep reorganisations go. Blocks that deep are safe, and twice as
// deep final; the attester waits as long.
const depth = 3

// A world wants the settler to fail. Each chain is behind a pool of transactions
// that loses some, and behind three endpoints of which one lies.
type world struct {
	*devnet.Net
	count  *counts
	pools  map[swap.ChainID]*mempool.Pool
	fronts map[swap.ChainID]*endpoint.Chain
	issuer *issuerFront
	where  backend.Child
	storms atomic.Bool
	watch  func(kind string, answered bool) // of every request and its answer
}

// newWorld puts the world before running chains.
func newWorld(t *testing.T, n *devnet.Net) *world {
	t.Helper()
	w := &world{Net: n, count: newCounts(), pools: map[swap.ChainID]*mempool.Pool{}, fronts: map[swap.ChainID]*endpoint.Chain{}}
	w.watch = func(string, bool) {}
	hook := func(kind string, answered bool) { w.watch(kind, answered) }
	w.where = backend.Child{Nodes: map[swap.ChainID][]string{}, Journal: filepath.Join(t.TempDir(), "journal.db"), Holder: "chaos"}
	for id, c := range n.Chains {
		pool, err := mempool.New(t.Context(), c.URL)
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(pool)
		t.Cleanup(func() {
			server.Close()
			pool.Close()
		})
		front := endpoint.New(t, server.URL, 3)
		front.Tag(depth, 2*depth)
		for _, e := range front.Endpoints {
			e.Hook(func(_ string, answered bool) { hook("node", answered) })
			w.where.Nodes[id] = append(w.where.Nodes[id], e.URL)
		}
		w.pools[id], w.fronts[id] = pool, front
	}
	w.issuer, w.where.Issuer = newIssuer(t, n, lifetime(), w.count)
	w.issuer.hook = hook
	w.where.Signer = devnettest.Serve(t, &oddSigner{count: w.count, hook: hook, calm: func() bool { return !w.storms.Load() }})
	return w
}

// lifetime is for how many blocks a signature is good. It is short enough that many
// expire, and long enough that a queue of all burns is delivered before: what the
// issuer signs is good for a day.
func lifetime() uint64 { return max(60, uint64(*wantOrders)*60/200) }

// storm makes blocks and all that can go wrong until ctx ends.
func (w *world) storm(ctx context.Context, t *testing.T) {
	w.storms.Store(true)
	defer w.storms.Store(false)
	var working sync.WaitGroup
	for _, id := range w.Networks() {
		working.Go(func() { w.blocks(ctx, t, id, true) })
		liar := w.fronts[id].Endpoints[dice.n(3)]
		working.Go(func() { lie(ctx, liar, w.count) })
	}
	working.Go(func() { w.issuer.change(ctx) })
	working.Wait()
}

// calm makes blocks and takes none away.
func (w *world) calm(ctx context.Context, t *testing.T) {
	var working sync.WaitGroup
	for _, id := range w.Networks() {
		working.Go(func() { w.blocks(ctx, t, id, false) })
	}
	working.Wait()
}

// blocks makes every block of a chain. In a storm some are taken away, the pool
// loses and delays transactions, and now and then gas costs ten times as much.
func (w *world) blocks(ctx context.Context, t *testing.T, id swap.ChainID, storm bool) {
	pool, usual := w.pools[id], big.NewInt(params.GWei)
	base := usual
	pool.Delay(0)
	for ctx.Err() == nil {
		_, err := pool.Mine(ctx, base)
		if storm {
			err = errors.Join(err, w.upset(ctx, pool))
			switch {
			case dice.n(100) == 0:
				base = new(big.Int).Mul(usual, big.NewInt(10))
				w.count.add("times that gas cost ten times as much")
			case dice.n(60) == 0:
				base = usual
			}
		}
		if err != nil && ctx.Err() == nil {
			t.Error(err)
		}
		fake.Sleep(ctx, time.Duration(20+dice.n(60))*time.Millisecond)
	}
}

func (w *world) upset(ctx context.Context, pool *mempool.Pool) error {
	switch dice.n(80) {
	case 0, 1:
		w.count.add("reorganisations")
		return pool.Reorganise(ctx, 1+dice.n(depth), dice.n(2) == 0)
	case 2:
		w.count.add("faults of the mempool: dropped")
		pool.Drop()
	case 3, 4:
		w.count.add("faults of the mempool: delayed, so that others overtake")
		pool.Delay(dice.n(8))
	case 5:
		pool.Delay(0)
	}
	return nil
}

// calm makes blocks of chains without a world and takes none away.
func calm(ctx context.Context, t *testing.T, n *devnet.Net) {
	var working sync.WaitGroup
	for _, c := range n.Chains {
		working.Go(func() { mineOn(ctx, t, c) })
	}
	working.Wait()
}

func mineOn(ctx context.Context, t *testing.T, c *evm.Chain) {
	for ctx.Err() == nil {
		if err := c.Do(ctx, "evm_mine"); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
		fake.Sleep(ctx, 50*time.Millisecond)
	}
}

// during runs things beside each other until do returns.
func during(do func(), beside ...func(context.Context)) {
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	for _, run := range beside {
		running.Go(func() { run(ctx) })
	}
	defer running.Wait()
	defer stop()
	do()
}

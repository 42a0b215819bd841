package backend_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hubquote/test/devnet"
	"hubquote/test/devnet/evm"
	"hubquote/test/fake"
)

// depth is how deep reorganisations go. Blocks that deep are safe, and twice as
// deep final; the attester waits as long.
const depth = 3

// weather makes blocks on every chain, and now and then takes some away, until
// ctx ends. It counts how often it did.
func weather(ctx context.Context, t *testing.T, n *devnet.Net, reorganised *atomic.Int64) {
	makeBlocks(ctx, t, n, func(c *evm.Chain) error {
		if rand.N(40) != 0 {
			return nil
		}
		reorganised.Add(1)
		return c.Do(ctx, "anvil_reorg", 1+rand.N(depth), []any{})
	})
}

// calm makes blocks and takes none away.
func calm(ctx context.Context, t *testing.T, n *devnet.Net) {
	makeBlocks(ctx, t, n, func(*evm.Chain) error { return nil })
}

// makeBlocksByHand stops the chains from making blocks by themselves: anvil
// loses state when it mines a transaction while it reorganises.
func makeBlocksByHand(t *testing.T, n *devnet.Net) {
	for _, c := range n.Chains {
		if err := c.Do(t.Context(), "evm_setAutomine", false); err != nil {
			t.Fatal(err)
		}
	}
}

// makeBlocks makes every block of every chain, and does something after each.
func makeBlocks(ctx context.Context, t *testing.T, n *devnet.Net, after func(*evm.Chain) error) {
	var working sync.WaitGroup
	for _, c := range n.Chains {
		working.Go(func() {
			for ctx.Err() == nil {
				if err := errors.Join(c.Do(ctx, "evm_mine"), after(c)); err != nil && ctx.Err() == nil {
					t.Error(err)
				}
				fake.Sleep(ctx, 20*time.Millisecond+rand.N(60*time.Millisecond))
			}
		})
	}
	working.Wait()
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

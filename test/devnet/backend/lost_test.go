package backend_test

import (
	"context"
	"sync/atomic"
	"testing"

	"go.uber.org/goleak"

	"hubquote/swap"
	"hubquote/test/devnet/devnettest"
)

// Orders of every kind are opened while settlers are killed at random requests
// and chains lose their newest blocks. When all is calm again, every deposit
// that is still there was paid, once, and none that is gone. The journal is held
// against its invariants after every life.
func TestNoneLostNonePaidTwice(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("all", func(t *testing.T) {
		const want, kills, reorganisations = 200, 30, 10
		n := devnettest.Net(t, "../../..", swap.Hub, 8453, 42161)
		issuer := devnettest.Attester(t, n, depth)
		orders := newOrders(t, n, want+want/4) // reorganisations take some away
		makeBlocksByHand(t, n)
		l := newLives(t, n, issuer)

		var reorganised atomic.Int64
		during(func() {
			sendAll(t, n, orders)
			devnettest.Eventually(t, "the storm is over", func() bool { return l.killed.Load() >= kills && reorganised.Load() >= reorganisations })
		},
			func(ctx context.Context) { weather(ctx, t, n, &reorganised) },
			func(ctx context.Context) { l.storm(ctx, t) })
		t.Logf("%d kills, %d reorganisations", l.killed.Load(), reorganised.Load())

		var kept int
		during(func() { kept = awaitAll(t, n, orders) },
			func(ctx context.Context) { calm(ctx, t, n) },
			func(ctx context.Context) { l.live(ctx, t, -1) })
		t.Logf("%d of %d deposits kept", kept, len(orders))
		if kept < want {
			t.Errorf("only %d deposits are still there, want %d", kept, want)
		}
		devnettest.CheckPaidOnce(t, n, kept)
	})
}

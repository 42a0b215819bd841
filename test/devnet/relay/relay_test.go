package relay_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"go.uber.org/goleak"

	"hubquote/swap"
	"hubquote/test/devnet/devnettest"
)

// Orders of every kind are opened while relayers die at random moments and
// chains lose their newest blocks. When all is calm again, every deposit that
// is still there was paid, once, and none that is gone.
func TestNoneLostNonePaidTwice(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("all", func(t *testing.T) {
		const want = 200
		n := devnettest.Net(t, "../../..", swap.Hub, 8453, 42161)
		issuer := devnettest.Attester(t, n, depth)
		orders := newOrders(t, n, want+want/2) // reorganisations take some away
		makeBlocksByHand(t, n)

		var killed, reorganised int
		during(func() { sendAll(t, n, orders) },
			func(ctx context.Context) { reorganised = weather(ctx, t, n) },
			func(ctx context.Context) { killed = lives(ctx, t, n, issuer, soon) })
		t.Logf("%d kills, %d reorganisations", killed, reorganised)
		if killed == 0 || reorganised == 0 {
			t.Error("there was no storm")
		}

		var kept int
		during(func() { kept = awaitAll(t, n, orders) },
			func(ctx context.Context) { calm(ctx, t, n) },
			func(ctx context.Context) { live(ctx, t, n, issuer, nil) })
		t.Logf("%d of %d deposits kept", kept, len(orders))
		if kept < want {
			t.Errorf("only %d deposits are still there, want %d", kept, want)
		}
		devnettest.CheckPaidOnce(t, n, kept)
	})
}

// soon is a life of up to some hundred requests: enough to read the chains, and
// perhaps to do something.
func soon() int64 { return rand.Int64N(200) }

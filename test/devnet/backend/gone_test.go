package backend_test

import (
	"context"
	"log/slog"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"go.uber.org/goleak"

	"hubquote/internal/contract"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
)

// A deposit that was seen, but is gone when it is to be paid, is not paid. The
// pool is paused in between, so that seeing and paying are two moments.
func TestWhatIsGoneIsNotPaid(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("all", func(t *testing.T) {
		n := devnettest.Net(t, "../../..", swap.Hub, 8453)
		issuer := devnettest.Attester(t, n, 0)
		orders := newOrders(t, n, 1+len(routesOf(n)))
		gone, kept := orders[0], orders[len(orders)-1] // of the same route
		tried := make(watcher, 1)
		during(func() {
			route := gone.quote.Route
			source, payer := n.Chains[route.Src.Network], n.Chains[route.FeeChain]
			pause(t, n, payer, route, devnet.Guardian, true)
			deposit(t, n, gone)
			<-tried
			if err := source.Do(t.Context(), "anvil_reorg", 1, []any{}); err != nil {
				t.Fatal(err)
			}
			pause(t, n, payer, route, devnet.Admin, false)
			deposit(t, n, kept)
			if there := awaitAll(t, n, []*order{kept, gone}); there != 1 {
				t.Errorf("%d deposits are there, want 1", there)
			}
			devnettest.CheckPaidOnce(t, n, 1)
		}, func(ctx context.Context) { run(ctx, t, n, issuer, logs(tried)) })
	})
}

func deposit(t *testing.T, n *devnet.Net, o *order) {
	t.Helper()
	if err := o.deposit(t.Context(), n); err != nil {
		t.Fatal(err)
	}
}

// pause stops or resumes payments of the pool that pays a route.
func pause(t *testing.T, n *devnet.Net, c *evm.Chain, route *swap.Route, account int, paused bool) {
	t.Helper()
	pool, _ := n.Plan.PayerOf(new(big.Int).SetUint64(uint64(route.Dst.ID)), common.Address(route.DstToken.Address))
	tx := evm.Tx{To: common.Address(pool.Address), Data: contract.Pool.Call("setPauses", false, paused)}
	if _, err := c.Send(t.Context(), devnet.Account(account), tx); err != nil {
		t.Fatal(err)
	}
}

// A watcher is a log that tells when something went wrong.
type watcher chan struct{}

func (w watcher) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (w watcher) Handle(context.Context, slog.Record) error {
	select {
	case w <- struct{}{}:
	default:
	}
	return nil
}

func (w watcher) WithAttrs([]slog.Attr) slog.Handler { return w }
func (w watcher) WithGroup(string) slog.Handler      { return w }

package backend_test

import (
	"context"
	"log/slog"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"go.uber.org/goleak"

	"hubquote/internal/contract"
	"hubquote/internal/settle/sign"
	"hubquote/internal/settler"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/backend"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
)

// The guardian revokes the relayer on every contract, and the standby pays and
// releases what is open, without the admin and its delay.
func TestStandbyTakesOver(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("all", func(t *testing.T) {
		n := devnettest.Net(t, "../../..", swap.Hub, 8453)
		issuer := devnettest.Attester(t, n, 0)
		revoke(t, n)
		orders := newOrders(t, n, len(routesOf(n)))
		tried := make(watcher, 1)
		during(func() {
			eachOf(orders, func(o *order) { deposit(t, n, o) })
			<-tried
		}, func(ctx context.Context) { run(ctx, t, n, issuer, logs(tried)) })
		devnettest.CheckPaidOnce(t, n, 0)
		during(func() { awaitAll(t, n, orders) }, func(ctx context.Context) { standby(ctx, t, n, issuer) })
		devnettest.CheckPaidOnce(t, n, len(orders))
	})
}

func revoke(t *testing.T, n *devnet.Net) {
	t.Helper()
	data := contract.Pool.Call("revokeRelayer", common.Address(devnet.Account(devnet.Relayer).Address))
	for _, d := range n.Plan.Contracts {
		c := n.Chains[d.Network]
		if c == nil || d.Code == contract.Registry {
			continue
		}
		if _, err := c.Send(t.Context(), devnet.Account(devnet.Guardian), evm.Tx{To: common.Address(d.Address), Data: data}); err != nil {
			t.Fatal(contract.Explain(err))
		}
	}
}

func standby(ctx context.Context, t *testing.T, n *devnet.Net, issuer string) {
	run(ctx, t, n, issuer, func(o *settler.Options) { o.Keys = []sign.Key{backend.Key(devnet.Account(devnet.Standby))} })
}

// A watcher is a log that tells when something was refused.
type watcher chan struct{}

func (w watcher) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelWarn }

func (w watcher) Handle(_ context.Context, r slog.Record) error {
	if r.Message != "refused" {
		return nil
	}
	select {
	case w <- struct{}{}:
	default:
	}
	return nil
}

func (w watcher) WithAttrs([]slog.Attr) slog.Handler { return w }
func (w watcher) WithGroup(string) slog.Handler      { return w }

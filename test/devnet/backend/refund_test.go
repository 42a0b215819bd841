package backend_test

import (
	"context"
	"math/big"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"go.uber.org/goleak"

	"hubquote/internal/contract"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/sqlite"
	settled "hubquote/internal/settle/order"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
)

// Orders whose pool is paused wait, and go back to their owners when an operator
// asks for it: cancelled at the destination, refunded at the source, and what
// was burned is burned back and minted where it came from. Money moves once.
func TestWhatCannotBePaidGoesBack(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("all", func(t *testing.T) {
		n := devnettest.Net(t, "../../..", swap.Hub, 8453, 42161)
		issuer := devnettest.Attester(t, n, 0)
		var orders []*order
		for _, o := range newOrders(t, n, len(routesOf(n))) {
			if r := o.quote.Route; r.Dst.Network == swap.Hub && !r.SrcToken.IsNative() {
				orders = append(orders, o)
			}
		}
		dir := t.TempDir()
		during(func() {
			for _, o := range orders {
				pause(t, n, o.quote.Route, true)
			}
			eachOf(orders, func(o *order) { deposit(t, n, o) })
			await(t, dir, settled.Waiting, len(orders))
			wishAll(t, dir, settled.WishRefund)
			await(t, dir, settled.Closed, len(orders))
			for _, o := range orders {
				pause(t, n, o.quote.Route, false)
				o.isBack(t, n)
			}
			devnettest.CheckPaidOnce(t, n, 0)
			if sum := held(t, n, n.Plan); sum.Sign() != 0 {
				t.Errorf("%s is still held, want nothing", sum)
			}
		}, func(ctx context.Context) { run(ctx, t, n, issuer, in(dir)) })
	})
}

// pause stops or resumes payments of the pool that pays a route.
func pause(t *testing.T, n *devnet.Net, route *swap.Route, paused bool) {
	t.Helper()
	account := map[bool]int{true: devnet.Guardian, false: devnet.Admin}[paused]
	pool, _ := n.Plan.PayerOf(new(big.Int).SetUint64(uint64(route.Dst.ID)), common.Address(route.DstToken.Address))
	tx := evm.Tx{To: common.Address(pool.Address), Data: contract.Pool.Call("setPauses", false, paused)}
	if _, err := n.Chains[route.FeeChain].Send(t.Context(), devnet.Account(account), tx); err != nil {
		t.Fatal(err)
	}
}

// wishAll has an operator wish the same for every order.
func wishAll(t *testing.T, dir string, verb settled.Verb) {
	t.Helper()
	j, err := sqlite.Open(t.Context(), filepath.Join(dir, "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	all, err := j.OrdersBy(t.Context(), journal.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range all {
		if err := j.AddWish(t.Context(), journal.Wish{ID: o.ID, Subject: o.ID, Verb: verb, By: "test", At: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
}

// isBack waits until the sender has the deposit again: all of it, or for a burn
// what the issuer's fees leave. The recipient has nothing.
func (o *order) isBack(t *testing.T, n *devnet.Net) {
	t.Helper()
	r, least := o.quote.Route, o.quote.Amount.ToBig()
	if r.Burn != nil {
		least.Mul(least, big.NewInt(99)).Div(least, big.NewInt(100))
	}
	devnettest.Eventually(t, "a deposit is back", func() bool {
		got, err := n.Balance(t.Context(), r.SrcToken, o.sender.Address)
		if err != nil {
			t.Fatal(err)
		}
		return got.Cmp(least) >= 0 && got.Cmp(o.quote.Amount.ToBig()) <= 0
	})
	if got, err := n.Balance(t.Context(), r.DstToken, o.recipient); err != nil || got.Sign() != 0 {
		t.Errorf("the recipient has %s, %v, want nothing", got, err)
	}
}

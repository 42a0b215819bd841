package backend_test

import (
	"context"
	"math/big"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
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
			await(t, dir, len(orders), settled.Waiting)
			wishAll(t, dir, settled.WishRefund)
			await(t, dir, len(orders), settled.Closed)
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

// The owner takes the deposit back in two steps while an operator has the order
// cancelled and refunded. Whichever comes first, the money moves once.
func TestReclaimRacesARefund(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("all", func(t *testing.T) {
		n := devnettest.Net(t, "../../..", swap.Hub, 8453)
		issuer := devnettest.Attester(t, n, 0)
		var orders []*order
		for _, o := range newOrders(t, n, 2*len(routesOf(n))) {
			if r := o.quote.Route; r.Dst.Network == swap.Hub && !r.SrcToken.IsNative() && r.Burn == nil {
				orders = append(orders, o)
			}
		}
		if len(orders) == 0 {
			t.Fatal("there is no route to race on")
		}
		dir := t.TempDir()
		during(func() {
			for _, o := range orders {
				pause(t, n, o.quote.Route, true)
			}
			eachOf(orders, func(o *order) { deposit(t, n, o) })
			await(t, dir, len(orders), settled.Waiting)
			const late = 13 * 24 * time.Hour // the life of an order, and five days
			later(t, n.Chains[8453], late)
			var racing sync.WaitGroup
			racing.Go(func() {
				for range 2 { // announced, and taken two days later
					reclaimAll(t, n.Chains[8453])
					later(t, n.Chains[8453], 3*24*time.Hour)
				}
			})
			wishAll(t, dir, settled.WishRefund)
			racing.Wait()
			for _, o := range orders {
				o.isBack(t, n)
			}
			devnettest.CheckPaidOnce(t, n, 0)
			back := events(t, n, contract.Pool, "OrderRefunded", "OrderReclaimed")
			for id, times := range back {
				if times != 1 {
					t.Errorf("order %s came back %d times, want once", id, times)
				}
			}
			if len(back) != len(orders) {
				t.Errorf("%d orders came back, want %d", len(back), len(orders))
			}
			t.Logf("%d of %d were reclaimed", len(events(t, n, contract.Pool, "OrderReclaimed")), len(orders))
		}, func(ctx context.Context) { run(ctx, t, n, issuer, in(dir)) })
	})
}

// later moves the clock of a chain.
func later(t *testing.T, c *evm.Chain, d time.Duration) {
	t.Helper()
	for _, err := range []error{c.Do(t.Context(), "evm_increaseTime", int(d.Seconds())), c.Do(t.Context(), "evm_mine")} {
		if err != nil {
			t.Error(err)
		}
	}
}

// reclaimAll has a stranger reclaim every order of a chain. One that came back
// already is refused.
func reclaimAll(t *testing.T, c *evm.Chain) {
	logs, err := c.Logs(t.Context(), ethereum.FilterQuery{FromBlock: new(big.Int), Topics: [][]common.Hash{{contract.Pool.ABI().Events["OrderOpened"].ID}}})
	if err != nil {
		t.Error(err)
	}
	for i := range logs {
		opened, err := contract.ReadOpened(&logs[i])
		if err != nil {
			t.Error(err)
			continue
		}
		_, _ = c.Send(t.Context(), devnet.Account(devnet.Bob), evm.Tx{To: logs[i].Address, Data: contract.Pool.Call("reclaim", opened.Order)})
	}
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

package backend_test

import (
	"context"
	"fmt"
	"math/big"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/catalog"
	"hubquote/internal/contract"
	"hubquote/internal/deployment"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
)

// An order is a deposit to be made by a sender who has nothing else, for a
// recipient who has nothing at all.
type order struct {
	quote     *swap.Quote
	sender    evm.Account
	recipient swap.Address
	tx        atomic.Pointer[common.Hash] // of the deposit, once it was in a block
}

// newOrders quotes orders on every route in turn, and gives their senders what they need.
func newOrders(t *testing.T, n *devnet.Net, count int) []*order {
	return ordersOf(t, n, n.Catalog, count)
}

// ordersOf is newOrders with the addresses of another generation's catalog.
func ordersOf(t *testing.T, n *devnet.Net, cat *catalog.Catalog, count int) (list []*order) {
	t.Helper()
	q, err := quoter.New(quoter.Options{Catalog: cat, IssuerFees: issuer.Published{}})
	if err != nil {
		t.Fatal(err)
	}
	routes := routesOf(n)
	for i := range count {
		r := routes[i%len(routes)]
		o := &order{sender: devnettest.NewAccount(t), recipient: devnettest.NewAccount(t).Address}
		o.quote, err = q.Quote(t.Context(), swap.Request{
			SrcChain: r.Src.ID, SrcToken: swap.TokenName{Address: r.SrcToken.Address},
			DstChain: r.Dst.ID, DstToken: swap.TokenName{Address: r.DstToken.Address},
			Amount: r.Limits.Min, Recipient: swap.MustRecipient(o.recipient.String()),
		})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, o)
	}
	eachOf(list, func(o *order) { o.equip(t, n) })
	for _, c := range n.Chains {
		if err := c.Do(t.Context(), "anvil_mine", depth); err != nil { // so that nothing takes that away
			t.Fatal(err)
		}
	}
	return list
}

// routesOf returns the routes between chains that are running.
func routesOf(n *devnet.Net) (list []*swap.Route) {
	for _, r := range n.Catalog.Routes() {
		if n.Chains[r.Src.Network] != nil && n.Chains[r.Dst.Network] != nil {
			list = append(list, r)
		}
	}
	return list
}

func eachOf(list []*order, do func(*order)) {
	var working sync.WaitGroup
	tickets := make(chan struct{}, 8)
	for _, o := range list {
		tickets <- struct{}{}
		working.Go(func() {
			do(o)
			<-tickets
		})
	}
	working.Wait()
}

// equip gives the sender its deposit and gas, and makes the approval.
func (o *order) equip(t *testing.T, n *devnet.Net) {
	route := o.quote.Route
	c, token := n.Chains[route.Src.Network], common.Address(route.SrcToken.Address)
	sender := common.Address(o.sender.Address)
	if err := c.Do(t.Context(), "anvil_setBalance", sender, "0xde0b6b3a7640000"); err != nil {
		t.Error(err)
	}
	if !route.SrcToken.IsNative() {
		mint := evm.Tx{To: token, Data: contract.Token.Call("mint", sender, o.quote.Amount.ToBig())}
		if _, err := c.Send(t.Context(), devnet.Account(devnet.Treasury), mint); err != nil {
			t.Error(err)
		}
	}
	if a := o.quote.Payload.Approval; a != nil {
		if _, err := c.Send(t.Context(), o.sender, evm.Tx{To: token, Data: a.Calldata}); err != nil {
			t.Error(err)
		}
	}
}

// sendAll sends every order at a moment of its own. Some will fail in this
// weather; what counts is what is on the chains in the end.
func sendAll(t *testing.T, n *devnet.Net, orders []*order) {
	eachOf(orders, func(o *order) {
		time.Sleep(time.Duration(dice.n(400)) * time.Millisecond)
		_ = o.deposit(t.Context(), n)
	})
}

func (o *order) deposit(ctx context.Context, n *devnet.Net) error {
	p := o.quote.Payload
	r, err := n.Chains[o.quote.Route.Src.Network].Send(ctx, o.sender,
		evm.Tx{To: common.Address(p.To), Data: p.Calldata, Value: p.Value.ToBig()})
	if r != nil {
		o.tx.Store(&r.TxHash)
	}
	return err
}

// kept reports whether the deposit is on the chain: the sender then has less
// than the amount.
func (o *order) kept(t *testing.T, n *devnet.Net) bool {
	r := o.quote.Route
	left, err := n.Balance(t.Context(), r.SrcToken, o.sender.Address)
	if err != nil {
		t.Fatal(err)
	}
	if r.SrcToken.IsNative() {
		sent := big.NewInt(1_000_000_000_000_000_000)
		return sent.Sub(sent, left).Cmp(o.quote.Amount.ToBig()) >= 0
	}
	return left.Cmp(o.quote.Amount.ToBig()) < 0
}

// awaitAll waits until those whose deposit is there have what they were quoted
// and the deposit is released, in this generation and the others, and returns
// how many they are. The recipients of the rest may have nothing.
func awaitAll(t *testing.T, n *devnet.Net, orders []*order, others ...*deployment.Plan) (kept int) {
	t.Helper()
	for _, o := range orders {
		want := new(big.Int)
		if o.kept(t, n) {
			want = o.quote.Received.ToBig()
			kept++
		}
		var got *big.Int
		devnettest.Eventually(t, "an order is paid", func() (done bool) {
			var err error
			if got, err = n.Balance(t.Context(), o.quote.Route.DstToken, o.recipient); err != nil {
				t.Fatal(err)
			}
			return got.Cmp(want) >= 0
		})
		if got.Cmp(want) != 0 {
			t.Errorf("%s arrived, want %s", got, want)
		}
	}
	devnettest.Eventually(t, "all deposits are released", func() bool {
		sum := held(t, n, n.Plan)
		for _, p := range others {
			sum.Add(sum, held(t, n, p))
		}
		return sum.Sign() == 0
	})
	return kept
}

// held is the sum of all deposits of a generation that are not released.
func held(t *testing.T, n *devnet.Net, p *deployment.Plan) *big.Int {
	sum := new(big.Int)
	for _, deployed := range p.Contracts {
		c := n.Chains[deployed.Network]
		if c == nil || deployed.Code == contract.Registry {
			continue
		}
		out, err := c.Call(t.Context(), common.Address(deployed.Address), contract.Pool.Call("totals"))
		if err != nil {
			t.Fatal(err)
		}
		var totals contract.Totals
		if err := contract.Pool.Results(&totals, "totals", out); err != nil {
			t.Fatal(err)
		}
		sum.Add(sum, totals.Held)
	}
	return sum
}

// An outcome is what became of an order's money.
type outcome string

// The outcomes. An order that is neither is under way.
const (
	arrived outcome = "paid"
	stayed  outcome = "refunded, or never deposited"
)

// outcome compares the money of the sender and of the recipient. A burn comes back
// less the issuer's fees.
func (o *order) outcome(ctx context.Context, n *devnet.Net) (outcome, error) {
	r := o.quote.Route
	got, err := n.Balance(ctx, r.DstToken, o.recipient)
	if err != nil {
		return "", err
	}
	left, err := n.Balance(ctx, r.SrcToken, o.sender.Address)
	if err != nil {
		return "", err
	}
	amount := o.quote.Amount.ToBig()
	least := new(big.Int).Set(amount)
	switch {
	case r.SrcToken.IsNative():
		least.Sub(big.NewInt(1_000_000_000_000_000_000), amount)
		least.Add(least, big.NewInt(1))
	case r.Burn != nil:
		least.Mul(least, big.NewInt(99)).Div(least, big.NewInt(100))
	}
	back, want := left.Cmp(least) >= 0, o.quote.Received.ToBig()
	switch {
	case got.Cmp(want) == 0 && !back:
		return arrived, nil
	case got.Sign() == 0 && back:
		return stayed, nil
	case got.Sign() != 0 && back, got.Cmp(want) > 0:
		return "", fmt.Errorf("%s: %s arrived of %s, and %s is with the sender of %s", r.SrcToken.Symbol, got, want, left, amount)
	}
	return "", nil
}

// awaitSettled waits until every order is paid or was given back and nothing is
// held, and returns how many were paid.
func awaitSettled(t *testing.T, n *devnet.Net, orders []*order, explain func(*order) string) (paid int) {
	t.Helper()
	for i, o := range orders {
		var was outcome
		what := func() string { return fmt.Sprintf("order %d is paid or refunded: %s", i, explain(o)) }
		until(t, what, func() bool {
			var err error
			if was, err = o.outcome(t.Context(), n); err != nil {
				t.Fatal(err)
			}
			return was != ""
		})
		if was == arrived {
			paid++
		}
	}
	until(t, func() string { return "no deposit is held" }, func() bool { return held(t, n, n.Plan).Sign() == 0 })
	return paid
}

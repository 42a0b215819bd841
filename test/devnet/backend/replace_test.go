package backend_test

import (
	"context"
	"io/fs"
	"math/big"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hubquote/internal/catalog"
	"hubquote/internal/contract"
	"hubquote/internal/deployment"
	"hubquote/internal/deployment/caps"
	"hubquote/internal/deployment/generation"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/settler"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
)

// A replacement is a second generation beside the first, on chains with pools, a
// gateway pool, a receiver, and a network that only burns.
type replacement struct {
	*devnet.Net
	next    *deployment.Plan
	catalog *catalog.Catalog  // with the addresses of the new generation
	calls   []deployment.Call // for the old contracts
	sent    []*order
}

// Every step of docs/deploying.md, "Replace a deployment", while orders of both
// generations are under way: each is paid once, by the pool that it names, and
// burns to the old receiver land for ever.
func TestReplacement(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("all", func(t *testing.T) {
		r := newReplacement(t, devnettest.Net(t, "../../..", swap.Hub, 8453, 42161))
		issuer := devnettest.Attester(t, r.Net, 0)
		during(func() {
			r.open(t)
			r.payBoth(t)
			r.drain(t, swap.Hub, "USDC@369")
			r.close(t)
			r.retire(t)
			devnettest.CheckPaidOnce(t, r.Net, len(r.sent))
			checkLogsTellAll(t, r.Net, r.Plan)
			checkLogsTellAll(t, r.Net, r.next)
			if len(r.sent) < 500 {
				t.Errorf("%d orders, want 500", len(r.sent))
			}
		}, func(ctx context.Context) {
			run(ctx, t, r.Net, issuer, func(o *settler.Options) { o.Generations = append(o.Generations, r.catalog) })
		})
	})
}

func newReplacement(t *testing.T, n *devnet.Net) *replacement {
	t.Helper()
	next, err := deployment.New(deployment.Options{Catalog: n.Catalog, Settings: n.Plan.Settings, Generation: 2, Before: n.Catalog})
	if err != nil {
		t.Fatal(err)
	}
	calls, err := generation.Calls(next, n.Catalog, caps.Reference(n.Plan.Lanes))
	if err != nil {
		t.Fatal(err)
	}
	return &replacement{Net: n, next: next, catalog: catalogOf(t, next), calls: calls}
}

// catalogOf is the embedded catalog with the addresses of a plan.
func catalogOf(t *testing.T, p *deployment.Plan) *catalog.Catalog {
	t.Helper()
	files := fstest.MapFS{}
	dir := os.DirFS("../../../internal/catalog/data")
	for _, name := range []string{"chains.toml", "deployment.toml", "pairs.toml", "policy.toml"} {
		text, err := fs.ReadFile(dir, name)
		if err == nil && name == "deployment.toml" {
			text, err = p.Book.Rewrite(text)
		}
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	cat, err := catalog.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// open makes the new generation: deploy, write, compare, fund, open.
func (r *replacement) open(t *testing.T) {
	t.Helper()
	if err := r.Deploy(t.Context(), r.next); err != nil {
		t.Fatal(err)
	}
	r.tell(t, r.next.Calls, deployment.Write)
	r.compare(t, contract.Draft)
	r.refused(t, r.catalog, "a draft takes orders")
	r.fund(t)
	r.tell(t, r.next.Calls, deployment.Open)
	r.compare(t, contract.Open)
}

func (r *replacement) fund(t *testing.T) {
	t.Helper()
	for _, pool := range r.catalog.Routers() {
		if r.Chains[pool.Place.Network] == nil || pool.Kind != swap.Direct || pool.Place.Private() {
			continue
		}
		if err := r.Mint(t.Context(), pool.Token, pool.Address, plenty(pool.Token)); err != nil {
			t.Fatal(err)
		}
	}
}

// plenty is more of a token than the orders of this test need.
func plenty(t *swap.Token) *big.Int {
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Decimals)), nil)
	return unit.Mul(unit, big.NewInt(10_000))
}

func (r *replacement) tell(t *testing.T, calls []deployment.Call, step deployment.Step) {
	t.Helper()
	var some []deployment.Call
	for _, c := range calls {
		if c.Step == step {
			some = append(some, c)
		}
	}
	if len(some) == 0 {
		t.Fatalf("there are no calls of step %s", step)
	}
	if err := r.Tell(t.Context(), some); err != nil {
		t.Fatalf("step %s: %v", step, err)
	}
}

// compare reads what every new source promises, and compares it with the plan.
func (r *replacement) compare(t *testing.T, state contract.Link) {
	t.Helper()
	for _, l := range r.next.Lanes {
		for _, route := range l.Routes {
			network := route.Src.Network
			if l.From == lane.Receiver {
				network = r.next.Issuer.Gateway
			}
			if r.Chains[network] == nil {
				continue
			}
			place := new(big.Int).SetUint64(uint64(route.Dst.ID))
			data := contract.Pool.Call("destinations", place, common.Address(route.DstToken.Address))
			out, err := r.Chains[network].Call(t.Context(), r.next.Address(l.From), data)
			if err != nil {
				t.Fatal(err)
			}
			var got contract.Destination
			if err := contract.Pool.Results(&got, "destinations", out); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(r.next.Terms(route, r.next.Address(l.To), state), got); diff != "" {
				t.Errorf("%s for %s (-plan +chain):\n%s", l.From, lane.PoolName(route.Dst, route.DstToken), diff)
			}
		}
	}
}

// payBoth sends orders of both generations while the old receiver moves to the
// new pool.
func (r *replacement) payBoth(t *testing.T) {
	t.Helper()
	old, next := ordersOf(t, r.Net, r.Catalog, 260), ordersOf(t, r.Net, r.catalog, 200)
	r.send(t, append(old[:130:130], next[:100]...))
	r.tell(t, r.calls, generation.Move)
	r.send(t, append(old[130:], next[100:]...))
	r.await(t, r.sent)
}

func (r *replacement) send(t *testing.T, orders []*order) {
	t.Helper()
	eachOf(orders, func(o *order) {
		if err := o.deposit(t.Context(), r.Net); err != nil {
			t.Errorf("%s to %s: %v", o.quote.Route.SrcToken.Symbol, o.quote.Route.Dst.ID, contract.Explain(err))
		}
	})
	r.sent = append(r.sent, orders...)
}

func (r *replacement) await(t *testing.T, orders []*order) {
	t.Helper()
	if kept := awaitAll(t, r.Net, orders, r.next); kept != len(orders) {
		t.Fatalf("%d deposits kept, want %d", kept, len(orders))
	}
}

// close stops deposits at the old pools. The old receiver opens orders as before,
// and the new pool pays them.
func (r *replacement) close(t *testing.T) {
	t.Helper()
	r.tell(t, r.calls, generation.Close)
	r.refused(t, r.Catalog, "a closed pool takes orders")
	r.burnToTheOldReceiver(t, 20)
}

// refused checks that no pool of a catalog takes an order.
func (r *replacement) refused(t *testing.T, cat *catalog.Catalog, otherwise string) {
	t.Helper()
	for _, o := range ordersOf(t, r.Net, cat, len(routesOf(r.Net))) {
		if o.quote.Route.Burn != nil {
			continue
		}
		if err := contract.Explain(o.deposit(t.Context(), r.Net)); err == nil || !strings.Contains(err.Error(), "OrderRefused") {
			t.Errorf("deposit of %s to %s = %v, want OrderRefused: %s", o.quote.Route.SrcToken.Symbol, o.quote.Route.Dst.ID, err, otherwise)
		}
	}
}

// burnToTheOldReceiver sends burns that name it, and finds them paid.
func (r *replacement) burnToTheOldReceiver(t *testing.T, count int) {
	t.Helper()
	var burns []*order
	for _, o := range ordersOf(t, r.Net, r.Catalog, count*len(routesOf(r.Net))) {
		if o.quote.Route.Burn != nil {
			burns = append(burns, o)
		}
	}
	r.send(t, burns)
	r.await(t, burns)
}

// retire stops the payments of the old pools. No order names them.
func (r *replacement) retire(t *testing.T) {
	t.Helper()
	if left := held(t, r.Net, r.Plan); left.Sign() != 0 {
		t.Fatalf("the old contracts hold %s for open orders, want 0", left)
	}
	r.tell(t, r.calls, generation.Retire)
	r.burnToTheOldReceiver(t, 20)
}

// drain has the treasurer move a pool's liquidity to an account that the admin
// listed, half of its cap at once.
func (r *replacement) drain(t *testing.T, network swap.ChainID, name string) {
	t.Helper()
	c, pool, to := r.Chains[network], r.Plan.Address(name), devnet.Account(devnet.Treasury).Address
	amount := new(big.Int).Rsh(r.Plan.Settings.Caps[name].Treasury, 1)
	for _, call := range []struct {
		account int
		data    []byte
	}{
		{devnet.Admin, contract.Pool.Call("setTreasury", common.Address(to), true)},
		{devnet.Treasurer, contract.Pool.Call("withdraw", common.Address(to), amount)},
	} {
		if _, err := c.Send(t.Context(), devnet.Account(call.account), evm.Tx{To: pool, Data: call.data}); err != nil {
			t.Fatal(contract.Explain(err))
		}
	}
}

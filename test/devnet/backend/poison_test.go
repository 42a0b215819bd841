package backend_test

import (
	"context"
	"math/big"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"go.uber.org/goleak"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/settle/journal/sqlite"
	settled "hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
	"hubquote/internal/settle/policy/rules"
	"hubquote/internal/settler"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
)

// A trial is one running net whose orders are made to fail, one rule after the
// other.
type trial struct {
	*devnet.Net
	issuer, dir string
	next        map[*swap.Route][]*order // that are quoted and not deposited
}

// What strangers, owners and operators can do to orders: each costs a bounded
// amount of gas, holds up no other order, and moves money once.
func TestHostileOrders(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("all", func(t *testing.T) {
		n := devnettest.Net(t, "../../..", swap.Hub, 8453, 42161)
		r := &trial{Net: n, issuer: devnettest.Attester(t, n, 0), dir: t.TempDir(), next: map[*swap.Route][]*order{}}
		for _, o := range newOrders(t, n, 5*len(routesOf(n))) {
			r.next[o.quote.Route] = append(r.next[o.quote.Route], o)
		}
		for _, tt := range []struct {
			name string
			test func(*testing.T, *trial)
		}{
			{"poison costs little and delays no other order", poison},
			{"after the deadline deposits go back without a cancel", expire},
			{"an announced reclaim and a payment move money once", raceReclaim},
		} {
			t.Run(tt.name, func(t *testing.T) { tt.test(t, r) })
		}
	})
}

// take returns the next order from one network to another.
func (r *trial) take(t *testing.T, from, to swap.ChainID, symbol string) *order {
	t.Helper()
	for route, list := range r.next {
		if route.Src.Network == from && route.Dst.Network == to && route.SrcToken.Symbol == symbol && len(list) > 0 {
			r.next[route] = list[1:]
			return list[0]
		}
	}
	t.Fatalf("there is no further order of %s from %d to %d", symbol, from, to)
	return nil
}

func (r *trial) run(ctx context.Context, t *testing.T, changes ...change) {
	run(ctx, t, r.Net, r.issuer, append(changes, in(r.dir))...)
}

// sent is what the settler has paid for since a block of each chain.
func (r *trial) sent(t *testing.T, since map[swap.ChainID]uint64) (count int, gas uint64) {
	t.Helper()
	for id, c := range r.Chains {
		client, err := rpc.DialContext(t.Context(), c.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		for number := since[id] + 1; number <= r.heads(t)[id]; number++ {
			var receipts []struct {
				From    common.Address
				GasUsed hexutil.Uint64
			}
			if err := client.CallContext(t.Context(), &receipts, "eth_getBlockReceipts", hexutil.Uint64(number)); err != nil {
				t.Fatal(err)
			}
			for _, one := range receipts {
				if one.From == common.Address(devnet.Account(devnet.Relayer).Address) {
					count, gas = count+1, gas+uint64(one.GasUsed)
				}
			}
		}
	}
	return count, gas
}

func (r *trial) heads(t *testing.T) map[swap.ChainID]uint64 {
	t.Helper()
	heads := map[swap.ChainID]uint64{}
	for id, c := range r.Chains {
		head, err := c.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		heads[id] = head
	}
	return heads
}

// The codes of recipients that take no coins: one reverts, one uses up all the gas
// that it is given.
const (
	reverting = "0x60006000fd"
	wasteful  = "0xfe"
)

// mostGas bounds what an order costs the settler until it is paid or tried for the
// first time, and what a poison order costs from then on until it is credited or
// refunded; mostSent is how many transactions each may take.
const (
	mostGas  = 300_000
	mostSent = 3
)

// poison has recipients that refuse coins, an order whose route is closed after
// its deposit, burns of dust, a burn that no pool can pay, and a stranger's
// messages. The other orders are paid before any of these is tried again.
func poison(t *testing.T, r *trial) {
	good := []*order{
		r.take(t, 8453, swap.Hub, "USDC"), r.take(t, 8453, swap.Hub, "ETH"), r.take(t, swap.Hub, 8453, "WETH"), r.take(t, 42161, swap.Hub, "USDC"),
	}
	refusing := []*order{r.take(t, swap.Hub, 8453, "WETH"), r.take(t, swap.Hub, 8453, "WETH")}
	removed := r.take(t, swap.Hub, 42161, "USDC")
	lost := r.take(t, 42161, swap.Hub, "USDC")
	bad := append(refusing[:2:2], removed, lost)
	for i, code := range []string{reverting, wasteful} {
		if err := r.Chains[8453].Do(t.Context(), "anvil_setCode", refusing[i].recipient, code); err != nil {
			t.Fatal(err)
		}
	}
	eachOf(append(bad[:3:3], good...), func(o *order) { deposit(t, r.Net, o) })
	r.shut(t, removed.quote.Route)
	for range 2 {
		sendMessage(t, r.Net, common.Address{}, r.Plan.Address(lane.GatewayPool(r.Plan.Issuer)))
		sendMessage(t, r.Net, r.Plan.Address(lane.Receiver), common.Address{1})
		r.dust(t)
	}
	lost.quote.Payload.Calldata[4+9*32+31] ^= 0xff // the place in the hook
	deposit(t, r.Net, lost)

	start := r.heads(t)
	during(func() {
		awaitGood(t, r, good)
		for id, times := range events(t, r.Net, contract.Pool, "OrderSkipped") {
			if times > 1 {
				t.Errorf("order %s was tried %d times before all others were paid, want once", id, times)
			}
		}
	}, func(ctx context.Context) { r.run(ctx, t) })
	r.cost(t, "the good orders and the first try of the others", start, len(good)+len(bad))

	start = r.heads(t)
	during(func() {
		await(t, r.dir, len(refusing), settled.Claimable)
		removed.isBack(t, r.Net)
		lost.isBack(t, r.Net)
		await(t, r.dir, len(good)+len(bad)-len(refusing), settled.Closed)
	}, func(ctx context.Context) { r.run(ctx, t, impatient) })
	r.cost(t, "the poison orders from then on", start, len(bad))
	r.leftAlone(t, 2)
	devnettest.CheckPaidOnce(t, r.Net, len(good)+len(refusing))
}

// cost fails the test if the settler spent more on so many orders than it may.
func (r *trial) cost(t *testing.T, what string, since map[swap.ChainID]uint64, orders int) {
	t.Helper()
	count, gas := r.sent(t, since)
	t.Logf("%s: %d transactions, %d gas", what, count, gas)
	if gas > uint64(orders)*mostGas || count > orders*mostSent {
		t.Errorf("%s cost %d gas in %d transactions, want at most %d in %d", what, gas, count, orders*mostGas, orders*mostSent)
	}
}

// leftAlone checks that so many burns of dust are known, and were neither asked
// about nor delivered. A stranger's messages are not known at all.
func (r *trial) leftAlone(t *testing.T, dust int) {
	t.Helper()
	j, err := sqlite.Open(t.Context(), filepath.Join(r.dir, "journal.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	img, err := j.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	small := 0
	for _, b := range img.Burns {
		if b.Status != string(burn.Ignored) {
			continue
		}
		if small++; b.Asks != 0 || b.Attestation != nil {
			t.Errorf("the issuer was asked %d times about a burn of dust, want never", b.Asks)
		}
	}
	if small != dust {
		t.Errorf("%d burns are left alone, want the %d of dust", small, dust)
	}
}

// awaitGood waits until these are paid.
func awaitGood(t *testing.T, r *trial, orders []*order) {
	t.Helper()
	for _, o := range orders {
		devnettest.Eventually(t, "an order beside poison is paid", func() bool {
			was, err := o.outcome(t.Context(), r.Net)
			if err != nil {
				t.Fatal(err)
			}
			return was == arrived
		})
	}
}

// impatient neither waits a minute before the next try nor two hours for a route
// to open.
func impatient(o *settler.Options) {
	quick := rules.Standard()
	quick.RetryAfter = time.Millisecond
	quick.WaitFor[settled.Shut] = time.Millisecond
	o.Rules = &quick
}

// shut has the guardian close the source of a route at the pool that pays it.
func (r *trial) shut(t *testing.T, route *swap.Route) {
	t.Helper()
	for _, l := range r.Plan.Lanes {
		for _, one := range l.Routes {
			if one != route {
				continue
			}
			data := contract.Pool.Call("setSource", new(big.Int).SetUint64(uint64(l.At.ID)), r.Plan.Address(l.From),
				contract.Closed, big.NewInt(int64(l.Rate)), r.Plan.Settings.Caps[l.To].Sources[l.From])
			if _, err := r.Chains[l.Network].Send(t.Context(), devnet.Account(devnet.Guardian), evm.Tx{To: r.Plan.Address(l.To), Data: data}); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatal("the route is in no lane")
}

// dust burns a thousandth of a coin for the receiver.
func (r *trial) dust(t *testing.T) {
	t.Helper()
	o := r.take(t, 42161, swap.Hub, "USDC")
	data := o.quote.Payload.Calldata
	big.NewInt(1000).FillBytes(data[4 : 4+32])
	big.NewInt(0).FillBytes(data[4+5*32 : 4+6*32]) // the most that the issuer may keep
	deposit(t, r.Net, o)
}

// expire stops the settler while orders wait for paused pools, and starts it when
// all chains are past the deadline. The pools would pay again, but may not.
func expire(t *testing.T, r *trial) {
	orders := []*order{
		r.take(t, 8453, swap.Hub, "USDC"), r.take(t, swap.Hub, 8453, "WETH"), r.take(t, 42161, swap.Hub, "USDC"),
	}
	cancelled := len(events(t, r.Net, contract.Pool, "OrderCancelled"))
	during(func() { r.hold(t, orders) }, func(ctx context.Context) { r.run(ctx, t) })
	for _, c := range r.Chains {
		later(t, c, r.Plan.Settings.Lifetime+2*time.Hour)
	}
	for _, o := range orders {
		pause(t, r.Net, o.quote.Route, false)
	}
	during(func() {
		for _, o := range orders {
			o.isBack(t, r.Net)
		}
	}, func(ctx context.Context) { r.run(ctx, t) })
	if got := len(events(t, r.Net, contract.Pool, "OrderCancelled")); got != cancelled {
		t.Errorf("%d orders were cancelled after the deadline, want none", got-cancelled)
	}
	r.once(t)
}

// hold deposits orders for paused pools, and waits until the journal has them.
func (r *trial) hold(t *testing.T, orders []*order) {
	t.Helper()
	for _, o := range orders {
		pause(t, r.Net, o.quote.Route, true)
	}
	eachOf(orders, func(o *order) { deposit(t, r.Net, o) })
	await(t, r.dir, len(orders), settled.Waiting)
}

// raceReclaim has a stranger announce to take deposits back while their pools begin
// to pay again. The source's clock is far past the deadline and the destination's
// is not, as after a halt.
func raceReclaim(t *testing.T, r *trial) {
	orders := []*order{r.take(t, 8453, swap.Hub, "USDC"), r.take(t, 8453, swap.Hub, "USDC"), r.take(t, 8453, swap.Hub, "ETH")}
	source := r.Chains[8453]
	during(func() {
		r.hold(t, orders)
		later(t, source, r.Plan.Settings.Lifetime+5*24*time.Hour+time.Hour)
		during(func() {
			for _, o := range orders {
				pause(t, r.Net, o.quote.Route, false)
			}
		}, func(context.Context) { reclaimAll(t, source) })
		devnettest.Eventually(t, "no deposit is held", func() bool { return held(t, r.Net, r.Plan).Sign() == 0 })
		later(t, source, 3*24*time.Hour)
		reclaimAll(t, source) // the second step comes too late
	}, func(ctx context.Context) { r.run(ctx, t) })
	r.once(t)
}

// once checks that each order that was ever opened was paid and released, or came
// back, and that none was both.
func (r *trial) once(t *testing.T) {
	t.Helper()
	paid := events(t, r.Net, contract.Pool, "OrderFulfilled")
	released := events(t, r.Net, contract.Pool, "OrderReleased")
	back := events(t, r.Net, contract.Pool, "OrderRefunded", "OrderReclaimed")
	for id := range events(t, r.Net, contract.Pool, "OrderOpened") {
		if paid[id]+back[id] != 1 || released[id] != paid[id] {
			t.Errorf("order %s was paid %d times, released %d times and came back %d times, want paid and released once, or back once", id, paid[id], released[id], back[id])
		}
	}
}

package watch_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/sqlite"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/watch"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
	"hubquote/test/fake/endpoint"
)

// The chain that deposits are made on, and the one that pays.
const (
	src swap.ChainID = swap.Hub
	dst swap.ChainID = 8453
)

// chains are those of all tests, which run one after the other. Each begins
// at a state that the one before has gone back to.
var chains = struct {
	sync.Once
	net *devnet.Net
}{}

// A rig is two chains behind three endpoints each, and a journal.
type rig struct {
	t         *testing.T
	net       *devnet.Net
	contracts roster.Roster
	fronts    map[swap.ChainID]*endpoint.Chain
	first     map[swap.ChainID]uint64
	journal   *sqlite.Journal
	writer    journal.Writer
	route     *swap.Route
	watcher   *watch.Watcher
	changed   map[order.ID]int
	lock      sync.Mutex
}

func newRig(t *testing.T) *rig {
	t.Helper()
	chains.Do(func() { chains.net = devnettest.Net(mainTest{t}, "../../..", src, dst) })
	r := &rig{
		t: t, net: chains.net, contracts: roster.Of(chains.net.Plan), fronts: map[swap.ChainID]*endpoint.Chain{},
		first: map[swap.ChainID]uint64{}, changed: map[order.ID]int{},
	}
	for _, route := range r.net.Catalog.Routes() {
		if route.Src.Network == src && route.Dst.Network == dst && route.SrcToken.Symbol == "USDC" && route.DstToken.Symbol == "USDC" {
			r.route = route
		}
	}
	for id, c := range r.net.Chains {
		r.keep(c)
		r.fronts[id] = endpoint.New(t, c.URL, 3)
		r.fronts[id].Tag(1, 2)
	}
	r.send(src, devnet.Alice, common.Address(r.route.SrcToken.Address), contract.Token.Call("approve", common.Address(r.pool(src).Address), big.NewInt(1<<60)))
	for id, c := range r.net.Chains {
		head, err := c.Head(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r.first[id] = head + 1
	}
	r.open()
	r.restart()
	return r
}

// keep goes back to the present state of a chain after the test.
func (r *rig) keep(c *evm.Chain) {
	ctx := context.WithoutCancel(r.t.Context())
	if err := c.Do(ctx, "anvil_mine", "0x2"); err != nil {
		r.t.Fatal(err)
	}
	var id string
	raw, err := rpcDo(ctx, c.URL, "evm_snapshot")
	if err != nil {
		r.t.Fatal(err)
	}
	id = raw
	r.t.Cleanup(func() {
		if _, err := rpcDo(ctx, c.URL, "evm_revert", id); err != nil {
			r.t.Error(err)
		}
	})
}

// open begins with an empty journal.
func (r *rig) open() {
	if r.journal != nil {
		_ = r.writer.Release(r.t.Context())
		_ = r.journal.Close()
	}
	j, err := sqlite.Open(r.t.Context(), filepath.Join(r.t.TempDir(), "journal"))
	if err != nil {
		r.t.Fatal(err)
	}
	w, err := j.Acquire(r.t.Context(), "test")
	if err != nil {
		r.t.Fatal(err)
	}
	r.journal, r.writer = j, w
	r.t.Cleanup(func() { _ = j.Close() })
}

// restart makes a new watcher on the same journal.
func (r *rig) restart(change ...func(*watch.Chain)) {
	r.t.Helper()
	opts := watch.Options{
		Contracts: r.contracts, Journal: r.journal, Write: r.writer.Write, Changed: r.note, Log: slog.New(slog.DiscardHandler),
	}
	for id := range r.net.Chains {
		c := watch.Chain{ID: id, First: r.first[id], Sweep: time.Nanosecond, Range: 8, Safe: true}
		r.dial(&c)
		for _, f := range change {
			f(&c)
		}
		opts.Chains = append(opts.Chains, c)
	}
	var err error
	if r.watcher, err = watch.New(r.t.Context(), opts); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) dial(c *watch.Chain) {
	var urls []upstream.URL
	for _, e := range r.fronts[c.ID].Endpoints {
		u, err := upstream.Parse(e.URL)
		if err != nil {
			r.t.Fatal(err)
		}
		n, err := node.New(node.Options{Chain: c.ID, URL: u, MaxBlockAge: -1, Timeout: 10 * time.Second})
		if err != nil {
			r.t.Fatal(err)
		}
		r.t.Cleanup(n.Close)
		c.Nodes, urls = append(c.Nodes, n), append(urls, u)
	}
	state, err := quorum.New(quorum.Options{Chain: c.ID, Endpoints: urls, MaxBlockAge: -1})
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(state.Close)
	c.State = state
}

func (r *rig) note(ids ...order.ID) {
	r.lock.Lock()
	defer r.lock.Unlock()
	for _, id := range ids {
		r.changed[id]++
	}
}

// round looks once. What an endpoint does wrong is none of its errors' business
// here: tests ask what is in the journal.
func (r *rig) round() {
	r.t.Helper()
	if err := r.watcher.Round(r.t.Context()); err != nil {
		r.t.Logf("round: %v", err)
	}
}

// until looks again and again until something is so.
func (r *rig) until(what string, so func() bool) {
	r.t.Helper()
	devnettest.Eventually(r.t, what, func() bool {
		r.round()
		return so()
	})
}

func (r *rig) pool(id swap.ChainID) *roster.Contract {
	for i, c := range r.contracts {
		if c.Chain == id && c.Token == r.token(id).Address && c.Kind != roster.Receiver {
			return &r.contracts[i]
		}
	}
	r.t.Fatal("there is no such pool")
	return nil
}

func (r *rig) token(id swap.ChainID) *swap.Token {
	if id == src {
		return r.route.SrcToken
	}
	return r.route.DstToken
}

func (r *rig) send(id swap.ChainID, account int, to common.Address, data []byte) *types.Receipt {
	r.t.Helper()
	receipt, err := r.net.Chains[id].Send(r.t.Context(), devnet.Account(account), evm.Tx{To: to, Data: data})
	if err != nil {
		r.t.Fatal(contract.Explain(err))
	}
	return receipt
}

// deposit opens an order and returns it, with its ID.
func (r *rig) deposit() (contract.Order, order.ID) {
	return r.depositFor(devnet.Account(devnet.Bob).Address)
}

func (r *rig) depositFor(recipient swap.Address) (contract.Order, order.ID) {
	r.t.Helper()
	receipt := r.send(src, devnet.Alice, common.Address(r.pool(src).Address), contract.Pool.Call("swap",
		new(big.Int).SetUint64(uint64(r.route.Dst.ID)), r.route.Limits.Min.ToBig(), recipient[:], uint8(0),
		common.Address(r.route.DstToken.Address), [32]byte{}))
	for _, log := range receipt.Logs {
		if log.Topics[0] == contract.Pool.ABI().Events["OrderOpened"].ID {
			opened, err := contract.ReadOpened(log)
			if err != nil {
				r.t.Fatal(err)
			}
			return opened.Order, order.ID(opened.Order.ID())
		}
	}
	r.t.Fatal("no order was opened")
	return contract.Order{}, order.ID{}
}

func (r *rig) pay(orders ...contract.Order) *types.Receipt {
	r.t.Helper()
	return r.send(dst, devnet.Relayer, common.Address(r.pool(dst).Address), contract.Pool.Call("fulfilMany", orders))
}

func (r *rig) release(ids ...order.ID) {
	r.t.Helper()
	var list [][32]byte
	for _, id := range ids {
		list = append(list, id)
	}
	r.send(src, devnet.Relayer, common.Address(r.pool(src).Address), contract.Pool.Call("releaseMany", list))
}

// mine makes blocks.
func (r *rig) mine(id swap.ChainID, n int) {
	r.t.Helper()
	if err := r.net.Chains[id].Do(r.t.Context(), "anvil_mine", fmt.Sprintf("0x%x", n)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) reorganise(id swap.ChainID, depth int) {
	r.t.Helper()
	if err := r.net.Chains[id].Do(r.t.Context(), "anvil_reorg", depth, []any{}); err != nil {
		r.t.Fatal(err)
	}
}

// fact returns the proof of an order's event, or Unproved when it is not there
// or gone.
func (r *rig) fact(id order.ID, e order.Event) order.Proof {
	r.t.Helper()
	facts, err := r.journal.Facts(r.t.Context(), id)
	if err != nil {
		r.t.Fatal(err)
	}
	best := order.Unproved
	for _, f := range facts {
		if f.Event == e && !f.Gone {
			best = max(best, f.Proof)
		}
	}
	return best
}

func (r *rig) order(id order.ID) journal.Order {
	r.t.Helper()
	o, found, err := r.journal.Order(r.t.Context(), id)
	if err != nil || !found {
		r.t.Fatalf("order %v is not in the journal: %v", id, err)
	}
	return o
}

func (r *rig) want(id order.ID, e order.Event, want order.Proof) {
	r.t.Helper()
	if got := r.fact(id, e); got != want {
		r.t.Errorf("%s has proof %d, want %d", e, got, want)
	}
}

func (r *rig) health(id swap.ChainID) watch.Health {
	for _, h := range r.watcher.Health() {
		if h.Chain == id {
			return h
		}
	}
	r.t.Fatal(errors.New("the chain is not watched"))
	return watch.Health{}
}

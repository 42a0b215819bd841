package watch_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch"
	"hubquote/internal/settle/world"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
)

// An order's events are told at once, proved by two endpoints, and final when
// the tag has passed them.
func TestLifeOfAnOrder(t *testing.T) {
	r := newRig(t)
	body, id := r.deposit()
	r.round()
	r.want(id, order.EventOpened, order.Agreed)
	o := r.order(id)
	if o.Src != r.pool(src).Pool || o.Dst != r.pool(dst).Pool || o.Amount != r.route.Limits.Min || o.Deadline.Unix() != body.Deadline.Int64() {
		t.Errorf("order = %+v, want that of the deposit", o.Order)
	}
	r.mine(src, 1)
	r.round()
	r.want(id, order.EventOpened, order.Safe)
	r.mine(src, 1)
	r.round()
	r.want(id, order.EventOpened, order.Final)
	if got := r.order(id).Proof; got != order.Final {
		t.Errorf("the order's proof is %d, want %d", got, order.Final)
	}

	r.pay(body)
	r.round()
	r.want(id, order.EventPaid, order.Agreed)
	r.mine(dst, 2)
	r.round()
	r.want(id, order.EventPaid, order.Final)
	r.release(id)
	r.mine(src, 2)
	r.round()
	r.want(id, order.EventReleased, order.Final)
	if r.changed[id] < 5 {
		t.Errorf("%d calls of Changed, want one for each piece of news", r.changed[id])
	}
	for _, c := range []swap.ChainID{src, dst} {
		if h := r.health(c); len(h.Missing) != 0 || h.Broken != (order.Hash{}) || h.Stalled {
			t.Errorf("health = %+v, want a chain without faults", h)
		}
	}
}

// The contracts' own records and limits are read by quorum near the head.
func TestRecordsAndWorld(t *testing.T) {
	r := newRig(t)
	_, held := r.deposit()
	body, paid := r.deposit()
	r.pay(body)
	stop, dropped := r.deposit()
	r.send(dst, devnet.Relayer, common.Address(r.pool(dst).Address), contract.Pool.Call("cancel", stop))
	r.release(paid)
	r.round()
	orders := []journal.Order{r.order(held), r.order(paid), r.order(dropped)}
	var got map[order.ID]watch.Record
	devnettest.Eventually(t, "the contracts answer", func() bool {
		var err error
		got, err = r.watcher.Records(t.Context(), orders)
		return err == nil
	})
	for id, want := range map[order.ID]struct {
		order.Deposit
		order.Settlement
	}{held: {order.Held, order.Unsettled}, paid: {order.NotHeld, order.SettledPaid}, dropped: {order.Held, order.SettledCancelled}} {
		g := got[id]
		if !g.Held.OK || !g.Settlement.OK || g.Held.Value != want.Deposit || g.Settlement.Value != want.Settlement || g.Held.Block == 0 {
			t.Errorf("record = %+v, want %+v", g, want)
		}
	}

	from, to := r.pool(src).Pool, r.pool(dst).Pool
	way := world.Source{Place: swap.PlaceID(src), Pool: from}
	r.send(dst, devnet.Guardian, common.Address(to.Address), contract.Pool.Call("setPauses", false, true))
	w := world.World{Tags: map[swap.ChainID]world.Tag{}, Contracts: map[order.Pool]world.Contract{}, Left: map[world.Budget]swap.Amount{}}
	devnettest.Eventually(t, "the contracts answer", func() bool { return r.watcher.World(t.Context(), &w, from, to) == nil })
	if c, known := w.Contracts[to]; !known || !c.Paused || c.Shut[way] {
		t.Errorf("the paying pool is %+v, want it paused, and open to the source", c)
	}
	if c, known := w.Contracts[from]; !known || c.Paused {
		t.Errorf("the source is %+v, want it known", c)
	}
	for _, b := range []world.Budget{
		{Limit: world.Liquidity, Pool: to}, {Limit: world.Payments, Pool: to}, {Limit: world.ForSource, Pool: to, From: way},
		{Limit: world.Releases, Pool: from}, {Limit: world.Refunds, Pool: from},
	} {
		if left, known := w.Left[b]; !known || left.IsZero() {
			t.Errorf("%+v is %s, want an amount", b, left.Dec())
		}
	}
	if tag, known := w.Tags[src]; !known || tag.Final == 0 || tag.FinalTime.IsZero() || tag.Stalled || tag.Broken {
		t.Errorf("tag = %+v, want the finality tag", tag)
	}
}

// A deposit is proved again before it is paid early.
func TestReprove(t *testing.T) {
	r := newRig(t)
	r.mine(src, 3)
	_, kept := r.deposit()
	_, gone := r.deposit()
	r.round()
	orders := []journal.Order{r.order(kept), r.order(gone)}
	if got, err := r.watcher.Reprove(t.Context(), orders); err != nil || !got[kept] || !got[gone] {
		t.Errorf("Reprove = %v, %v; want both", got, err)
	}
	r.reorganise(src, 1)
	if got, err := r.watcher.Reprove(t.Context(), orders); err != nil || !got[kept] || got[gone] {
		t.Errorf("Reprove = %v, %v; want only the one that is still there", got, err)
	}
}

package backend_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"go.uber.org/goleak"

	"hubquote/internal/settle/journal"
	settled "hubquote/internal/settle/order"
	"hubquote/swap"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/fake"
)

// Orders of every kind are opened in a world that wants the settler to fail: it is
// killed before and after its requests, chains lose their newest blocks, one
// endpoint of three lies, the mempool drops and delays, gas costs ten times as
// much, the issuer and the signer fail, and an operator wishes at random. When all
// is calm again, every deposit that is still there was paid or given back, once,
// and none that is gone. The journal is held against its invariants after every
// life, and a client that asks all the time never sees an order go backwards.
func TestNoneLostNonePaidTwice(t *testing.T) {
	defer goleak.VerifyNone(t)
	t.Run("all", func(t *testing.T) {
		n := devnettest.Net(t, "../../..", swap.Hub, 8453, 42161)
		orders := newOrders(t, n, *wantOrders+*wantOrders/4) // reorganisations take some away
		w := newWorld(t, n)
		listen, err := fake.FreeAddress()
		if err != nil {
			t.Fatal(err)
		}
		w.where.Listen = listen
		l := &lives{Child: w.where, count: w.count}
		w.watch = l.request
		p := newPoller(n, w.count, listen)
		defer func() { t.Logf("seed %d\n%s", *seed, w.count) }()
		during(func() { w.endure(t, l, orders) }, func(ctx context.Context) { p.poll(ctx, t, orders) })
		w.figures(t)
		if w.count.of("final status compared with the chain") == 0 {
			t.Error("no final status was compared with the chain, want many")
		}
		if got := w.count.of("orders"); got < *wantOrders {
			t.Errorf("only %d deposits are still there, want %d", got, *wantOrders)
		}
	})
}

// endure is the storm and the calm after it.
func (w *world) endure(t *testing.T, l *lives, orders []*order) {
	during(func() {
		sendAll(t, w.Net, orders)
		until(t, func() string { return "the storm is over" }, func() bool {
			return w.count.of("kills") >= *wantKills && w.count.of("reorganisations") >= *wantReorgs
		})
	},
		func(ctx context.Context) { w.storm(ctx, t) },
		func(ctx context.Context) { l.storm(ctx, t) },
		func(ctx context.Context) { l.operate(ctx, t, len(orders)/20) })
	during(func() {
		l.resume(t)
		awaitSettled(t, w.Net, orders, l.explain)
	},
		func(ctx context.Context) { w.calm(ctx, t) },
		func(ctx context.Context) { l.live(ctx, t, nil, 0) })
}

// operate has an operator wish something for some orders.
func (l *lives) operate(ctx context.Context, t *testing.T, most int) {
	for range most {
		if !fake.Sleep(ctx, time.Duration(dice.n(500))*time.Millisecond) {
			return
		}
		verbs := []settled.Verb{settled.WishRefund, settled.WishCancel, settled.WishPark, settled.WishRetry}
		if err := l.wish(ctx, verbs[dice.n(len(verbs))], func(o *journal.Order) bool { return dice.n(20) == 0 }); err != nil && ctx.Err() == nil {
			t.Error(err)
		}
	}
}

// resume has an operator retry all that is parked.
func (l *lives) resume(t *testing.T) {
	t.Helper()
	if err := l.wish(t.Context(), settled.WishRetry, func(o *journal.Order) bool { return o.State == settled.Parked }); err != nil {
		t.Fatal(err)
	}
}

// wish records a wish for the orders that are picked.
func (l *lives) wish(ctx context.Context, verb settled.Verb, pick func(*journal.Order) bool) error {
	j, err := l.open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = j.Close() }()
	all, err := j.OrdersBy(ctx, journal.Filter{})
	if err != nil {
		return err
	}
	for i := range all {
		if !pick(&all[i]) {
			continue
		}
		id := settled.Hash{0: byte(dice.n(256)), 1: byte(dice.n(256)), 2: byte(dice.n(256)), 3: byte(dice.n(256)), 4: byte(dice.n(256))}
		l.count.add("wishes: " + string(verb))
		if err := j.AddWish(ctx, journal.Wish{ID: id, Subject: all[i].ID, Verb: verb, By: "test", At: time.Now()}); err != nil {
			return err
		}
	}
	return nil
}

// explain says where the journal has an order.
func (l *lives) explain(o *order) (text string) {
	r := o.quote.Route
	text = fmt.Sprintf("%s from %d to %d", r.SrcToken.Symbol, r.Src.Network, r.Dst.Network)
	ctx, tx := context.Background(), o.tx.Load()
	j, err := l.open(ctx)
	if err != nil || tx == nil {
		return fmt.Sprintf("%s, transaction %v, %v", text, tx, err)
	}
	defer func() { _ = j.Close() }()
	burns, _ := j.BurnsByTx(ctx, settled.Hash(*tx))
	orders, _ := j.OrdersBySource(ctx, settled.Hash(*tx))
	for _, b := range burns {
		text += fmt.Sprintf("; burn is %s %s, asked %d times, again at %v, expires %d, order %v", b.Status, b.Reason, b.Asks, b.NextAsk, b.Expires, b.Order)
		if x, found, _ := j.Order(ctx, b.Order); found {
			orders = append(orders, x)
		}
	}
	for _, x := range orders {
		text += fmt.Sprintf("; order %v is %s %s, revision %d, again at %v, refusal %+v", x.ID, x.State, x.Reason, x.Revision, x.NotBefore, x.Refusal)
		facts, _ := j.Facts(ctx, x.ID)
		for _, f := range facts {
			text += fmt.Sprintf("; %s proof %d gone %v", f.Event, f.Proof, f.Gone)
		}
		for _, b := range must(j.BurnsOf(ctx, x.ID)) {
			text += fmt.Sprintf("; its burn %s is %s %s", b.Way, b.Status, b.Reason)
		}
	}
	cursors, _ := j.Cursors(ctx)
	return text + fmt.Sprintf("; cursors %v", cursors)
}

func must[T any](list T, _ error) T { return list }

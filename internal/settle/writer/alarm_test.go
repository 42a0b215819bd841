package writer_test

import (
	"testing"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/wish"
	"hubquote/swap"
)

func (r *rig) up(name string) int {
	n := 0
	for _, a := range r.alerts.List() {
		if a.Name == name {
			n += a.Orders
		}
	}
	return n
}

// lose makes a final fact of an order gone.
func (r *rig) lose(id order.ID, chain swap.ChainID) {
	r.Helper()
	r.write(func(tx journal.Tx) error {
		at := order.Fact{Chain: chain, Tx: order.Hash{8}, Block: 70, Time: now, Proof: order.Final}
		return tx.PutFact(r.Context(), journal.Fact{Order: id, Event: order.EventPaid, Fact: at, Gone: true})
	})
}

// A stop outlives the settler that raised it: its successor pages again and does
// not pay, also before it has looked at the order, until an operator says so.
func TestAStopOutlivesTheSettler(t *testing.T) {
	r := newRig(t)
	bad := r.put(1, order.Final)
	r.lose(bad.ID, src.Chain)
	good := r.put(2, order.Final)
	r.round()
	if len(r.jobs) != 0 {
		t.Fatalf("%d jobs of the round that finds the stop, want none", len(r.jobs))
	}
	r.round()
	if len(r.jobs) != 0 || r.up(step.FinalityBroken) != 1 {
		t.Fatalf("%d jobs and %d alerts, want none and one", len(r.jobs), r.up(step.FinalityBroken))
	}
	for range 3 {
		r.restart()
		late := r.put(3, order.Final) // the only one that is due
		r.round()
		if r.is(late.ID, order.Waiting, order.Chain); len(r.jobs) != 0 || r.up(step.FinalityBroken) != 1 {
			t.Fatalf("%d jobs and %d alerts after a restart, want none and one", len(r.jobs), r.up(step.FinalityBroken))
		}
	}
	r.wish(wish.Whole(src.Chain), order.WishTrust)
	r.now = r.now.Add(time.Hour)
	r.round()
	if r.is(good.ID, order.Paying, ""); len(r.jobs) != 1 || r.up(step.FinalityBroken) != 0 {
		t.Errorf("%d jobs and %d alerts after the operator trusts the chain, want one and none", len(r.jobs), r.up(step.FinalityBroken))
	}
	list, err := r.journal.WishesOf(t.Context(), wish.Whole(src.Chain))
	if err != nil || len(list) != 1 || list[0].Result != "1 alarms of chain 8453 accepted" {
		t.Errorf("wishes = %+v, %v, want one that was obeyed", list, err)
	}
	r.restart()
	r.round()
	if r.up(step.FinalityBroken) != 0 {
		t.Error("the alarm is up again after a restart, want it to stay accepted")
	}
}

// A stop whose cause is gone by itself ends, and stops again when it is back.
func TestAStopEndsWithItsCause(t *testing.T) {
	r := newRig(t)
	a := r.put(1, order.Final)
	r.fact(a.ID, order.EventReleased, order.Agreed) // and no payment
	r.round()
	if r.up(step.ReleasedUnpaid) != 0 {
		t.Fatal("the alarm is shown, want it recorded first")
	}
	r.round()
	if r.up(step.ReleasedUnpaid) != 1 {
		t.Fatalf("%d alerts, want one", r.up(step.ReleasedUnpaid))
	}
	r.fact(a.ID, order.EventPaid, order.Final)
	r.round()
	r.round()
	if alarms, err := r.journal.Alarms(t.Context()); err != nil || len(alarms) != 0 || r.up(step.ReleasedUnpaid) != 0 {
		t.Errorf("alarms = %+v, %v, want none", alarms, err)
	}
}

// A release whose payment is not read yet, as after a lost journal, stops nothing:
// the destination itself says that it paid.
func TestAReleaseThatIsReadFirst(t *testing.T) {
	r := newRig(t)
	a := r.put(1, order.Final)
	r.fact(a.ID, order.EventReleased, order.Agreed)
	record := r.records[a.ID]
	record.Settlement = order.Known[order.Settlement]{Value: order.SettledPaid, OK: true, Block: 100}
	r.records[a.ID] = record
	r.round()
	r.round()
	if r.is(a.ID, order.Paid, order.Finality); r.up(step.ReleasedUnpaid) != 0 {
		t.Errorf("%d alerts, want none", r.up(step.ReleasedUnpaid))
	}
}

// An order that is closed is not looked at again; its page is, until an operator
// has seen it.
func TestAPageOfAClosedOrderStays(t *testing.T) {
	r := newRig(t)
	a := r.put(1, order.Final)
	r.fact(a.ID, order.EventPaid, order.Final)
	r.fact(a.ID, order.EventRefunded, order.Final)
	r.round()
	r.is(a.ID, order.Closed, "")
	r.restart()
	r.round()
	if r.up(step.PaidAndReturned) != 1 {
		t.Fatalf("%d alerts after a restart, want one", r.up(step.PaidAndReturned))
	}
	r.wish(a.ID, order.WishRetry)
	r.round()
	r.round()
	if r.up(step.PaidAndReturned) != 0 {
		t.Errorf("%d alerts after the operator has seen it, want none", r.up(step.PaidAndReturned))
	}
}

// A refusal does not hide news that came while the call was under way.
func TestARefusalDoesNotHideNews(t *testing.T) {
	r := newRig(t)
	a := r.put(1, order.Final)
	r.round()
	r.fact(a.ID, order.EventCancelled, order.Final)
	r.out = map[int64]bool{}
	r.writer.Done(t.Context(), r.jobs[0], refused("AlreadySettled"))
	r.round()
	if len(r.jobs) != 2 || r.jobs[1].Batch.Kind != order.Refund {
		t.Errorf("jobs = %+v, want a refund at once", r.jobs)
	}
}

package writer_test

import (
	"maps"
	"slices"
	"testing"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/send"
	"hubquote/internal/settle/watch"
)

func TestAFinalDepositIsPaidOnce(t *testing.T) {
	r := newRig(t)
	a, b := r.put(1, order.Final), r.put(2, order.Final)
	r.round()
	if len(r.jobs) != 1 || len(r.jobs[0].Batch.Tasks) != 2 || r.jobs[0].Call.To != dst.Address || r.jobs[0].Call.Least == 0 {
		t.Fatalf("jobs = %+v, want one batch of two with a gas limit", r.jobs)
	}
	r.is(a.ID, order.Paying, "")
	r.now = r.now.Add(time.Minute)
	r.round()
	if len(r.jobs) != 1 {
		t.Errorf("%d jobs, want 1: the lane has the tasks", len(r.jobs))
	}
	r.commit(r.jobs[0], 1, 200)
	r.now = r.now.Add(time.Minute)
	r.round()
	r.is(b.ID, order.Paying, order.InFlight)
	r.fact(a.ID, order.EventPaid, order.Final)
	r.fact(b.ID, order.EventPaid, order.Agreed)
	r.passed = 200
	r.round()
	r.is(a.ID, order.Settled, "")
	r.is(b.ID, order.Paid, order.Finality)
	if len(r.jobs) != 2 || r.jobs[1].Batch.Kind != order.Release || r.jobs[1].Chain != src.Chain {
		t.Errorf("jobs = %+v, want a release", r.jobs)
	}
}

// Contracts are asked only when what they say decides something.
func TestWaitingOrdersCostNoQuestion(t *testing.T) {
	r := newRig(t)
	wantAsked := func(when string, want ...order.Pool) {
		t.Helper()
		r.asked = nil
		r.round()
		if !slices.Equal(r.asked, want) {
			t.Errorf("%s: %v are asked, want %v", when, r.asked, want)
		}
	}
	o := r.put(1, order.Agreed)
	wantAsked("the deposit is not final")
	r.is(o.ID, order.Proved, order.Finality)
	r.put(1, order.Final)
	wantAsked("it is final", src, dst)
	r.commit(r.jobs[0], 0, 95)
	r.write(func(tx journal.Tx) error { return tx.Due(t.Context(), o.ID) })
	r.passed = 94
	wantAsked("its payment is under way")
	r.is(o.ID, order.Paying, order.InFlight)
	r.passed = 100
	r.fact(o.ID, order.EventPaid, order.Agreed)
	wantAsked("its payment is not final")
	r.fact(o.ID, order.EventPaid, order.Final)
	wantAsked("its payment is final", src)
	if len(r.about) != 1 || r.about[0].Src != src || r.about[0].Dst != (order.Pool{}) {
		t.Errorf("the records of %+v are asked for, want that of the source", r.about)
	}
}

// A batch skips an order and succeeds: its task is void, and it is paid again.
func TestASkippedOrderIsPaidAgain(t *testing.T) {
	r := newRig(t)
	a := r.put(1, order.Final)
	r.round()
	r.commit(r.jobs[0], 1, 95)
	r.passed, r.now = 94, r.now.Add(time.Minute)
	r.round()
	if r.is(a.ID, order.Paying, order.InFlight); len(r.jobs) != 1 {
		t.Errorf("%d jobs before the watcher passed the block, want 1", len(r.jobs))
	}
	r.passed = 95
	r.round()
	if len(r.jobs) != 2 || r.jobs[1].Batch.Kind != order.Pay {
		t.Errorf("%d jobs after the watcher passed the block, want a second payment", len(r.jobs))
	}
}

// The watcher's endpoint left the event out; the contract's record counts.
func TestARecordBeatsAMissingEvent(t *testing.T) {
	r := newRig(t)
	a := r.put(1, order.Final)
	r.round()
	r.commit(r.jobs[0], 1, 95)
	record := r.records[a.ID]
	record.Settlement.Value = order.SettledPaid
	r.records[a.ID] = record
	r.round()
	r.now = r.now.Add(time.Hour)
	r.round()
	if len(r.jobs) != 1 {
		t.Errorf("%d jobs, want 1: the order is paid", len(r.jobs))
	}
	r.records[a.ID] = watch.Record{} // unknown
	r.now = r.now.Add(time.Hour)
	r.round()
	r.is(a.ID, order.Paying, "")
}

// News that comes between reading and recording makes the decision void.
func TestNewsVoidsADecision(t *testing.T) {
	r := newRig(t)
	a := r.put(1, order.Agreed)
	r.looking = func() { r.fact(a.ID, order.EventOpened, order.Final) }
	r.round()
	r.is(a.ID, order.Seen, "")
	r.looking = nil
	r.round()
	r.is(a.ID, order.Paying, "")
	if len(r.jobs) != 1 {
		t.Errorf("%d jobs, want 1", len(r.jobs))
	}
}

func TestEarlyPaymentsAreProvedAgain(t *testing.T) {
	r := newRig(t)
	a := r.put(1, order.Safe)
	r.round()
	if len(r.jobs) != 0 {
		t.Fatalf("%d jobs for a deposit that could not be proved again, want none", len(r.jobs))
	}
	r.proved[a.ID] = true
	r.now = r.now.Add(time.Minute)
	r.round()
	if len(r.jobs) != 1 || r.jobs[0].Call.Tasks[0].Amount.Uint64() != 100 {
		t.Errorf("jobs = %+v, want one that reserves 100", r.jobs)
	}
}

func TestWhatDoesNotFitIsDueAgain(t *testing.T) {
	r := newRig(t)
	a := r.put(1, order.Final)
	r.free = 0
	r.round()
	if r.is(a.ID, order.Paying, ""); len(r.jobs) != 0 {
		t.Fatalf("%d jobs without room, want none", len(r.jobs))
	}
	r.free, r.now = 1, r.now.Add(10*time.Second)
	r.round()
	if len(r.jobs) != 1 {
		t.Errorf("%d jobs with room, want 1", len(r.jobs))
	}
}

// The more orders wait for a pool, the more rarely each is looked at. What is to be
// sent is not put off.
func TestManyWaitingOrdersAreCheckedRarely(t *testing.T) {
	const again = 5 * time.Second
	for name, tt := range map[string]struct {
		paused bool
		want   map[time.Duration]int
	}{
		"that waits for a pool": {true, map[time.Duration]int{again: 500, 2 * again: 2000}},
		"that waits for a lane": {false, map[time.Duration]int{again: 2500}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			r.crowd(2500)
			r.paused, r.free = tt.paused, 0
			for range 3 {
				r.round()
			}
			all, err := r.journal.OrdersBy(t.Context(), journal.Filter{})
			if err != nil {
				t.Fatal(err)
			}
			got := map[time.Duration]int{}
			for _, o := range all {
				got[o.NotBefore.Sub(r.now)]++
			}
			if !maps.Equal(got, tt.want) {
				t.Errorf("looked at again after %v, want %v", got, tt.want)
			}
		})
	}
}

func TestWaits(t *testing.T) {
	for _, tt := range []struct {
		name string
		make func(*rig)
		want order.Reason
	}{
		{"a paused pool", func(r *rig) { r.paused = true }, order.Paused},
		{"contracts that do not answer", func(r *rig) { r.unknown = true }, order.Chain},
		{"a chain that lost a final block", func(r *rig) { r.broken = true }, order.Chain},
		{"a chain that an alert stops", func(r *rig) {
			r.alerts.Set(now, order.ID{5}, []step.Alert{{Name: step.PaidNoDeposit, Stop: true, Chain: src.Chain}})
		}, order.Chain},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			a := r.put(1, order.Final)
			tt.make(r)
			r.round()
			r.is(a.ID, order.Waiting, tt.want)
			if len(r.jobs) != 0 {
				t.Errorf("%d jobs, want none", len(r.jobs))
			}
		})
	}
}

func TestWishes(t *testing.T) {
	for _, tt := range []struct {
		name  string
		verb  order.Verb
		make  func(*rig, order.ID)
		want  string
		state order.State
	}{
		{"park", order.WishPark, func(*rig, order.ID) {}, "parked", order.Parked},
		{"cancel", order.WishCancel, func(*rig, order.ID) {}, "the order is cancelling", order.Cancelling},
		{"refund is the same", order.WishRefund, func(*rig, order.ID) {}, "the order is cancelling", order.Cancelling},
		{"retry forgets refusals", order.WishRetry, func(r *rig, id order.ID) {
			r.write(func(tx journal.Tx) error {
				return tx.SetRefusal(t.Context(), id, order.Refusal{Why: order.Refused, Times: 9, At: now})
			})
		}, "tried again: the order is paying", order.Paying},
		{"a paid order is not cancelled", order.WishCancel, func(r *rig, id order.ID) { r.fact(id, order.EventPaid, order.Agreed) }, "not cancelled: the order is paid", order.Paid},
		{"a paid order is not parked", order.WishPark, func(r *rig, id order.ID) { r.fact(id, order.EventPaid, order.Agreed) }, "not parked: the order is paid", order.Paid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newRig(t)
			a := r.put(1, order.Final)
			tt.make(r, a.ID)
			for i, subject := range []order.ID{a.ID, {0xff}} {
				if err := r.journal.AddWish(t.Context(), journal.Wish{ID: order.Hash{byte(i)}, Subject: subject, Verb: tt.verb, At: now}); err != nil {
					t.Fatal(err)
				}
			}
			r.round()
			for subject, want := range map[order.ID]string{a.ID: tt.want, {0xff}: "there is no such order"} {
				list, err := r.journal.WishesOf(t.Context(), subject)
				if err != nil || len(list) != 1 || list[0].Result != want || list[0].Done.IsZero() {
					t.Errorf("wish = %+v, %v, want %q", list, err, want)
				}
			}
			o, _, err := r.journal.Order(t.Context(), a.ID)
			if err != nil || o.State != tt.state || o.Refusal.Times != 0 {
				t.Errorf("the order is %s with %d refusals, %v, want %s with none", o.State, o.Refusal.Times, err, tt.state)
			}
		})
	}
}

func refused(name string) *send.Refused {
	id := contract.Pool.ABI().Errors[name].ID
	return &send.Refused{Data: id[:4]}
}

// One bad order does not hold up the others of its batch, and a refusal is
// counted only when the order itself is refused.
func TestRefusals(t *testing.T) {
	r := newRig(t)
	a, b := r.put(1, order.Final), r.put(2, order.Final)
	r.round()
	first := r.jobs[0]
	r.jobs, r.out = nil, map[int64]bool{}
	r.writer.Done(t.Context(), first, refused("PaymentsArePaused"))
	r.now = r.now.Add(10 * time.Second)
	r.round()
	if len(r.jobs) != 2 || len(r.jobs[0].Batch.Tasks) != 1 {
		t.Fatalf("%d jobs, want two of one order each", len(r.jobs))
	}
	r.out = map[int64]bool{}
	r.writer.Done(t.Context(), r.jobs[0], refused("PaymentsArePaused"))
	for _, id := range []order.ID{a.ID, b.ID} {
		if o, _, _ := r.journal.Order(t.Context(), id); o.Refusal.Times != 0 {
			t.Errorf("refused %d times, want 0: the pool refused the call and not the order", o.Refusal.Times)
		}
	}
	alone := r.jobs[1]
	alone.Batch.Tasks[0].Alone = true
	r.writer.Done(t.Context(), alone, refused("NothingToPay"))
	o, _, err := r.journal.Order(t.Context(), alone.Batch.Tasks[0].Order)
	if err != nil || o.Refusal.Times != 1 || !o.Refusal.ForGood || o.Refusal.Why != order.Refused {
		t.Errorf("refusal = %+v, %v, want one for good", o.Refusal, err)
	}
}

// While a lane has the payment, no cancellation is sent in its name or beside
// it.
func TestNothingIsSentBesideATaskThatALaneHas(t *testing.T) {
	r := newRig(t)
	a := r.put(1, order.Final)
	r.round()
	if err := r.journal.AddWish(t.Context(), journal.Wish{ID: order.Hash{1}, Subject: a.ID, Verb: order.WishCancel, At: now}); err != nil {
		t.Fatal(err)
	}
	r.round()
	if len(r.jobs) != 1 {
		t.Errorf("%d jobs, want 1: the lane has the payment", len(r.jobs))
	}
	r.out = map[int64]bool{} // the lane gave it back
	r.now = r.now.Add(time.Hour)
	r.round()
	if len(r.jobs) != 2 || r.jobs[1].Batch.Kind != order.Cancel {
		t.Fatalf("jobs = %+v, want a cancellation", r.jobs)
	}
	tasks, err := r.journal.Tasks(t.Context(), a.ID)
	if err != nil || len(tasks) != 2 || tasks[0].Progress != order.Void || tasks[1].ID != r.jobs[1].Call.Tasks[0].Task {
		t.Errorf("tasks = %+v, %v, want the payment void and the cancellation sent in its own name", tasks, err)
	}
}

// A wish that cannot be obeyed yet is decided about once, and then with the news of
// its order: it costs no calls in between.
func TestAnOpenWishWaitsForNews(t *testing.T) {
	r := newRig(t)
	o := r.put(1, order.Told)
	r.wish(o.ID, order.WishCancel)
	r.round()
	r.is(o.ID, order.Seen, order.Finality)
	looks := 0
	r.looking = func() { looks++ }
	for range 3 {
		r.round()
	}
	if looks != 0 {
		t.Errorf("the order was looked at %d times without news, want never", looks)
	}
	r.fact(o.ID, order.EventOpened, order.Final)
	r.round()
	r.is(o.ID, order.Cancelling, "")
	if open, err := r.journal.WishesOpen(t.Context()); err != nil || len(open) != 0 {
		t.Errorf("open wishes %v, %v, want none", open, err)
	}
}

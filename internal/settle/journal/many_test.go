package journal_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/swap"
)

// TestManyAtOnce asks about more orders than one query has room for, one of them
// twice and one that is not there. The answers are those of one question for each.
func TestManyAtOnce(t *testing.T) {
	each(t, func(t *testing.T, j journal.Journal, w journal.Writer) {
		ids := []order.ID{hash(7), hash(999)}
		must(t, w, func(ctx context.Context, tx journal.Tx) error {
			for n := range 230 {
				ids = append(ids, hash(n))
				late := deposit(n, order.Final)
				late.NotBefore = now.Add(time.Duration(n) * time.Second)
				facts := journal.Fact{Order: hash(n), Event: order.EventPaid, Fact: order.Fact{Tx: order.Hash{3}, Time: now}}
				earlier := journal.Fact{Order: hash(n), Event: order.EventOpened, Fact: order.Fact{Tx: order.Hash{2}, Time: now.Add(-time.Second)}}
				_, err := tx.AddTask(ctx, journal.Task{Subject: hash(n), Kind: order.Pay, Chain: 369, Basis: string(step.FinalDeposit), Made: now})
				if err := errors.Join(err, tx.PutFact(ctx, facts), tx.PutFact(ctx, earlier), tx.PutOrder(ctx, late)); err != nil {
					return err
				}
			}
			return nil
		})
		facts, err1 := j.FactsBy(t.Context(), ids)
		tasks, err2 := j.TasksBy(t.Context(), ids)
		times, err3 := j.NotBefore(t.Context(), ids)
		if err := errors.Join(err1, err2, err3); err != nil || len(facts) != 230 || len(tasks) != 230 || len(times) != 230 {
			t.Fatalf("facts of %d, tasks of %d, times of %d, %v, want 230 of each", len(facts), len(tasks), len(times), err)
		}
		for _, id := range slices.Concat(ids[:5], ids[225:]) {
			f, err1 := j.Facts(t.Context(), id)
			k, err2 := j.Tasks(t.Context(), id)
			o, _, err3 := j.Order(t.Context(), id)
			if err := errors.Join(err1, err2, err3); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(f, facts[id]) + cmp.Diff(k, tasks[id]); diff != "" || !times[id].Equal(o.NotBefore) {
				t.Errorf("order %v, not before %v, want %v, and as alone (-want +got):\n%s", id, times[id], o.NotBefore, diff)
			}
		}
	})
}

// TestOwed adds up what pools have to pay: not what is paid, not what no pool can pay,
// and not for a deposit that one endpoint alone tells of, or that is gone.
func TestOwed(t *testing.T) {
	each(t, func(t *testing.T, j journal.Journal, w journal.Writer) {
		pays := func(n int, amount uint64) journal.Order {
			o := deposit(n, order.Final)
			o.Pays = *uint256.NewInt(amount)
			return o
		}
		other, orphan := pays(4, 7), pays(5, 100)
		other.Src.Address, other.Since = swap.Address{77}, now.Add(-time.Hour)
		orphan.Dst.Address = swap.Address{}
		told, gone := pays(6, 1<<40), pays(7, 1<<40)
		told.Proof, gone.Proof = order.Told, order.Unproved
		must(t, w, put(pays(1, 40)), put(pays(2, 2)), put(pays(3, 1000)), put(other), put(orphan), put(told), put(gone),
			state(1, order.Waiting, order.Paused, now.Add(-time.Minute)), state(3, order.Paid, "", now))
		got, err := j.Owed(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(got, func(a, b journal.Owed) int { return int(b.Orders - a.Orders) })
		want := []journal.Owed{
			{Dst: other.Dst, Src: deposit(1, 0).Src, Orders: 2, Amount: *uint256.NewInt(42), Oldest: now.Add(-time.Minute)},
			{Dst: other.Dst, Src: other.Src, Orders: 1, Amount: other.Pays, Oldest: now.Add(-time.Hour)},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("what is owed differs (-want +got):\n%s", diff)
		}
	})
}

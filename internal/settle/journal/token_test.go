package journal_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
)

// A database that is restored, or fails over with a loss, gives out an epoch a
// second time. The writer that had it first can write nothing more.
func TestSameEpochTwice(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			at := place(t, kind)
			a, b := mustOpen(t, kind, at), mustOpen(t, kind, at)
			first, err := a.Acquire(t.Context(), "a")
			if err != nil {
				t.Fatal(err)
			}
			if kind == "sqlite" {
				_ = first.Release(t.Context()) // the lock; a copied file would have none
			}
			alter(t, kind, at, "UPDATE lease SET epoch = epoch - 1, until = 0, token = ''")
			second := await(t, b)
			if second.Epoch() != first.Epoch() {
				t.Fatalf("epoch = %d, want the same again, %d", second.Epoch(), first.Epoch())
			}
			if err := write(t, first, put(deposit(1, order.Final))); !errors.Is(err, journal.ErrLost) {
				t.Errorf("Write of the first writer = %v, want ErrLost", err)
			}
			if err := first.Renew(t.Context()); !errors.Is(err, journal.ErrLost) {
				t.Errorf("Renew of the first writer = %v, want ErrLost", err)
			}
			must(t, second, put(deposit(2, order.Final)))
			if _, found, err := b.Order(t.Context(), hash(1)); found || err != nil {
				t.Errorf("the order of the first writer: %v, %v, want none", found, err)
			}
		})
	}
}

// An alarm stays until its cause is gone.
func TestAlarms(t *testing.T) {
	each(t, func(t *testing.T, j journal.Journal, w journal.Writer) {
		a := journal.Alarm{Chain: 369, Name: "finality-broken", Subject: hash(1), Since: now}
		b := journal.Alarm{Name: "paid-and-returned", Subject: hash(2), Since: now}
		put := func(list ...journal.Alarm) op {
			return func(ctx context.Context, tx journal.Tx) error {
				for _, a := range list {
					if err := tx.PutAlarm(ctx, a); err != nil {
						return err
					}
				}
				return nil
			}
		}
		must(t, w, put(a, b))
		a.Accepted = now.Add(time.Hour)
		must(t, w, put(a))
		if got, err := j.Alarms(t.Context()); err != nil || !slices.Equal(got, []journal.Alarm{b, a}) {
			t.Errorf("Alarms = %+v, %v, want %+v", got, err, []journal.Alarm{b, a})
		}
		must(t, w, func(ctx context.Context, tx journal.Tx) error { return tx.EndAlarm(ctx, b) })
		if got, err := j.Alarms(t.Context()); err != nil || !slices.Equal(got, []journal.Alarm{a}) {
			t.Errorf("Alarms = %+v, %v, want %+v", got, err, []journal.Alarm{a})
		}
	})
}

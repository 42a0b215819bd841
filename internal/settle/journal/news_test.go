package journal_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
)

// TestNewsMakesDue puts an order off and has each kind of news call it back.
func TestNewsMakesDue(t *testing.T) {
	each(t, func(t *testing.T, j journal.Journal, w journal.Writer) {
		fact := journal.Fact{Order: hash(1), Event: order.EventPaid, Fact: order.Fact{Tx: order.Hash{3}}}
		burn := journal.Burn{Key: order.Hash{1}, Way: "back", Sent: []byte{1}, Order: hash(1)}
		again := deposit(1, order.Final)
		again.NotBefore = time.Time{}
		must(t, w, put(deposit(1, order.Agreed)), task(1, order.Pay, step.FinalDeposit))
		for name, news := range map[string]op{
			"a fact":            func(ctx context.Context, tx journal.Tx) error { return tx.PutFact(ctx, fact) },
			"a better proof":    put(again),
			"the end of a task": func(ctx context.Context, tx journal.Tx) error { return tx.EndTask(ctx, 1, order.Void) },
			"its burn":          func(ctx context.Context, tx journal.Tx) error { return tx.PutBurn(ctx, burn) },
			"a call":            func(ctx context.Context, tx journal.Tx) error { return tx.Due(ctx, hash(1)) },
		} {
			must(t, w, func(ctx context.Context, tx journal.Tx) error {
				return tx.SetState(ctx, hash(1), journal.Decision{State: order.Proved, At: now, NotBefore: now.Add(time.Hour)})
			})
			if n, err := length(j.OrdersDue(t.Context(), now, 9)); n != 0 || err != nil {
				t.Fatalf("%d orders are due before %s, %v, want 0", n, name, err)
			}
			must(t, w, news)
			if n, err := length(j.OrdersDue(t.Context(), now, 9)); n != 1 || err != nil {
				t.Errorf("%d orders are due after %s, %v, want 1", n, name, err)
			}
		}
	})
}

// TestWritesComeOneAfterTheOther has many writes change what they read, as a
// decision about an order and the news about it do at the same time.
func TestWritesComeOneAfterTheOther(t *testing.T) {
	const writers, turns = 8, 10
	each(t, func(t *testing.T, j journal.Journal, w journal.Writer) {
		must(t, w, put(deposit(1, order.Final)))
		var writing errgroup.Group
		for range writers {
			writing.Go(func() (err error) {
				for n := 0; n < turns && err == nil; n++ {
					err = write(t, w, func(ctx context.Context, tx journal.Tx) error {
						o, _, err := tx.Order(ctx, hash(1))
						o.Refusal.Times++
						return errors.Join(err, tx.SetRefusal(ctx, hash(1), o.Refusal))
					})
				}
				return err
			})
		}
		if err := writing.Wait(); err != nil {
			t.Fatal(err)
		}
		if o, _, err := j.Order(t.Context(), hash(1)); err != nil || o.Refusal.Times != writers*turns {
			t.Errorf("%d of %d changes are kept, %v; want all", o.Refusal.Times, writers*turns, err)
		}
	})
}

// TestMintTakenBackRaisesTheRevision has one endpoint say that a burn is minted for
// good, and then that it is not.
func TestMintTakenBackRaisesTheRevision(t *testing.T) {
	each(t, func(t *testing.T, j journal.Journal, w journal.Writer) {
		must(t, w, put(deposit(1, order.Final)))
		for _, tt := range []struct {
			name, status string
			reason       order.Reason
			want         int64
		}{
			{"signed", "delivering", "", 0},
			{"minted in a block", "delivered", order.Finality, 0},
			{"that block is replaced", "delivering", order.InFlight, 0},
			{"minted for good", "delivered", "", 0},
			{"still minted", "delivered", "", 0},
			{"taken back", "delivering", "", 1},
			{"minted for good again", "delivered", "", 1},
			{"minted, and not for good", "delivered", order.Finality, 2},
		} {
			burn := journal.Burn{Key: order.Hash{1}, Way: "out", Sent: []byte{1}, Order: hash(1), Status: tt.status, Reason: tt.reason}
			must(t, w, func(ctx context.Context, tx journal.Tx) error { return tx.PutBurn(ctx, burn) })
			if o, _, err := j.Order(t.Context(), hash(1)); err != nil || o.Revision != tt.want {
				t.Errorf("%s: revision %d, %v, want %d", tt.name, o.Revision, err, tt.want)
			}
		}
	})
}

// TestSumsOfWork asks for what is paid and still held, and for tasks whose
// nonce is used.
func TestSumsOfWork(t *testing.T) {
	each(t, func(t *testing.T, j journal.Journal, w journal.Writer) {
		free := journal.Fact{Order: hash(2), Event: order.EventReleased, Fact: order.Fact{Tx: order.Hash{3}, Proof: order.Agreed}}
		must(t, w, put(deposit(1, order.Final)), put(deposit(2, order.Final)), put(deposit(3, order.Final)),
			state(1, order.Settled, "", now), state(2, order.Settled, "", now), task(3, order.Pay, step.FinalDeposit), commit(signed(1, 5), reserve(1, 0)),
			func(ctx context.Context, tx journal.Tx) error {
				return errors.Join(tx.PutFact(ctx, free), tx.SetNonce(ctx, journal.Nonce{Chain: 369, Key: key, Nonce: 5, State: journal.NonceMined, Block: 77}))
			})
		sums, err := j.Unreleased(t.Context())
		if got := sums[deposit(1, 0).Src]; err != nil || len(sums) != 1 || got.Uint64() != 400 {
			t.Errorf("Unreleased = %v, %v, want 400 of one source", sums, err)
		}
		done, err := j.TasksMined(t.Context())
		if err != nil || len(done) != 1 || done[0].ID != 1 || done[0].Block != 77 || done[0].State != journal.NonceMined {
			t.Errorf("TasksMined = %+v, %v, want task 1 in block 77", done, err)
		}
	})
}

// TestFinalDepositsReserveNothing commits a payment that was decided before its
// deposit became final. Nothing would free what it reserved.
func TestFinalDepositsReserveNothing(t *testing.T) {
	each(t, func(t *testing.T, j journal.Journal, w journal.Writer) {
		must(t, w, put(deposit(1, order.Agreed)), task(1, order.Pay, step.WithinExposure), put(deposit(1, order.Final)), commit(signed(1, 5), reserve(1, 400)))
		if sums, err := j.Exposure(t.Context()); err != nil || len(sums) != 0 {
			t.Errorf("Exposure = %v, %v, want none", sums, err)
		}
	})
}

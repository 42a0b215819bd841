package record_test

import (
	"context"
	"testing"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/event"
	"hubquote/internal/settle/watch/record"
	"hubquote/test/journaltest"
)

var id = order.ID{1}

// at is the deposit in a block, by its transaction.
func at(tx, block byte) event.Event {
	return event.Event{
		Order: &order.Order{ID: id, Body: []byte{1}, Deadline: time.Unix(int64(block), 0).UTC()},
		Fact:  journal.Fact{Order: id, Event: order.EventOpened, Fact: order.Fact{Chain: 1, Tx: order.Hash{tx}, Block: uint64(block), Hash: order.Hash{block}}},
	}
}

type write func(context.Context, *record.Book) error

func put(e event.Event, p order.Proof) write {
	return func(ctx context.Context, b *record.Book) error { return b.Put(ctx, e, p) }
}

func gone(e event.Event, p order.Proof) write {
	e.Proof = p
	return func(ctx context.Context, b *record.Book) error { return b.Gone(ctx, e.Fact) }
}

func closed(ctx context.Context, b *record.Book) error {
	return b.Tx.SetState(ctx, id, journal.Decision{State: order.Closed})
}

// What is better proved is not replaced by what is less so, and the order's row
// is that of the best deposit.
func TestDeposits(t *testing.T) {
	for name, c := range map[string]struct {
		steps []write
		proof order.Proof
		tx    byte
		block byte
		state order.State
	}{
		"told":                            {[]write{put(at(1, 1), order.Told)}, order.Told, 1, 1, order.Seen},
		"told again":                      {[]write{put(at(1, 1), order.Agreed), put(at(1, 1), order.Told)}, order.Agreed, 1, 1, order.Seen},
		"raised":                          {[]write{put(at(1, 1), order.Told), put(at(1, 1), order.Final)}, order.Final, 1, 1, order.Seen},
		"told in another block":           {[]write{put(at(1, 1), order.Agreed), put(at(1, 2), order.Told)}, order.Agreed, 1, 1, order.Seen},
		"agreed on in another block":      {[]write{put(at(1, 1), order.Agreed), put(at(1, 2), order.Agreed)}, order.Agreed, 1, 2, order.Seen},
		"told in another transaction":     {[]write{put(at(1, 1), order.Agreed), put(at(2, 1), order.Told)}, order.Agreed, 1, 1, order.Seen},
		"told, then agreed on in another": {[]write{put(at(2, 1), order.Told), put(at(1, 1), order.Agreed), gone(at(2, 1), order.Told)}, order.Agreed, 1, 1, order.Seen},
		"gone":                            {[]write{put(at(1, 1), order.Agreed), gone(at(1, 1), order.Agreed)}, order.Unproved, 1, 1, order.Seen},
		"gone and mined again":            {[]write{put(at(1, 1), order.Agreed), gone(at(1, 1), order.Agreed), put(at(1, 2), order.Told)}, order.Told, 1, 2, order.Seen},
		"gone and in another transaction": {[]write{put(at(1, 1), order.Agreed), gone(at(1, 1), order.Agreed), put(at(2, 2), order.Told)}, order.Told, 2, 2, order.Seen},
		"told, and gone when closed":      {[]write{put(at(1, 1), order.Final), closed, put(at(2, 2), order.Told), gone(at(2, 2), order.Told)}, order.Final, 1, 1, order.Closed},
		"gone when the order was closed":  {[]write{put(at(1, 1), order.Final), closed, gone(at(1, 1), order.Final)}, order.Unproved, 1, 1, order.Waiting},
	} {
		t.Run(name, func(t *testing.T) {
			o, facts := play(t, c.steps)
			for _, f := range facts {
				if f.Tx == o.SrcTx && !f.Gone && (f.Proof != c.proof || f.Hash != o.SrcHash) {
					t.Errorf("its fact has proof %d in block %d, want %d in block %d", f.Proof, f.Block, c.proof, c.block)
				}
			}
			if o.Proof != c.proof || o.SrcTx != (order.Hash{c.tx}) || o.SrcHash != (order.Hash{c.block}) || o.Deadline.Unix() != int64(c.block) || o.State != c.state {
				t.Errorf("proof %d, transaction %d, block %d, deadline %d, %s; want %d, %d, %d, %d, %s",
					o.Proof, o.SrcTx[0], o.SrcHash[0], o.Deadline.Unix(), o.State, c.proof, c.tx, c.block, c.block, c.state)
			}
		})
	}
}

// play writes each step in a transaction of its own and returns the order and
// its facts.
func play(t *testing.T, steps []write) (journal.Order, []journal.Fact) {
	t.Helper()
	j, w := journaltest.Open(t)
	for _, s := range steps {
		err := w.Write(t.Context(), func(tx journal.Tx) error { return s(t.Context(), &record.Book{Tx: tx, Now: time.Now()}) })
		if err != nil {
			t.Fatal(err)
		}
	}
	o, found, err := j.Order(t.Context(), id)
	if err != nil || !found {
		t.Fatalf("the order is not there: %v", err)
	}
	facts, err := j.Facts(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return o, facts
}

// A deposit that one endpoint tells about changes nothing that could be decided.
func TestToldDepositsAreNotDue(t *testing.T) {
	paid := at(9, 1)
	paid.Order, paid.Fact.Event = nil, order.EventPaid
	for name, c := range map[string]struct {
		steps []write
		due   bool
	}{
		"told":                          {[]write{put(at(1, 1), order.Told)}, false},
		"agreed on":                     {[]write{put(at(1, 1), order.Agreed)}, true},
		"told, then agreed on":          {[]write{put(at(1, 1), order.Told), put(at(1, 1), order.Agreed)}, true},
		"told after its payment":        {[]write{put(paid, order.Told), put(at(1, 1), order.Told)}, true},
		"told before its payment":       {[]write{put(at(1, 1), order.Told), put(paid, order.Told)}, true},
		"told in another block, or two": {[]write{put(at(1, 1), order.Told), put(at(2, 2), order.Told)}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if o, _ := play(t, c.steps); o.NotBefore.After(time.Now()) == c.due {
				t.Errorf("looked at again at %v, want at once: %v", o.NotBefore, c.due)
			}
		})
	}
}

// What was read ahead does not hide what the same transaction writes.
func TestExpect(t *testing.T) {
	all := func(ctx context.Context, b *record.Book) error {
		events := []event.Event{at(1, 1), at(1, 2), at(2, 2)}
		if err := b.Expect(ctx, events); err != nil {
			return err
		}
		for _, e := range events {
			if err := b.Put(ctx, e, order.Agreed); err != nil {
				return err
			}
		}
		return b.Put(ctx, events[0], order.Told)
	}
	o, facts := play(t, []write{all, put(at(2, 2), order.Final), all})
	if o.SrcTx != (order.Hash{2}) || o.Proof != order.Final || len(facts) != 2 {
		t.Errorf("the deposit is in transaction %d with proof %d, and there are %d facts; want 2, %d and 2", o.SrcTx[0], o.Proof, len(facts), order.Final)
	}
}

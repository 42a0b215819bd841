// Package record writes events into the journal, so that what is better proved
// is never replaced by what is less so, and that writing an event twice changes
// nothing.
package record

import (
	"context"
	"slices"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/event"
)

// A Book writes the events of one transaction and keeps which orders changed.
type Book struct {
	Tx      journal.Tx
	Now     time.Time
	changed []order.ID
	known   map[order.ID][]journal.Fact // of orders that were asked about, until they change
}

// Expect reads what is known about the orders of events, all at once: to ask for
// each when its turn comes takes much longer.
func (b *Book) Expect(ctx context.Context, events []event.Event) (err error) {
	var ids []order.ID
	for _, e := range events {
		ids = append(ids, e.Fact.Order)
	}
	if b.known, err = b.Tx.FactsBy(ctx, ids); err != nil {
		return err
	}
	for _, id := range ids {
		b.known[id] = slices.Clip(b.known[id]) // also those of which there is none
	}
	return nil
}

func (b *Book) facts(ctx context.Context, id order.ID) ([]journal.Fact, error) {
	if facts, asked := b.known[id]; asked {
		return facts, nil
	}
	return b.Tx.Facts(ctx, id)
}

func (b *Book) put(ctx context.Context, f journal.Fact) error {
	delete(b.known, f.Order)
	b.changed = append(b.changed, f.Order)
	return b.Tx.PutFact(ctx, f)
}

// Changed returns the orders that have news.
func (b *Book) Changed() []order.ID { return b.changed }

// Put records an event with its proof.
func (b *Book) Put(ctx context.Context, e event.Event, p order.Proof) error {
	if e.Event == order.EventClaimed && e.Fact.Order.IsZero() {
		return b.claim(ctx, e, p)
	}
	e.Proof = p
	known, err := b.facts(ctx, e.Fact.Order)
	if err != nil {
		return err
	}
	before, news := compare(known, e.Fact)
	early, err := b.early(ctx, e)
	if !news || early || err != nil {
		return err
	}
	if before.Hash == e.Hash && e.Time.IsZero() {
		e.Time = before.Time
	}
	if err := b.put(ctx, e.Fact); err != nil {
		return err
	}
	switch e.Event {
	case order.EventOpened:
		return b.open(ctx, e, known)
	case order.EventSkipped:
		return b.refuse(ctx, e, before.Proof)
	}
	return nil
}

// compare returns what is known about a fact and whether this is news. One
// endpoint's word does not move what several agreed on: they are asked again
// first, and say when it is gone.
func compare(known []journal.Fact, f journal.Fact) (before journal.Fact, news bool) {
	for _, k := range known {
		if k.Event != f.Event || k.Chain != f.Chain || k.Tx != f.Tx || k.Log != f.Log {
			continue
		}
		switch {
		case k.Gone:
			return k, true
		case k.Hash == f.Hash:
			return k, f.Proof > k.Proof
		}
		return k, f.Proof >= order.Agreed || k.Proof < order.Agreed
	}
	return journal.Fact{}, true
}

// unproved is when an order that one endpoint tells about is looked at if there is no
// other news of it: its state is the one it has when it is new, and the vote
// about its deposit makes it due.
const unproved = 10 * time.Minute

// open records the deposit, unless a better proved one of the same order is
// there. An order of which no deposit was known is new.
func (b *Book) open(ctx context.Context, e event.Event, known []journal.Fact) error {
	row := journal.Order{
		Order: *e.Order, SrcTx: e.Tx, SrcLog: e.Log, SrcBlock: e.Block, SrcHash: e.Hash, Proof: e.Proof,
		State: order.Seen, Reason: order.Finality, Since: b.Now,
	}
	if len(known) == 0 && e.Proof < order.Agreed {
		row.NotBefore = b.Now.Add(unproved)
	}
	if !slices.ContainsFunc(known, func(f journal.Fact) bool { return f.Event == order.EventOpened }) {
		return b.Tx.PutOrder(ctx, row)
	}
	before, found, err := b.Tx.Order(ctx, e.Order.ID)
	same := before.SrcTx == e.Tx && before.SrcLog == e.Log && before.SrcHash == e.Hash
	if err != nil || found && before.Proof > e.Proof && !same {
		return err
	}
	row.BurnKey = before.BurnKey
	return b.Tx.PutOrder(ctx, row)
}

// early reports whether a refusal is agreed on before its order is known, as
// happens when two chains are read side by side. It stays told, so that it is
// judged again when there is an order to count it for.
func (b *Book) early(ctx context.Context, e event.Event) (bool, error) {
	if e.Event != order.EventSkipped || e.Proof < order.Agreed || e.Proof >= order.Final {
		return false, nil
	}
	_, found, err := b.Tx.Order(ctx, e.Fact.Order)
	return !found, err
}

// refuse counts a refusal once, when it is first agreed on: on one endpoint's
// word alone an order would be cancelled.
func (b *Book) refuse(ctx context.Context, e event.Event, before order.Proof) error {
	o, found, err := b.Tx.Order(ctx, e.Fact.Order)
	if err != nil || !found || e.Refusal.Why == "" || e.Proof < order.Agreed || before >= order.Agreed {
		return err
	}
	e.Refusal.At, e.Refusal.Times = e.Time, o.Refusal.Times+1
	return b.Tx.SetRefusal(ctx, o.ID, e.Refusal)
}

// Raise records that a fact is better proved now.
func (b *Book) Raise(ctx context.Context, f journal.Fact, p order.Proof) error {
	if p <= f.Proof {
		return nil
	}
	f.Proof = p
	if err := b.put(ctx, f); err != nil || f.Event != order.EventOpened {
		return err
	}
	return b.prove(ctx, f, p)
}

// Gone records that a fact's block is no longer part of the chain. What became
// of an order that was closed must be decided again, unless the fact was only
// told: nothing was decided by that.
func (b *Book) Gone(ctx context.Context, f journal.Fact) error {
	f.Gone = true
	if err := b.put(ctx, f); err != nil {
		return err
	}
	if f.Event == order.EventOpened {
		if err := b.prove(ctx, f, order.Unproved); err != nil {
			return err
		}
	}
	o, found, err := b.Tx.Order(ctx, f.Order)
	if err != nil || !found || o.State != order.Closed || f.Proof < order.Agreed {
		return err
	}
	return b.Tx.SetState(ctx, o.ID, journal.Decision{State: order.Waiting, Reason: order.Reorganised, At: b.Now})
}

// Unless records that a fact is gone, unless it has at least this proof by now.
func (b *Book) Unless(ctx context.Context, f journal.Fact, p order.Proof) error {
	known, err := b.facts(ctx, f.Order)
	for _, k := range known {
		if k.Event == f.Event && k.Chain == f.Chain && k.Tx == f.Tx && k.Log == f.Log && k.Proof >= p {
			return err
		}
	}
	if err != nil {
		return err
	}
	return b.Gone(ctx, f)
}

// prove changes the proof of the deposit that a fact is about.
func (b *Book) prove(ctx context.Context, f journal.Fact, p order.Proof) error {
	o, found, err := b.Tx.Order(ctx, f.Order)
	if err != nil || !found || o.SrcTx != f.Tx || o.SrcLog != f.Log || o.SrcHash != f.Hash {
		return err
	}
	o.Proof, o.NotBefore = p, time.Time{}
	return b.Tx.PutOrder(ctx, o)
}

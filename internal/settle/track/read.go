package track

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/track/status"
	"hubquote/swap"
)

// read answers from the journal.
func (h *Handler) read(ctx context.Context, tx swap.Hash) (*swap.Tracking, error) {
	ctx, cancel := context.WithTimeout(ctx, readLimit)
	defer cancel()
	looked, err := h.looked(ctx)
	if err != nil {
		return nil, err
	}
	t := &swap.Tracking{AsOf: time.Now(), Looked: looked}
	f, err := h.find(ctx, order.Hash(tx))
	if err != nil {
		return nil, err
	}
	t.Omitted = f.omitted
	for _, o := range f.orders {
		s, err := h.statusOf(ctx, o)
		if err != nil {
			return nil, err
		}
		t.Orders = append(t.Orders, s)
	}
	for i := range f.open {
		t.Orders = append(t.Orders, status.Burned(t.AsOf, &f.open[i], h.atlas))
	}
	if t.Orders == nil {
		t.Reason = swap.WhyNotFound
	}
	return t, nil
}

// A found is what a transaction is part of.
type found struct {
	orders  []journal.Order
	open    []journal.Burn // that are no orders yet
	omitted int            // more than may be listed
	known   map[order.ID]bool
}

// find returns the orders that a transaction opened, or else those it is part of
// in another way, and its burns that are no orders yet.
func (h *Handler) find(ctx context.Context, tx order.Hash) (f *found, err error) {
	f = &found{known: map[order.ID]bool{{}: true}}
	j := h.opts.Journal
	opened, err := j.OrdersBySource(ctx, tx)
	if err != nil {
		return nil, err
	}
	for i := range opened {
		f.add(&opened[i])
	}
	if len(opened) > 0 { // it may have burned as well
		burns, err := j.BurnsByTx(ctx, tx)
		return f, errors.Join(err, h.sortBurns(ctx, burns, f))
	}
	facts, err := j.FactsByTx(ctx, tx)
	if err != nil {
		return nil, err
	}
	for i := range facts {
		if err := h.look(ctx, facts[i].Order, f); err != nil {
			return nil, err
		}
	}
	if len(f.orders) > 0 {
		return f, nil
	}
	return f, h.findBurns(ctx, tx, f)
}

// add lists an order, or counts it when the list is full.
func (f *found) add(o *journal.Order) {
	f.known[o.ID] = true
	if len(f.orders) == maxOrders {
		f.omitted++
		return
	}
	f.orders = append(f.orders, *o)
}

// look adds an order that is not listed yet, if there is one.
func (h *Handler) look(ctx context.Context, id order.ID, f *found) error {
	if f.known[id] {
		return nil
	}
	o, exists, err := h.opts.Journal.Order(ctx, id)
	if exists {
		f.add(&o)
	}
	return err
}

func (h *Handler) findBurns(ctx context.Context, tx order.Hash, f *found) error {
	burns, err := h.opts.Journal.BurnsByTx(ctx, tx)
	if err != nil {
		return err
	}
	mints, err := h.opts.Journal.BurnsByMint(ctx, tx)
	if err != nil {
		return err
	}
	return h.sortBurns(ctx, append(burns, mints...), f)
}

// sortBurns adds the orders that burns have become, and the other burns.
func (h *Handler) sortBurns(ctx context.Context, burns []journal.Burn, f *found) error {
	for _, b := range journal.Real(burns) {
		if err := h.look(ctx, b.Order, f); err != nil {
			return err
		}
		switch isOrder := f.known[b.Order] && !b.Order.IsZero(); { // its relay may be known before the order that it opened is
		case isOrder || b.Way != "in":
		case len(f.open) == maxOrders:
			f.omitted++
		default:
			f.open = append(f.open, b)
		}
	}
	return nil
}

func (h *Handler) statusOf(ctx context.Context, o journal.Order) (swap.Status, error) {
	a := status.Account{Order: o}
	var err error
	if a.Facts, err = h.opts.Journal.Facts(ctx, o.ID); err != nil {
		return swap.Status{}, err
	}
	if status.Burns(&o) {
		burns, err := h.opts.Journal.BurnsOf(ctx, o.ID)
		if err != nil {
			return swap.Status{}, err
		}
		a.Burns = journal.Real(burns)
	}
	s, err := status.Of(time.Now(), a, h.atlas)
	if err != nil {
		return s, fmt.Errorf("order %v: %w", o.ID, err)
	}
	return s, nil
}

// looked is how far the chains are read.
func (h *Handler) looked(ctx context.Context) ([]swap.Looked, error) {
	return h.cursors.get(poll, func() ([]swap.Looked, error) {
		rows, err := h.opts.Journal.Cursors(ctx)
		if err != nil {
			return nil, err
		}
		var list []swap.Looked
		for _, c := range rows { // ordered by chain
			if len(list) == 0 || list[len(list)-1].Chain != c.Chain {
				list = append(list, swap.Looked{Chain: c.Chain})
			}
			at := &list[len(list)-1]
			if c.Pass == "final" {
				at.Final = c.Number
			} else {
				at.Head = max(at.Head, c.Number)
			}
		}
		return list, nil
	})
}

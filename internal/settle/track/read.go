package track

import (
	"context"
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
	orders, burns, err := h.find(ctx, order.Hash(tx))
	if err != nil {
		return nil, err
	}
	for _, o := range orders {
		s, err := h.statusOf(ctx, o)
		if err != nil {
			return nil, err
		}
		t.Orders = append(t.Orders, s)
	}
	for i := range burns {
		t.Orders = append(t.Orders, status.Burned(&burns[i], h.atlas))
	}
	if t.Orders == nil {
		t.Reason = swap.WhyNotFound
	}
	return t, nil
}

// find returns the orders that a transaction opened, or else those it is part of
// in another way, and its burns that are no orders yet.
func (h *Handler) find(ctx context.Context, tx order.Hash) (orders []journal.Order, open []journal.Burn, err error) {
	j := h.opts.Journal
	if orders, err = j.OrdersBySource(ctx, tx); err != nil {
		return nil, nil, err
	}
	opened := len(orders) > 0
	orders = orders[:min(len(orders), maxOrders)]
	known := map[order.ID]bool{{}: true}
	for i := range orders {
		known[orders[i].ID] = true
	}
	add := func(id order.ID) error {
		if known[id] || len(orders) >= maxOrders {
			return nil
		}
		known[id] = true
		o, found, err := j.Order(ctx, id)
		if found {
			orders = append(orders, o)
		}
		return err
	}
	if opened { // it may have burned as well
		burns, err := j.BurnsByTx(ctx, tx)
		if err == nil {
			open, err = h.sortBurns(ctx, burns, add)
		}
		return orders, open, err
	}
	facts, err := j.FactsByTx(ctx, tx)
	if err != nil {
		return nil, nil, err
	}
	for _, f := range facts {
		if err := add(f.Order); err != nil {
			return nil, nil, err
		}
	}
	if len(orders) == 0 {
		open, err = h.findBurns(ctx, tx, add)
	}
	return orders, open, err
}

func (h *Handler) findBurns(ctx context.Context, tx order.Hash, add func(order.ID) error) (open []journal.Burn, err error) {
	burns, err := h.opts.Journal.BurnsByTx(ctx, tx)
	if err != nil {
		return nil, err
	}
	mints, err := h.opts.Journal.BurnsByMint(ctx, tx)
	if err != nil {
		return nil, err
	}
	return h.sortBurns(ctx, append(burns, mints...), add)
}

// sortBurns adds the orders that burns have become, and returns the other burns.
func (h *Handler) sortBurns(ctx context.Context, burns []journal.Burn, add func(order.ID) error) (open []journal.Burn, err error) {
	for _, b := range burns {
		// Its relay may be known before the order that it opened is.
		_, opened, err := h.opts.Journal.Order(ctx, b.Order)
		if err != nil {
			return nil, err
		}
		if !opened && b.Way == "in" && len(open) < maxOrders {
			open = append(open, b)
		}
		if err := add(b.Order); err != nil {
			return nil, err
		}
	}
	return open, nil
}

func (h *Handler) statusOf(ctx context.Context, o journal.Order) (swap.Status, error) {
	a := status.Account{Order: o}
	var err error
	if a.Facts, err = h.opts.Journal.Facts(ctx, o.ID); err != nil {
		return swap.Status{}, err
	}
	if status.Burns(&o) {
		if a.Burns, err = h.opts.Journal.BurnsOf(ctx, o.ID); err != nil {
			return swap.Status{}, err
		}
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

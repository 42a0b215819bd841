package track

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/wire/tracking"
	"hubquote/swap"
)

// sumPools adds up what is not paid yet, by paying pool.
func (h *Handler) sumPools(ctx context.Context) ([]pending, error) {
	owed, err := h.opts.Journal.Owed(ctx)
	if err != nil {
		return nil, err
	}
	sums := map[order.Pool]*tally{}
	for _, o := range owed {
		if sums[o.Dst] == nil {
			sums[o.Dst] = &tally{oldest: o.Oldest, from: map[order.Pool]swap.Amount{}}
		}
		sums[o.Dst].add(o)
	}
	list := []pending{}
	for _, p := range slices.SortedFunc(maps.Keys(sums), comparePools) {
		s := sums[p]
		list = append(list, pending{p.Chain, p.Address, s.orders, s.amount.Dec(), s.oldest.UTC(), s.sources()})
	}
	return list, nil
}

type tally struct {
	orders int
	amount swap.Amount
	oldest time.Time
	from   map[order.Pool]swap.Amount // of it, by source: each has a cap of its own
}

func (t *tally) add(o journal.Owed) {
	t.orders += int(o.Orders)
	t.amount.Add(&t.amount, &o.Amount)
	t.from[o.Src] = o.Amount
	if o.Oldest.Before(t.oldest) {
		t.oldest = o.Oldest
	}
}

func (t *tally) sources() (list []pendingFrom) {
	for _, p := range slices.SortedFunc(maps.Keys(t.from), comparePools) {
		sum := t.from[p]
		list = append(list, pendingFrom{p.Chain, p.Address, sum.Dec()})
	}
	return list
}

func comparePools(a, b order.Pool) int {
	return cmp.Or(cmp.Compare(a.Chain, b.Chain), slices.Compare(a.Address[:], b.Address[:]))
}

func chains(list []swap.Looked) []tracking.Looked {
	return tracking.New(&swap.Tracking{Looked: list}).Chains
}

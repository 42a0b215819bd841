// Package budget completes a world with what no contract limits: the exposure to
// deposits that are not final, payments whose deposits are not released, and
// the transactions at a loss of a day. It takes off what is under way already,
// so that two rounds do not spend the same money.
package budget

import (
	"context"
	"maps"
	"slices"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// Limits are the operator's.
type Limits struct {
	// Exposure is how much may be paid for deposits that are not final, by chain
	// and token. Absent means nothing.
	Exposure map[order.Pool]swap.Amount

	// BreakEven is the smallest deposit whose payment earns its gas, by the chain
	// of the payment, then by chain and token of the deposit. Smaller ones are
	// paid within Losses. Absent means that all earn enough.
	BreakEven map[swap.ChainID]map[order.Pool]swap.Amount

	// Losses is how many transactions a day may earn less than they cost, by
	// chain.
	Losses map[swap.ChainID]uint64
}

// Complete fills in what is left of every limit, and takes payments that are
// under way off what the contracts have. What the world does not know stays
// unknown.
func Complete(ctx context.Context, now time.Time, r journal.Reader, l Limits, w *world.World) error {
	for _, step := range []func(context.Context, time.Time, journal.Reader, *Limits, *world.World) error{early, earning, losses, unfreed, underWay} {
		if err := step(ctx, now, r, &l, w); err != nil {
			return err
		}
	}
	return nil
}

func early(ctx context.Context, _ time.Time, r journal.Reader, l *Limits, w *world.World) error {
	reserved, err := r.Exposure(ctx)
	for token, limit := range l.Exposure {
		used := reserved[token]
		w.Left[world.Budget{Limit: world.Early, Pool: token}] = less(limit, used)
	}
	return err
}

// earning says what a payment must be about to earn its gas, on the chains whose
// fees are known.
func earning(_ context.Context, _ time.Time, _ journal.Reader, l *Limits, w *world.World) error {
	for chain, least := range l.BreakEven {
		if fees, known := w.Fees[chain]; known {
			fees.BreakEven = least
			w.Fees[chain] = fees
		}
	}
	return nil
}

// losses counts those of the calendar day, so that a restart does not give a
// new budget.
func losses(ctx context.Context, now time.Time, r journal.Reader, l *Limits, w *world.World) error {
	made, err := r.Losses(ctx, now.UTC().Truncate(24*time.Hour))
	for chain, limit := range l.Losses {
		n := swap.Amount{limit - min(limit, made[chain])}
		w.Left[world.Budget{Limit: world.Subsidy, Pool: order.Pool{Chain: chain}}] = n
	}
	return err
}

// unfreed asks nothing when no source is known that it could be taken off: there may
// be many paid orders whose release is not final.
func unfreed(ctx context.Context, _ time.Time, r journal.Reader, _ *Limits, w *world.World) error {
	if !slices.ContainsFunc(slices.Collect(maps.Keys(w.Left)), func(b world.Budget) bool { return b.Limit == world.Unfreed }) {
		return nil
	}
	held, err := r.Unreleased(ctx)
	for source, sum := range held {
		take(w, world.Budget{Limit: world.Unfreed, Pool: source}, sum)
	}
	return err
}

func underWay(ctx context.Context, _ time.Time, r journal.Reader, _ *Limits, w *world.World) error {
	orders, err := r.OrdersPaying(ctx)
	for i := range orders {
		o := &orders[i]
		take(w, world.Budget{Limit: world.Liquidity, Pool: o.Dst}, o.Pays)
		take(w, world.Budget{Limit: world.Payments, Pool: o.Dst}, o.Pays)
		take(w, world.Budget{Limit: world.ForSource, Pool: o.Dst, From: world.SourceOf(&o.Order)}, o.Pays)
		take(w, world.Budget{Limit: world.Unfreed, Pool: o.Src}, o.Amount)
	}
	return err
}

// take lowers what is left, if that is known.
func take(w *world.World, b world.Budget, amount swap.Amount) {
	if left, known := w.Left[b]; known {
		w.Left[b] = less(left, amount)
	}
}

func less(a, b swap.Amount) (rest swap.Amount) {
	if a.Gt(&b) {
		rest.Sub(&a, &b)
	}
	return rest
}

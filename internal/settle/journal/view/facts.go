package view

import (
	"context"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/table"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// FactsOpen implements [journal.Reader].
func (v View) FactsOpen(ctx context.Context, chain swap.ChainID) ([]journal.Fact, error) {
	return Facts.All(ctx, v.Q, "WHERE chain = $1 AND proof < 4 AND NOT gone ORDER BY block, log", chain)
}

// FactsFrom implements [journal.Reader].
func (v View) FactsFrom(ctx context.Context, chain swap.ChainID, block uint64) ([]journal.Fact, error) {
	return Facts.All(ctx, v.Q, "WHERE chain = $1 AND block >= $2 AND NOT gone ORDER BY block DESC, log", chain, block)
}

// FactFinal implements [journal.Reader].
func (v View) FactFinal(ctx context.Context, chain swap.ChainID) (journal.Fact, bool, error) {
	return Facts.One(ctx, v.Q, "WHERE chain = $1 AND proof >= 4 AND NOT gone ORDER BY block DESC, log LIMIT 1", chain)
}

// FactsOf implements [journal.Reader].
func (v View) FactsOf(ctx context.Context, chain swap.ChainID, event order.Event) ([]journal.Fact, error) {
	return Facts.All(ctx, v.Q, "WHERE chain = $1 AND event = $2 AND NOT gone ORDER BY block, log", chain, event)
}

type opening struct {
	running uint64
	amount  swap.Amount
	left    bool
}

// The plus sign keeps SQLite from looking for the end of each order among all facts
// of its chain.
var openings = table.New("orders o JOIN facts f ON f.order_id = o.id", 0,
	`o.running, o.amount, EXISTS (SELECT 1 FROM facts e WHERE e.order_id = o.id AND e.event IN ('released', 'refunded', 'reclaimed')
	 AND +e.chain = f.chain AND NOT e.gone AND e.block <= $1)`,
	func(o *opening) []any { return []any{&o.running, &o.amount, &o.left} })

// Holding implements [journal.Reader].
func (v View) Holding(ctx context.Context, source order.Pool, block uint64) (h journal.Holding, err error) {
	err = openings.Each(ctx, v.Q, func(r opening) {
		h.Orders++
		h.Next = max(h.Next, r.running+1)
		if !r.left {
			h.Sum.Add(&h.Sum, &r.amount)
		}
	}, "WHERE o.src_chain = $2 AND o.src_pool = $3 AND f.event = 'opened' AND NOT f.gone AND f.block <= $1",
		block, source.Chain, (*table.Address)(&source.Address))
	return h, err
}

package view

import (
	"context"
	"fmt"
	"strings"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/table"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// A sum is an amount that is added up by contract or token. Sums are made here,
// since no column type of both databases holds 256 bits.
type sum struct {
	of     order.Pool
	amount swap.Amount
}

func (s *sum) fields() []any {
	return []any{&s.of.Chain, (*table.Address)(&s.of.Address), &s.amount}
}

var (
	reservations = table.New("tasks t JOIN orders o ON o.id = t.subject", 0, "o.src_chain, o.asset, t.reserved", (*sum).fields)
	deposits     = table.New("orders", 0, "src_chain, src_pool, amount", (*sum).fields)
)

func add(rows []sum, err error) (map[order.Pool]swap.Amount, error) {
	sums := map[order.Pool]swap.Amount{}
	for _, r := range rows {
		total := sums[r.of]
		total.Add(&total, &r.amount)
		sums[r.of] = total
	}
	return sums, err
}

// Exposure implements [journal.Reader].
func (v View) Exposure(ctx context.Context) (map[order.Pool]swap.Amount, error) {
	return add(reservations.All(ctx, v.Q, "WHERE t.reserved <> '0'"))
}

// Unreleased implements [journal.Reader].
func (v View) Unreleased(ctx context.Context) (map[order.Pool]swap.Amount, error) {
	return add(deposits.All(ctx, v.Q, "WHERE state IN ('paid', 'claimable', 'settled') AND NOT EXISTS "+
		"(SELECT 1 FROM facts f WHERE f.order_id = id AND f.event = 'released' AND f.proof >= 2 AND NOT f.gone)"))
}

type count struct {
	chain swap.ChainID
	n     uint64
}

var counts = table.New("tasks", 0, "tasks.chain, COUNT(*)", func(c *count) []any { return []any{&c.chain, &c.n} })

// Losses implements [journal.Reader]. A task that became void after it was signed
// has cost its gas.
func (v View) Losses(ctx context.Context, since time.Time) (map[swap.ChainID]uint64, error) {
	rows, err := counts.All(ctx, v.Q, "WHERE loss AND made >= $1 AND (progress <> 'void' OR EXISTS (SELECT 1 FROM links WHERE task = tasks.id)) GROUP BY tasks.chain", since.UnixMilli())
	made := map[swap.ChainID]uint64{}
	for _, c := range rows {
		made[c.chain] = c.n
	}
	return made, err
}

type sent struct {
	key swap.Address
	n   uint64
}

var sents = table.New("nonces", 0, "key, COUNT(*)", func(s *sent) []any { return []any{(*table.Address)(&s.key), &s.n} })

// TxsSent implements [journal.Reader].
func (v View) TxsSent(ctx context.Context) (map[swap.Address]uint64, error) {
	rows, err := sents.All(ctx, v.Q, "WHERE state = 'sent' GROUP BY key")
	open := map[swap.Address]uint64{}
	for _, s := range rows {
		open[s.key] = s.n
	}
	return open, err
}

var mined = table.New("tasks t JOIN links l ON l.task = t.id JOIN nonces n ON n.chain = l.chain AND n.key = l.key AND n.nonce = l.nonce", 0,
	"t.id, t.subject, t.kind, t.chain, t.progress, t.basis, t.tag, t.reserved, t.made, t.loss, n.state, n.block",
	func(m *journal.Mined) []any { return append(Tasks.Fields(&m.Task), &m.State, &m.Block) })

// TasksMined implements [journal.Reader].
func (v View) TasksMined(ctx context.Context) ([]journal.Mined, error) {
	return mined.All(ctx, v.Q, "WHERE t.progress = 'sent' AND n.state <> 'sent' ORDER BY t.id")
}

// OrdersPaying implements [journal.Reader].
func (v View) OrdersPaying(ctx context.Context) ([]journal.Order, error) {
	return Orders.All(ctx, v.Q, "WHERE id IN (SELECT subject FROM tasks WHERE progress = 'sent' AND kind = 'pay') ORDER BY id")
}

// OrdersBy implements [journal.Reader].
func (v View) OrdersBy(ctx context.Context, f journal.Filter) ([]journal.Order, error) {
	var where []string
	var args []any
	need := func(clause string, arg any) {
		args = append(args, arg)
		where = append(where, strings.ReplaceAll(clause, "?", fmt.Sprintf("$%d", len(args))))
	}
	need("refusals >= ?", 0)
	if f.State != "" {
		need("state = ?", f.State)
	}
	if f.Chain != 0 {
		need("(src_chain = ? OR dst_chain = ?)", f.Chain)
	}
	if !f.Until.IsZero() {
		need("since <= ?", f.Until.UnixMilli())
	}
	rest := "WHERE " + strings.Join(where, " AND ") + " ORDER BY since, id"
	if f.Limit > 0 {
		rest += fmt.Sprintf(" LIMIT %d", f.Limit)
	}
	return Orders.All(ctx, v.Q, rest, args...)
}

var ages = table.New("orders", 0, "state, COUNT(*), MIN(since)", func(a *journal.Age) []any {
	return []any{&a.State, &a.Orders, (*table.Moment)(&a.Oldest)}
})

// Ages implements [journal.Reader].
func (v View) Ages(ctx context.Context) ([]journal.Age, error) {
	return ages.All(ctx, v.Q, "GROUP BY state ORDER BY state")
}

var unpaid = table.New("orders", 0, "dst_chain, dst_pool, src_chain, src_pool, pays, since", func(o *journal.Owed) []any {
	return []any{&o.Dst.Chain, (*table.Address)(&o.Dst.Address), &o.Src.Chain, (*table.Address)(&o.Src.Address), &o.Amount, (*table.Moment)(&o.Oldest)}
})

// Owed implements [journal.Reader]. It keeps a sum for each pair of contracts, and
// no order: there may be very many.
func (v View) Owed(ctx context.Context) (list []journal.Owed, err error) {
	at := map[[2]order.Pool]int{}
	err = unpaid.Each(ctx, v.Q, func(o journal.Owed) {
		i, known := at[[2]order.Pool{o.Dst, o.Src}]
		if !known {
			i = len(list)
			at[[2]order.Pool{o.Dst, o.Src}] = i
			list = append(list, journal.Owed{Dst: o.Dst, Src: o.Src, Oldest: o.Oldest})
		}
		sum := &list[i]
		sum.Orders++
		sum.Amount.Add(&sum.Amount, &o.Amount)
		if o.Oldest.Before(sum.Oldest) {
			sum.Oldest = o.Oldest
		}
	}, "WHERE state IN ('gone', 'seen', 'proved', 'waiting', 'parked', 'paying', 'cancelling') AND dst_pool <> $1 AND proof >= $2", (*table.Address)(&swap.Address{}), order.Agreed)
	return list, err
}

// BurnsByTx implements [journal.Reader].
func (v View) BurnsByTx(ctx context.Context, tx order.Hash) ([]journal.Burn, error) {
	return Burns.All(ctx, v.Q, "WHERE tx = $1 ORDER BY log", tx)
}

// BurnsDoubted implements [journal.Reader].
func (v View) BurnsDoubted(ctx context.Context, some journal.Doubted, limit int) ([]journal.Burn, error) {
	return Burns.All(ctx, v.Q, "WHERE NOT agreed AND domain = $1 AND (attestation IS NOT NULL) = $2 AND (mined > $3 OR since > $3) AND key > $4 ORDER BY key LIMIT $5",
		some.Domain, some.Signed, some.Since.UnixMilli(), some.After, limit)
}

// BurnsByMint implements [journal.Reader].
func (v View) BurnsByMint(ctx context.Context, tx order.Hash) ([]journal.Burn, error) {
	return Burns.All(ctx, v.Q, "WHERE mint_tx = $1 ORDER BY domain, tx, log", tx)
}

// BurnsOf implements [journal.Reader].
func (v View) BurnsOf(ctx context.Context, id order.ID) ([]journal.Burn, error) {
	return Burns.All(ctx, v.Q, "WHERE order_id = $1 ORDER BY domain, tx, log", id)
}

// WishesOf implements [journal.Reader].
func (v View) WishesOf(ctx context.Context, subject order.ID) ([]journal.Wish, error) {
	return Wishes.All(ctx, v.Q, "WHERE subject = $1 ORDER BY at, id", subject)
}

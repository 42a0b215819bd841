package view

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/table"
	"hubquote/internal/settle/order"
)

// atOnce is how many orders one query asks about: to ask about each alone takes
// ten times as long.
const atOnce = 100

// places are the parameters of a query about that many.
var places = func() string {
	var list []string
	for i := range atOnce {
		list = append(list, fmt.Sprintf("$%d", i+1))
	}
	return "(" + strings.Join(list, ", ") + ")"
}()

// some asks about a hundred at a time, about each once. The last hundred is
// filled up with its last one, so that all have the same query.
func some(ids []order.ID, ask func(args []any) error) error {
	ids = slices.Clone(ids)
	slices.SortFunc(ids, func(a, b order.ID) int { return bytes.Compare(a[:], b[:]) })
	for chunk := range slices.Chunk(slices.Compact(ids), atOnce) {
		args := make([]any, atOnce)
		for i := range args {
			args[i] = chunk[min(i, len(chunk)-1)]
		}
		if err := ask(args); err != nil {
			return err
		}
	}
	return nil
}

// FactsBy implements [journal.Reader].
func (v View) FactsBy(ctx context.Context, ids []order.ID) (map[order.ID][]journal.Fact, error) {
	all := map[order.ID][]journal.Fact{}
	return all, some(ids, func(args []any) error {
		return Facts.Each(ctx, v.Q, func(f journal.Fact) { all[f.Order] = append(all[f.Order], f) }, "WHERE order_id IN "+places+" ORDER BY at, chain, tx, log", args...)
	})
}

// TasksBy implements [journal.Reader].
func (v View) TasksBy(ctx context.Context, subjects []order.Hash) (map[order.Hash][]journal.Task, error) {
	all := map[order.Hash][]journal.Task{}
	return all, some(subjects, func(args []any) error {
		return Tasks.Each(ctx, v.Q, func(t journal.Task) { all[t.Subject] = append(all[t.Subject], t) }, "WHERE subject IN "+places+" ORDER BY id", args...)
	})
}

type next struct {
	id order.ID
	at time.Time
}

var nexts = table.New("orders", 1, "id, not_before", func(n *next) []any { return []any{&n.id, (*table.Moment)(&n.at)} })

// NotBefore implements [journal.Reader].
func (v View) NotBefore(ctx context.Context, ids []order.ID) (map[order.ID]time.Time, error) {
	all := map[order.ID]time.Time{}
	return all, some(ids, func(args []any) error {
		return nexts.Each(ctx, v.Q, func(n next) { all[n.id] = n.at }, "WHERE id IN "+places, args...)
	})
}

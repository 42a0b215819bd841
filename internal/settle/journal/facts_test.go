package journal_test

import (
	"context"
	"testing"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
)

func happened(n int, e order.Event, block uint64, p order.Proof, gone bool) op {
	f := journal.Fact{Order: hash(n), Event: e, Gone: gone, Fact: order.Fact{Chain: token.Chain, Tx: order.Hash{byte(n), byte(block)}, Block: block, Proof: p}}
	return func(ctx context.Context, tx journal.Tx) error { return tx.PutFact(ctx, f) }
}

// TestFactsOfAChain asks for what a watcher needs to know about a chain.
func TestFactsOfAChain(t *testing.T) {
	each(t, func(t *testing.T, j journal.Journal, w journal.Writer) {
		second := deposit(2, order.Final)
		second.Running = 7
		must(t, w, put(deposit(1, order.Final)), put(second), put(deposit(3, order.Final)), put(deposit(4, order.Final)),
			happened(1, order.EventOpened, 10, order.Final, false), happened(2, order.EventOpened, 20, order.Agreed, false),
			happened(3, order.EventOpened, 30, order.Final, true), happened(4, order.EventOpened, 40, order.Told, false),
			happened(1, order.EventRefunded, 25, order.Told, false), happened(2, order.EventReleased, 25, order.Final, true),
			happened(1, order.EventCredited, 25, order.Final, false))
		for name, q := range map[string]struct {
			ask  func(context.Context) ([]journal.Fact, error)
			want int
		}{
			"open":                   {func(ctx context.Context) ([]journal.Fact, error) { return j.FactsOpen(ctx, token.Chain) }, 3},
			"open, of another chain": {func(ctx context.Context) ([]journal.Fact, error) { return j.FactsOpen(ctx, 1) }, 0},
			"from a block":           {func(ctx context.Context) ([]journal.Fact, error) { return j.FactsFrom(ctx, token.Chain, 25) }, 3},
			"of a kind": {func(ctx context.Context) ([]journal.Fact, error) {
				return j.FactsOf(ctx, token.Chain, order.EventCredited)
			}, 1},
			"of a kind that is gone": {func(ctx context.Context) ([]journal.Fact, error) {
				return j.FactsOf(ctx, token.Chain, order.EventReleased)
			}, 0},
		} {
			if got, err := q.ask(t.Context()); err != nil || len(got) != q.want {
				t.Errorf("facts %s: %d, %v; want %d", name, len(got), err, q.want)
			}
		}
		if f, found, err := j.FactFinal(t.Context(), token.Chain); err != nil || !found || f.Block != 25 || f.Event != order.EventCredited {
			t.Errorf("the latest final fact = %+v, %v, %v; want the credit in block 25", f, found, err)
		}
		if f, found, err := j.FactFinal(t.Context(), 1); err != nil || found {
			t.Errorf("the latest final fact of another chain = %+v, %v, %v; want none", f, found, err)
		}
		for block, want := range map[uint64]struct{ orders, next, sum uint64 }{
			9: {0, 0, 0}, 10: {1, 4, 400}, 24: {2, 8, 800}, 25: {2, 8, 400}, 40: {3, 8, 800},
		} {
			got, err := j.Holding(t.Context(), deposit(1, 0).Src, block)
			if err != nil || got.Orders != want.orders || got.Next != want.next || got.Sum.Uint64() != want.sum {
				t.Errorf("holding at block %d = %+v, %v; want %+v", block, got, err, want)
			}
		}
	})
}

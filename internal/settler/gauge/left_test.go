package gauge_test

import (
	"testing"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settler/gauge"
	"hubquote/internal/settler/term"
	"hubquote/swap"
	"hubquote/test/journaltest"
)

// What a key has under way is counted when the settler does not have the key.
func TestTransactionsOfARemovedKeyAreCounted(t *testing.T) {
	ctx, key := t.Context(), swap.Address{7}
	j, w := journaltest.Open(t)
	err := w.Write(ctx, func(tx journal.Tx) error {
		id, err := tx.AddTask(ctx, journal.Task{Subject: order.Hash{1}, Kind: order.Sweep, Chain: 369})
		if err != nil {
			return err
		}
		return tx.Commit(ctx, journal.Attempt{Hash: order.Hash{2}, Chain: 369, Key: key, Raw: []byte{1}}, []journal.Reserved{{Task: id}}, nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		keys []swap.Address
		term *term.Term
		want float64
	}{
		{"the settler has the key", []swap.Address{{1}, key}, &term.Term{}, 0},
		{"the key was taken out", []swap.Address{{1}}, &term.Term{}, 1},
		{"a standby sends nothing", []swap.Address{{1}}, nil, 0},
	} {
		for _, g := range gauge.List(gauge.Source{Journal: j, Keys: tt.keys, Term: func() *term.Term { return tt.term }}) {
			if g.Name == "settler_left_behind" && g.Read() != tt.want {
				t.Errorf("%s: %v transactions are left behind, want %v", tt.name, g.Read(), tt.want)
			}
		}
	}
}

package source

import (
	"fmt"
	"testing"

	"hubquote/internal/settle/burns/scan"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/test/journaltest"
)

// Equal messages of a transaction that an earlier version named by their places keep
// their rows and their orders, whatever numbers their places are.
func TestEqualMessagesWithOldNames(t *testing.T) {
	for _, places := range [][]uint64{{4}, {3, 9}, {1, 7}, {2, 8, 14}, {0, 1, 2}, {0, 2, 1 << 20}} {
		t.Run(fmt.Sprint(places), func(t *testing.T) {
			j, w := journaltest.Open(t)
			ctx, tx := t.Context(), order.Hash{5}
			burn := func(n int, name uint64) journal.Burn {
				sent := []byte("the same")
				return journal.Burn{
					Key: scan.Key(6, tx, name, sent), Domain: 6, Tx: tx, Log: places[n], Way: "out", Sent: sent, Order: order.ID{byte(n + 1)},
					Block: 7, Status: "seen", Agreed: true,
				}
			}
			var want []journal.Burn
			err := w.Write(ctx, func(book journal.Tx) error {
				for n, place := range places {
					want = append(want, burn(n, place))
					if err := book.PutBurn(ctx, want[n]); err != nil {
						return err
					}
				}
				for range 2 { // they are read again
					for n := range places {
						if err := add(ctx, book, burn(n, uint64(n))); err != nil {
							return err
						}
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			got, err := j.BurnsByTx(ctx, tx)
			if err != nil || len(got) != len(want) {
				t.Fatalf("%d burns, %v, want %d", len(got), err, len(want))
			}
			for n := range got {
				if got[n].Key != want[n].Key || got[n].Order != want[n].Order {
					t.Errorf("burn %d is %v of order %v, want %v of order %v", n, got[n].Key, got[n].Order, want[n].Key, want[n].Order)
				}
			}
		})
	}
}

// A burn that endpoints find after the upgrade, beside equal ones with old names, is
// added once.
func TestOneMoreThanOldNames(t *testing.T) {
	j, w := journaltest.Open(t)
	ctx, tx, sent := t.Context(), order.Hash{5}, []byte("the same")
	row := journal.Burn{Key: scan.Key(6, tx, 3, sent), Domain: 6, Tx: tx, Log: 3, Way: "out", Sent: sent, Status: "seen", Agreed: true}
	err := w.Write(ctx, func(book journal.Tx) error {
		if err := book.PutBurn(ctx, row); err != nil {
			return err
		}
		for range 2 {
			for n := range uint64(2) {
				row.Key, row.Log = scan.Key(6, tx, n, sent), 3+6*n
				if err := add(ctx, book, row); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := j.BurnsByTx(ctx, tx); err != nil || len(got) != 2 {
		t.Errorf("%d burns, %v, want 2", len(got), err)
	}
}

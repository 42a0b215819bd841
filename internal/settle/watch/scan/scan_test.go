package scan

import (
	"context"
	"errors"
	"testing"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/event"
	"hubquote/internal/settle/watch/record"
	"hubquote/test/journaltest"
)

// Much is written in parts, and the cursor with the last of them: one that is cut
// short begins again where it was.
func TestTheCursorComesLast(t *testing.T) {
	j, w := journaltest.Open(t)
	var events []event.Event
	for n := range 2*atOnce + 1 {
		id := order.ID{byte(n >> 8), byte(n), 1}
		events = append(events, event.Event{
			Order: &order.Order{ID: id, Body: []byte{1}},
			Fact:  journal.Fact{Order: id, Event: order.EventOpened, Fact: order.Fact{Chain: 1, Tx: id, Block: 7, Hash: order.Hash{7}}},
		})
	}
	killed, left := errors.New("killed"), 2
	s := Scanner{Write: func(ctx context.Context, fn func(*record.Book) error) error {
		if left--; left < 0 {
			return killed
		}
		return w.Write(ctx, func(tx journal.Tx) error { return fn(&record.Book{Tx: tx}) })
	}}
	check := func(orders, cursors int) {
		t.Helper()
		img, err := j.All(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if len(img.Orders) != orders || len(img.Facts) != orders || len(img.Cursors) != cursors {
			t.Errorf("%d orders, %d facts, %d cursors, want %d, %d and %d", len(img.Orders), len(img.Facts), len(img.Cursors), orders, orders, cursors)
		}
	}
	cursor := &journal.Cursor{Chain: 1, Pass: "head", Number: 7}
	if err := s.record(t.Context(), events, cursor); !errors.Is(err, killed) {
		t.Fatalf("record = %v, want that it was cut short", err)
	}
	check(2*atOnce, 0)
	left = 3
	if err := s.record(t.Context(), events, cursor); err != nil {
		t.Fatal(err)
	}
	check(2*atOnce+1, 1)
}

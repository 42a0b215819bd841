package audit

import (
	"fmt"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
)

// Step returns what is wrong between two images of one journal:
//
//	 4  attempts are never deleted or altered but for their sending
//	 8  the epoch never falls
//	10  revision and step of an order never fall together
func Step(before, after *journal.Image) []error {
	c := &checker{}
	attempts, orders := map[order.Hash]journal.Attempt{}, map[order.ID]journal.Order{}
	for _, a := range after.Attempts {
		attempts[a.Hash] = a
	}
	for _, o := range after.Orders {
		orders[o.ID] = o
	}
	for _, a := range before.Attempts {
		c.must(same(a, attempts[a.Hash]), 4, "attempt %v was altered or deleted", a.Hash)
	}
	for _, a := range before.Orders {
		b := orders[a.ID]
		forward := b.Revision > a.Revision || b.Revision == a.Revision && b.State.Step() >= a.State.Step()
		c.must(forward, 10, "order %v went from %d.%s to %d.%s", a.ID, a.Revision, a.State, b.Revision, b.State)
	}
	c.must(after.Epoch >= before.Epoch, 8, "the epoch fell from %d to %d", before.Epoch, after.Epoch)
	return c.found
}

// Sent returns what is wrong with transactions that were seen on a network:
//
//	3  what is sent was committed before
func Sent(img *journal.Image, hashes []order.Hash) []error {
	c := &checker{}
	known := map[order.Hash]bool{}
	for _, a := range img.Attempts {
		known[a.Hash] = true
	}
	for _, h := range hashes {
		c.must(known[h], 3, "transaction %v was sent and is not in the journal", h)
	}
	return c.found
}

// Rebuilt returns what is wrong with a journal that was made again from the
// chains alone:
//
//	12  it has the same orders, facts and states, but for what operators parked
func Rebuilt(old, again *journal.Image) []error {
	c := &checker{}
	states, facts := map[order.ID]order.State{}, map[string]bool{}
	for _, o := range again.Orders {
		states[o.ID] = o.State
	}
	for _, f := range again.Facts {
		facts[fact(f)] = true
	}
	for _, o := range old.Orders {
		s, found := states[o.ID]
		c.must(found && (s == o.State || o.State == order.Parked), 12, "order %v was %s and is %q", o.ID, o.State, s)
	}
	for _, f := range old.Facts {
		c.must(f.Gone || facts[fact(f)], 12, "%s of order %v is missing", f.Event, f.Order)
	}
	c.must(len(again.Orders) == len(old.Orders), 12, "%d orders became %d", len(old.Orders), len(again.Orders))
	return c.found
}

func fact(f journal.Fact) string {
	return fmt.Sprintf("%v %s %d %v %d %v", f.Order, f.Event, f.Chain, f.Tx, f.Log, f.Hash)
}

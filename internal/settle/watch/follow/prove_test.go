package follow

import (
	"testing"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/judge"
)

// A round judges a bounded number of the blocks that only one endpoint has told, and
// all others.
func TestJudgedBlocksAreBounded(t *testing.T) {
	var facts []journal.Fact
	add := func(n int, block uint64, p order.Proof) {
		for range n {
			at := len(facts)
			facts = append(facts, journal.Fact{Fact: order.Fact{Block: block, Hash: order.Hash{byte(at), byte(at >> 8)}, Proof: p}})
		}
	}
	add(3*atOnce, 10, order.Told)
	add(2*atOnce, 10, order.Agreed)
	if got, want := len(few(judge.Groups(facts), 10)), 3*atOnce; got != want {
		t.Errorf("%d blocks are judged, want %d", got, want)
	}
	facts = nil
	add(1, 11, order.Told)
	add(1, 11, order.Agreed)
	if got := few(judge.Groups(facts), 10); len(got) != 1 || got[0].Facts[0].Proof != order.Agreed {
		t.Errorf("%d blocks above the head are judged, want the one that was agreed on", len(got))
	}
}

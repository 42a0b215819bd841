package quorum

import (
	"slices"
	"time"
)

const (
	// maxLag is how much older than a node's own latest block the one may be at
	// which it votes: a few blocks of the slowest chain. It bounds how far one
	// dishonest node, together with a late one, can hold an answer back.
	maxLag = 45 * time.Second

	// maxApart is how many blocks the nodes of a chain may be apart: more than the
	// fastest chain makes in maxLag.
	maxApart = 512
)

// commonBlocks returns the blocks at which two or more nodes with these latest
// blocks can vote, newest first. The newest is that of the second highest head. One
// node with a false head cannot keep two others from voting at the lower of their
// own heads, which is one of these blocks; and if its head is the lowest, they vote
// at a newer block first.
func commonBlocks(heads []uint64) []uint64 {
	heads = slices.Sorted(slices.Values(heads))
	slices.Reverse(heads)
	if len(heads) < need {
		return nil
	}
	return slices.Compact(heads[need-1:])
}

// inStep reports whether a node with that head may be asked about block n. Whether
// the block is too old for it to vote is decided by the time of the block.
func inStep(head, n uint64) bool { return head >= n && head-n <= maxApart }

// shared reports whether two of the members have the same head.
func shared(members []*member) bool {
	seen := map[uint64]bool{}
	for _, m := range members {
		if seen[m.head.Number] {
			return true
		}
		seen[m.head.Number] = true
	}
	return false
}

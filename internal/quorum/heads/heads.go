// Package heads picks the blocks at which nodes are compared, from their latest
// blocks. One node with a false head cannot pick blocks that harm the others.
package heads

import "slices"

// MaxApart is how many blocks the nodes of a chain may be apart: more than the
// fastest chain makes in the time by which they may be apart.
const MaxApart = 512

// Common returns the blocks at which need or more of the nodes can vote, newest
// first. One node with a false head cannot keep two others from voting at the lower
// of their own heads, which is one of these blocks; and if its head is the lowest,
// they vote at a newer block first.
func Common(heads []uint64, need int) []uint64 {
	if len(heads) < need {
		return nil
	}
	sorted := slices.Sorted(slices.Values(heads))
	slices.Reverse(sorted)
	return slices.Compact(sorted[need-1:])
}

// InStep reports whether a node with that head may be asked about block n. Whether
// the block is too old for it to vote is decided by the time of the block.
func InStep(head, n uint64) bool { return head >= n && head-n <= MaxApart }

// OutOfStep reports whether a head is so far from block n that its node follows
// another chain, or none.
func OutOfStep(head, n uint64) bool { return max(head, n)-min(head, n) > MaxApart }

// Shared reports whether two of the heads are the same.
func Shared(heads []uint64) bool {
	seen := map[uint64]bool{}
	for _, h := range heads {
		if seen[h] {
			return true
		}
		seen[h] = true
	}
	return false
}

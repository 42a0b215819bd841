// Package heads picks the block at which nodes are compared, from their latest
// blocks. One node with a false head cannot pick a block that harms the others.
package heads

import "slices"

// MaxLag is the number of blocks that the nodes of a chain may be apart. It is a few
// seconds of the fastest chain and a few minutes of the slowest.
const MaxLag = 16

// Common returns the number of a block at which at least need of the nodes can vote.
// Unless all heads are known, it refuses a block that is more than MaxLag old, so
// that a node with a false head gains nothing when another is late.
func Common(heads []uint64, need int, all bool) (n uint64, ok bool) {
	if len(heads) < max(need, 2) {
		return 0, false
	}
	n = pin(heads)
	voters := slices.DeleteFunc(slices.Clone(heads), func(h uint64) bool { return !InStep(h, n) })
	return n, len(voters) >= need && (all || slices.Max(voters)-n <= MaxLag)
}

// pin picks the block at which votes are compared: the lowest head that is at
// most MaxLag below the second highest. One node with a false head cannot move the
// pin to a block where the others do not vote: a head that is too high is not the
// second highest, and one that is too low is not near it. There must be two
// heads.
func pin(heads []uint64) uint64 {
	heads = slices.Sorted(slices.Values(heads))
	second := heads[len(heads)-2]
	for second-heads[0] > MaxLag {
		heads = heads[1:]
	}
	return heads[0]
}

// InStep reports whether a node with that head may vote at block n. It refuses a
// block far behind its head, so that a dishonest node cannot make it confirm an
// old state. The limit is twice MaxLag: a dishonest node can pull the pin MaxLag
// below the last honest node, which may be MaxLag behind the first.
func InStep(head, n uint64) bool { return head >= n && head-n <= 2*MaxLag }

// OutOfStep reports whether a head is so far from block n that its node follows
// another chain, or none.
func OutOfStep(head, n uint64) bool { return head+MaxLag < n || head > n+2*MaxLag }

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

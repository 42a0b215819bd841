package quorum

import "slices"

// maxLag is the number of blocks that the nodes of a chain may be apart. It is a few
// seconds of the fastest chain and a few minutes of the slowest.
const maxLag = 16

// commonBlock returns the number of a block at which enough of the members can
// vote. Unless all heads are known, it refuses a block that is more than maxLag
// old, so that a node with a false head gains nothing when another is late.
func commonBlock(members []*member, all bool) (n uint64, ok bool) {
	if len(members) < need {
		return 0, false
	}
	var heads []uint64
	for _, m := range members {
		heads = append(heads, m.head.Number)
	}
	n = pin(heads)
	heads = slices.DeleteFunc(heads, func(h uint64) bool { return !inStep(h, n) })
	return n, len(heads) >= need && (all || slices.Max(heads)-n <= maxLag)
}

// pin picks the block at which votes are compared: the lowest head that is at
// most maxLag below the second highest. One node with a false head cannot move the
// pin to a block where the others do not vote: a head that is too high is not the
// second highest, and one that is too low is not near it. There must be two
// heads.
func pin(heads []uint64) uint64 {
	heads = slices.Sorted(slices.Values(heads))
	second := heads[len(heads)-2]
	for second-heads[0] > maxLag {
		heads = heads[1:]
	}
	return heads[0]
}

// inStep reports whether a node with that head may vote at block n. It refuses a
// block far behind its head, so that a dishonest node cannot make it confirm an
// old state. The limit is twice maxLag: a dishonest node can pull the pin maxLag
// below the last honest node, which may be maxLag behind the first.
func inStep(head, n uint64) bool { return head >= n && head-n <= 2*maxLag }

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

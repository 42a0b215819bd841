package poll

import (
	"context"
	"slices"

	"hubquote/internal/quorum/endpoint"
	"hubquote/internal/quorum/node"
)

// A vote is a node's value at a block. Votes are compared with ==; the time of a
// block is part of its hash.
type vote struct {
	number uint64
	hash   [32]byte
	value  any
}

// A member is an endpoint during one poll.
type member struct {
	*endpoint.Turn
	asked []uint64    // blocks it was asked to vote at
	busy  int         // calls under way
	head  *node.Block // nil before it is known
	votes []vote
	err   error // of its first failure
	ended bool
}

// readAt asks m for the value at the block with that number.
func (m *member) readAt(ctx context.Context, number uint64, read Reader) (r Result) {
	r.Block = *m.head
	if m.head.Number != number {
		if r.Block, r.Err = m.Block(ctx, number); r.Err != nil {
			return Result{Err: r.Err}
		}
	}
	if r.Value, r.Err = read(ctx, m.Turn, r.Block); r.Err != nil {
		return Result{Err: r.Err}
	}
	return r
}

// votedAt reports whether m has voted at the block with that number.
func (m *member) votedAt(number uint64) bool {
	return slices.ContainsFunc(m.votes, func(v vote) bool { return v.number == number })
}

// votedFor reports whether v is one of the votes of m.
func (m *member) votedFor(v vote) bool { return slices.Contains(m.votes, v) }

func headsOf(members []*member) (heads []uint64) {
	for _, m := range members {
		heads = append(heads, m.head.Number)
	}
	return heads
}

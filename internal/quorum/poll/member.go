package poll

import (
	"context"
	"errors"
	"slices"
	"time"

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

// errTooOld means that a node does not vote at a block, because it is much older
// than its latest one. It is no fault: another node may have chosen the block.
var errTooOld = errors.New("the block is too old to vote at")

// readAt asks m for the value at the block with that number. If this is not its
// latest one, m is asked at the same time which block that is, and for the value at
// each block that other nodes have told: with the same hash, one round trip is saved.
// Nothing else that was told is used, so a false block costs one call, which is not
// waited for.
func (m *member) readAt(ctx context.Context, number uint64, told []node.Block, lag time.Duration, read Reader) Result {
	if m.head.Number == number {
		return m.valueAt(ctx, *m.head, read)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	early := map[[32]byte]chan Result{}
	for _, b := range told {
		if early[b.Hash] == nil {
			answer := make(chan Result, 1)
			early[b.Hash] = answer
			go func() { answer <- m.valueAt(ctx, b, read) }()
		}
	}
	block, err := m.Block(ctx, number)
	switch {
	case err == node.StaleBlock, err == nil && lag >= 0 && m.head.Time.Sub(block.Time) > lag:
		return Result{Err: errTooOld}
	case err != nil:
		return Result{Err: err}
	}
	if same, told := early[block.Hash]; told {
		if r := <-same; r.Err == nil {
			return Result{Block: block, Value: r.Value}
		}
	}
	return m.valueAt(ctx, block, read)
}

func (m *member) valueAt(ctx context.Context, b node.Block, read Reader) Result {
	value, err := read(ctx, m.Turn, b)
	if err != nil {
		return Result{Err: err}
	}
	return Result{Block: b, Value: value}
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

// lateness is how long an answer may take before one more endpoint is asked.
const lateness = 4 * patience

// more asks one more endpoint, unless none is left.
func (p *poll) more() {
	for len(p.spare) > 0 {
		turn, err := p.spare[0].Join()
		p.spare = p.spare[1:]
		if err == nil {
			m := &member{Turn: turn}
			p.members = append(p.members, m)
			p.askHead(m)
			return
		}
		p.errs = append(p.errs, err)
	}
}

func (p *poll) moreUnless(enough bool) {
	if !enough {
		p.more()
	}
}

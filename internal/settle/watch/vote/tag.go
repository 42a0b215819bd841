package vote

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"hubquote/internal/settle/watch/peer"
)

// Hint is a block that one endpoint named.
type Hint struct {
	From  *peer.Peer
	Block peer.Block
}

// Reach returns the highest number that K endpoints name with a tag, or name a
// later one. It is the K-th highest of the answers it needed to reach want.
func (v Voters) Reach(ctx context.Context, tag string, want uint64, hints ...Hint) (uint64, error) {
	all, err := v.named(ctx, tag, want, hints)
	if err != nil {
		return 0, err
	}
	return all[v.K-1].value.Number, nil
}

// Tag returns the highest block that K endpoints name with a tag, or name a
// later one, and which they are. Hash and time are what the same endpoints have
// at its number: an endpoint whose tag is lower says nothing about it, since the
// block that it has there may still be replaced.
func (v Voters) Tag(ctx context.Context, tag string, want uint64, hints ...Hint) (peer.Block, []*peer.Peer, error) {
	all, err := v.named(ctx, tag, want, hints)
	if err != nil {
		return peer.Block{}, nil, err
	}
	for i := v.K - 1; i < len(all); i++ {
		number := all[i].value.Number
		if i+1 < len(all) && all[i+1].value.Number == number {
			continue // that one is asked with the next
		}
		b, by, failed := v.known(ctx, number, all[:i+1])
		if failed == nil {
			return b, by, nil
		}
		err = failed
	}
	if want == math.MaxUint64 || len(all) == len(v.Peers) {
		return peer.Block{}, nil, fmt.Errorf("tag %s: %w", tag, err)
	}
	return v.Tag(ctx, tag, math.MaxUint64, all.hints()...) // with those that were not needed
}

type answers []answer[peer.Block]

func (all answers) hints() (list []Hint) {
	for _, a := range all {
		list = append(list, Hint{a.from, a.value})
	}
	return list
}

// named returns what at least K endpoints name with a tag, the highest first.
func (v Voters) named(ctx context.Context, tag string, want uint64, hints []Hint) (answers, error) {
	var given []answer[peer.Block]
	for _, h := range hints {
		given = append(given, answer[peer.Block]{from: h.From, value: h.Block})
	}
	reached := func(got []answer[peer.Block]) bool {
		n := 0
		for _, a := range got {
			if a.value.Number >= want {
				n++
			}
		}
		return n >= v.K
	}
	all, err := ask(ctx, v, given, reached, func(ctx context.Context, p *peer.Peer) (peer.Block, error) { return p.Block(ctx, tag) })
	if len(all) < v.K {
		return nil, fmt.Errorf("tag %s: %w", tag, err)
	}
	slices.SortStableFunc(all, func(a, b answer[peer.Block]) int { return cmp.Compare(b.value.Number, a.value.Number) })
	return all, nil
}

// known returns the block that K of these endpoints have at a number. Those that
// named just that one have said so.
func (v Voters) known(ctx context.Context, number uint64, these answers) (peer.Block, []*peer.Peer, error) {
	var given answers
	for _, a := range these {
		if a.value.Number == number {
			given = append(given, a)
		}
	}
	v.Peers = givers(these)
	return v.agree(ctx, number, given, func(ctx context.Context, p *peer.Peer) (peer.Block, error) { return p.At(ctx, number) })
}

// Package vote asks the endpoints of a chain, and accepts what K of them say.
// One endpoint that is slow, silent, behind or wrong changes no answer and
// delays none by more than its own turn.
package vote

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hubquote/internal/settle/watch/peer"
)

// ErrSplit means that fewer than K endpoints gave the same answer.
var ErrSplit = errors.New("too few endpoints give the same answer")

// errEarly means that an endpoint does not call a block final yet.
var errEarly = errors.New("the endpoint does not call it final")

// patience is how long an endpoint may take before another is asked as well.
const patience = 400 * time.Millisecond

// Voters are the endpoints of one chain.
type Voters struct {
	Peers []*peer.Peer
	K     int
}

// An answer is what one endpoint says.
type answer[T any] struct {
	from  *peer.Peer
	value T
	err   error
}

// ask asks K endpoints, and one more for each that fails or is late, until
// enough is true or all have answered. Those in given have answered already.
func ask[T any](ctx context.Context, v Voters, given []answer[T], enough func([]answer[T]) bool, call func(context.Context, *peer.Peer) (T, error)) ([]answer[T], error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	left := v.others(givers(given))
	answers, good, errs := make(chan answer[T], len(left)), slices.Clone(given), []error{}
	busy := 0
	next := func() {
		if len(left) > 0 {
			p := left[0]
			left, busy = left[1:], busy+1
			go func() {
				value, err := call(ctx, p)
				answers <- answer[T]{p, value, err}
			}()
		}
	}
	for len(good)+busy < v.K && len(left) > 0 {
		next()
	}
	for late := time.After(patience); !enough(good) && busy+len(left) > 0; {
		if busy == 0 {
			next()
		}
		select {
		case a := <-answers:
			busy--
			if a.err != nil {
				errs = append(errs, a.err)
				next()
			} else {
				good = append(good, a)
			}
		case <-late:
			late = time.After(patience)
			next()
		}
	}
	if !enough(good) {
		return good, errors.Join(append(errs, ErrSplit)...)
	}
	return good, nil
}

// others returns the endpoints that are not among these, beginning with the one
// after the first of these: who begins decides who is asked next, so that all
// pairs have their turn.
func (v Voters) others(these []*peer.Peer) []*peer.Peer {
	left := slices.Clone(v.Peers)
	if len(these) > 0 {
		after := slices.Index(left, these[0]) + 1
		left = slices.Concat(left[after:], left[:after])
	}
	return slices.DeleteFunc(left, func(p *peer.Peer) bool { return slices.Contains(these, p) })
}

func givers[T any](all []answer[T]) (list []*peer.Peer) {
	for _, a := range all {
		list = append(list, a.from)
	}
	return list
}

// First returns the same voters, of whom these are asked before the others.
func (v Voters) First(these []*peer.Peer) Voters {
	v.Peers = slices.Concat(these, slices.DeleteFunc(slices.Clone(v.Peers), func(p *peer.Peer) bool { return slices.Contains(these, p) }))
	return v
}

// Block returns the block that K endpoints have at a number, and which they are.
func (v Voters) Block(ctx context.Context, number uint64) (peer.Block, []*peer.Peer, error) {
	return v.agree(ctx, number, nil, func(ctx context.Context, p *peer.Peer) (peer.Block, error) { return p.At(ctx, number) })
}

// Final returns the block that K endpoints have at a number and call final, and
// which they are.
func (v Voters) Final(ctx context.Context, number uint64) (peer.Block, []*peer.Peer, error) {
	return v.agree(ctx, number, nil, func(ctx context.Context, p *peer.Peer) (peer.Block, error) {
		tag, err := p.Block(ctx, peer.Final)
		switch {
		case err != nil:
			return peer.Block{}, err
		case tag.Number < number:
			return peer.Block{}, errEarly
		}
		return p.At(ctx, number)
	})
}

func (v Voters) agree(ctx context.Context, number uint64, given []answer[peer.Block], call func(context.Context, *peer.Peer) (peer.Block, error)) (agreed peer.Block, by []*peer.Peer, err error) {
	all, err := ask(ctx, v, given, func(got []answer[peer.Block]) bool {
		var ok bool
		agreed, ok = most(got, v.K)
		return ok
	}, call)
	if err != nil {
		return peer.Block{}, nil, fmt.Errorf("block %d: %w", number, err)
	}
	for _, a := range all {
		if a.value == agreed {
			by = append(by, a.from)
		} else {
			a.from.Disagrees()
		}
	}
	return agreed, by, nil
}

// most returns the answer that k endpoints gave.
func most[T comparable](got []answer[T], k int) (agreed T, ok bool) {
	counts := map[T]int{}
	for _, a := range got {
		counts[a.value]++
		if counts[a.value] >= k {
			return a.value, true
		}
	}
	return agreed, false
}

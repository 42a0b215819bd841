// Package vote asks the endpoints of a chain, and believes what K of them say.
// One endpoint that is slow, silent, behind or lying changes no answer and
// delays none by more than its own turn.
package vote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"hubquote/internal/settle/watch/peer"
)

// ErrSplit means that fewer than K endpoints gave the same answer.
var ErrSplit = errors.New("too few endpoints give the same answer")

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
	left := slices.DeleteFunc(slices.Clone(v.Peers), func(p *peer.Peer) bool {
		return slices.ContainsFunc(given, func(a answer[T]) bool { return a.from == p })
	})
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

// Block returns the block that K endpoints have at a number.
func (v Voters) Block(ctx context.Context, number uint64) (peer.Block, error) {
	var agreed peer.Block
	all, err := ask(ctx, v, nil, func(got []answer[peer.Block]) bool {
		var ok bool
		agreed, ok = most(got, v.K)
		return ok
	}, func(ctx context.Context, p *peer.Peer) (peer.Block, error) { return p.At(ctx, number) })
	if err != nil {
		return peer.Block{}, fmt.Errorf("block %d: %w", number, err)
	}
	for _, a := range all {
		if a.value != agreed {
			a.from.Disagrees()
		}
	}
	return agreed, nil
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

// Hint is a block that one endpoint named.
type Hint struct {
	From  *peer.Peer
	Block peer.Block
}

// Tag returns the highest block that K endpoints name with a tag, or name a
// later one. It is the K-th highest of the answers it needed to reach want.
// Hash and time are those that K endpoints have at its number.
func (v Voters) Tag(ctx context.Context, tag string, want uint64, hints ...Hint) (peer.Block, error) {
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
		return peer.Block{}, fmt.Errorf("tag %s: %w", tag, err)
	}
	slices.SortFunc(all, func(a, b answer[peer.Block]) int { return cmp.Compare(b.value.Number, a.value.Number) })
	kth := all[v.K-1].value
	if b, ok := most(all, v.K); ok && b == kth {
		return b, nil
	}
	return v.Block(ctx, kth.Number)
}

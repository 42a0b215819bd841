// Package peers asks the nodes of a chain about one key's transactions, and
// sends them. The state of a nonce needs the agreement of enough nodes; of fees
// and balances the middle counts. One node with wrong answers neither stops a lane
// nor makes it overpay.
package peers

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// Peers are the nodes of one chain.
type Peers struct {
	nodes []*peer
	k     int
	key   swap.Address
	under sync.WaitGroup
}

// New returns the nodes, of which k must agree.
func New(nodes []*node.Node, k int, key swap.Address) (*Peers, error) {
	if k < 1 || k > len(nodes) {
		return nil, errors.New("the number of nodes that must agree is between one and all of them")
	}
	p := &Peers{k: k, key: key}
	for _, n := range nodes {
		p.nodes = append(p.nodes, &peer{Node: n})
	}
	return p, nil
}

// Close waits for calls that are under way.
func (p *Peers) Close() { p.under.Wait() }

// A peer is one node.
type peer struct {
	*node.Node
	failed atomic.Bool // its last call had no answer
}

// Call is [node.Node.Call]. An error that the node itself returns is an answer.
func (p *peer) Call(ctx context.Context, result any, method string, args ...any) error {
	err := p.Node.Call(ctx, result, method, args...)
	if ctx.Err() == nil {
		p.failed.Store(err != nil && upstream.FaultOf(err) != node.Refused)
	}
	return err
}

// ordered returns the nodes with those last that did not answer the last time,
// so that one that is down costs one timeout and not one for each question.
func (p *Peers) ordered() []*peer {
	down := func(n *peer) bool { return n.failed.Load() }
	up := slices.DeleteFunc(slices.Clone(p.nodes), down)
	return append(up, slices.DeleteFunc(slices.Clone(p.nodes), func(n *peer) bool { return slices.Contains(up, n) })...)
}

// ErrSplit means that too few nodes agree. Ask again later.
var ErrSplit = errors.New("too few nodes agree")

// one asks the nodes in turn until one answers.
func (p *Peers) one(ctx context.Context, ask func(*peer) error) (err error) {
	for _, n := range p.ordered() {
		if err = ask(n); err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return err
}

// An answer is what one node said.
type answer[T any] struct {
	value T
	err   error
}

// each asks several nodes at once. The answers arrive in any order.
func each[T any](p *Peers, nodes []*peer, ask func(*peer) (T, error)) <-chan answer[T] {
	answers := make(chan answer[T], len(nodes))
	for _, n := range nodes {
		p.under.Go(func() {
			value, err := ask(n)
			answers <- answer[T]{value, err}
		})
	}
	return answers
}

// agree returns what k nodes say alike. It asks k of them, and the others one by
// one when those do not agree.
func agree[T comparable](p *Peers, ask func(*peer) (T, error)) (value T, err error) {
	votes := map[T]int{}
	nodes := p.ordered()
	for some := p.k; len(nodes) > 0; some = 1 {
		answers := each(p, nodes[:some], ask)
		for range some {
			a := <-answers
			if a.err != nil {
				err = a.err
				continue
			}
			if votes[a.value]++; votes[a.value] == p.k {
				return a.value, nil
			}
		}
		nodes = nodes[some:]
	}
	return value, errors.Join(ErrSplit, err)
}

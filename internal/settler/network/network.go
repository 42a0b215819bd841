// Package network has what the settler must know about each chain besides its
// contracts, and its endpoints: how long finality usually takes, whether fees
// buy a place in a block, and how often to look.
package network

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/pace"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// Traits are facts about a chain.
type Traits struct {
	Usual    time.Duration // until a block is final; zero: it is not known
	Safe     bool          // its safe tag means something: deposits may be paid on it
	InFlight int           // transactions of one key that its nodes keep apart
	Mempool  bool          // a higher fee is a place in an earlier block
}

// known are the chains with contracts of ours. The others only mint.
var known = map[swap.ChainID]Traits{
	1:    {Usual: 13 * time.Minute, InFlight: 16, Mempool: true},
	56:   {Usual: 10 * time.Second, InFlight: 16, Mempool: true},
	369:  {Usual: 11 * time.Minute, InFlight: 16, Mempool: true},
	4663: {Usual: 20 * time.Minute, Safe: true, InFlight: 16},
	8453: {Usual: 20 * time.Minute, Safe: true, InFlight: 16, Mempool: true},
}

// Of returns the traits of a chain. One that is not known has an odd pool, in
// which only one transaction at a time is certain.
func Of(id swap.ChainID) Traits {
	t, listed := known[id]
	if !listed {
		t = Traits{InFlight: 1, Mempool: true}
	}
	return t
}

// A Network is the endpoints of one chain.
type Network struct {
	ID    swap.ChainID
	Nodes []*node.Node  // in the order of the configuration
	State *quorum.Nodes // the same endpoints, for state near the head
	K     int           // how many of them must agree
}

// Options say how endpoints are asked.
type Options struct {
	Timeout   time.Duration     // of one call; zero means 5 s
	MaxAge    time.Duration     // of a block whose state is used; zero means five minutes, negative any age
	Transport http.RoundTripper // nil means connections of its own
}

// The least endpoints that are asked for agreement, and how many must agree.
const (
	voters = 3
	agree  = 2
)

// Open returns the endpoints of a chain. It connects to none of them yet. With
// fewer than three each is trusted, which the caller must have been told to do.
//
// The chain ID of an endpoint stays valid for [pace.Proof], where others are asked
// too also on its next connection: what matters is voted on, names contracts
// of ours, or is signed for one chain, so that another chain shows at once.
func Open(id swap.ChainID, urls []upstream.URL, o Options) (*Network, error) {
	n := &Network{ID: id, K: 1}
	if len(urls) >= voters {
		n.K = agree
	}
	for i, url := range urls {
		one, err := node.New(node.Options{Chain: id, URL: url, MaxBlockAge: -1, Timeout: cmp.Or(o.Timeout, 5*time.Second), ProofAge: pace.Proof, Lasting: n.K > 1, Transport: o.Transport})
		if err != nil {
			n.Close()
			return nil, fmt.Errorf("rpc: chain %d, endpoint %d: %w", id, i+1, err)
		}
		n.Nodes = append(n.Nodes, one)
	}
	var err error
	if n.State, err = quorum.New(quorum.Options{Chain: id, Endpoints: urls, MaxBlockAge: o.MaxAge, ProofAge: pace.Proof, Lasting: n.K > 1, Frugal: true, Transport: o.Transport}); err != nil {
		n.Close()
		return nil, fmt.Errorf("rpc: chain %d: %w", id, err)
	}
	return n, nil
}

// Close ends all connections.
func (n *Network) Close() {
	for _, one := range n.Nodes {
		one.Close()
	}
	if n.State != nil {
		n.State.Close()
	}
}

// Ago returns the number of the first block that is not older than that, as
// seen from the head. Enough endpoints must say so or name an earlier one: what
// is before it is not read.
func (n *Network) Ago(ctx context.Context, d time.Duration) (uint64, error) {
	var found []uint64
	var errs error
	for _, one := range n.Nodes {
		number, err := ago(ctx, one, d)
		if err == nil {
			found = append(found, number)
		}
		errs = errors.Join(errs, err)
	}
	if len(found) < n.K {
		return 0, fmt.Errorf("rpc: chain %d: too few endpoints say how far to look back: %w", n.ID, errs)
	}
	slices.Sort(found)
	return found[n.K-1], nil
}

// ago halves the range that the block can be in. Blocks are not equally far
// apart: where they are made for transactions, a quiet hour says nothing about
// two weeks.
func ago(ctx context.Context, one *node.Node, d time.Duration) (uint64, error) {
	head, err := one.Latest(ctx)
	if err != nil {
		return 0, err
	}
	low, high, at := uint64(0), head.Number, head.Time.Add(-d)
	for low < high {
		middle := low + (high-low)/2
		b, err := one.Block(ctx, middle)
		switch {
		case err != nil:
			return 0, err
		case b.Time.Before(at):
			low = middle + 1
		default:
			high = middle
		}
	}
	return low, nil
}

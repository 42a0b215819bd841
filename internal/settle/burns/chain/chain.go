// Package chain reads one of the issuer's networks. Logs are read at the first of
// several endpoints that answers: a burn is proved by the issuer's signature. What
// ends a delivery for good needs the same answer from enough endpoints.
package chain

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// returns is after how long the first endpoint is preferred again.
const returns = 10 * time.Minute

// A Chain is one network. It may be used from many goroutines.
type Chain struct {
	ID    swap.ChainID
	K     int // endpoints that must agree on what ends a delivery
	nodes []*node.Node

	mu      sync.Mutex
	current int
	left    time.Time      // when the first endpoint was left
	heads   map[int]uint64 // the highest block that each endpoint named
	health  Health
}

// Health is how a network is reached.
type Health struct {
	Endpoint int            // the one in use, counted from 0
	Head     uint64         // the highest block seen
	Fault    upstream.Fault // of the last call, when all endpoints failed; else empty
	Since    time.Time      // since when all fail; zero when one answers
}

// New returns a chain with its endpoints in order of preference, of which k must
// agree.
func New(id swap.ChainID, k int, nodes ...*node.Node) (*Chain, error) {
	if len(nodes) == 0 {
		return nil, errors.New("chain: no endpoint")
	}
	if k < 1 || k > len(nodes) {
		return nil, errors.New("chain: the number of endpoints that must agree is between one and all of them")
	}
	return &Chain{ID: id, K: k, nodes: nodes, heads: map[int]uint64{}}, nil
}

// From returns the same network with another endpoint first, to look for what the
// one in use left out.
func (c *Chain) From(i int) *Chain {
	return &Chain{ID: c.ID, K: c.K, nodes: slices.Concat(c.nodes[i:], c.nodes[:i]), heads: map[int]uint64{}}
}

// Health returns how the network is reached.
func (c *Chain) Health() Health {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.health
	h.Endpoint = c.current
	return h
}

// try asks the endpoints in turn, beginning with the one that answered last. The
// error is [upstream.TooLarge] only if it is that of all of them: any account can
// make an answer too large, and one endpoint must not be able to say so.
func (c *Chain) try(ctx context.Context, ask func(i int, n *node.Node) error) (err error) {
	for k, start := 0, c.start(); k < len(c.nodes) && ctx.Err() == nil; k++ {
		i := (start + k) % len(c.nodes)
		failed := ask(i, c.nodes[i])
		if failed == nil {
			c.answered(i)
			return nil
		}
		if err == nil || upstream.FaultOf(failed) != upstream.TooLarge {
			err = failed
		}
	}
	if ctx.Err() != nil {
		return upstream.Canceled
	}
	c.failed(err)
	return err
}

func (c *Chain) start() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current != 0 && time.Since(c.left) > returns {
		c.current = 0
	}
	return c.current
}

func (c *Chain) answered(i int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i != c.current {
		c.current, c.left = i, time.Now()
	}
	c.health.Fault, c.health.Since = "", time.Time{}
}

// Leave prefers the endpoint after the one in use, for some time.
func (c *Chain) Leave() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current, c.left = (c.current+1)%len(c.nodes), time.Now()
}

func (c *Chain) failed(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.health.Fault = upstream.FaultOf(err)
	if c.health.Since.IsZero() {
		c.health.Since = time.Now()
	}
}

// saw remembers a block that an endpoint has.
func (c *Chain) saw(i int, number uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heads[i] = max(c.heads[i], number)
	c.health.Head = max(c.health.Head, number)
}

func (c *Chain) seen(i int) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.heads[i]
}

// Package proxy notices when other people's contracts get other code: the tokens
// that the pools hold, the issuer's contracts and the privacy pools are proxies,
// whose owners can replace what is behind them.
//
// A catalog does not say what should be there, so that only a change is noticed, and
// nothing is refused because of it.
package proxy

import (
	"context"
	"slices"
	"time"

	"hubquote/internal/abi"
	"hubquote/internal/pools/atlas"
	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

const (
	every = time.Hour   // from one look to the next
	again = time.Minute // after one that failed
)

// slots are where proxies keep the address of their code: by EIP-1967, and by the
// older convention of the dollar tokens, the hash of org.zeppelinos.proxy.implementation.
var slots = []string{
	"0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
	"0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3",
}

// A Change is a proxy whose code is not what was first seen.
type Change struct {
	Name       string
	First, Now swap.Address // implementations; zero for none
}

// A Chain is the proxies of one chain and the nodes that are asked. It is used by one
// goroutine.
type Chain struct {
	nodes   *quorum.Nodes
	proxies []atlas.Foreign
	first   map[atlas.Foreign]swap.Address
	changes map[atlas.Foreign]Change
	due     time.Time
}

// New returns a chain of which nothing was seen yet.
func New(nodes *quorum.Nodes, proxies []atlas.Foreign) *Chain {
	return &Chain{nodes: nodes, proxies: proxies, first: map[atlas.Foreign]swap.Address{}, changes: map[atlas.Foreign]Change{}}
}

// Names returns the names of the proxies, each once.
func (c *Chain) Names() (names []string) {
	for _, p := range c.proxies {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// Look asks the nodes, once an hour, and reports whether it did.
func (c *Chain) Look(ctx context.Context) bool {
	now := time.Now()
	if now.Before(c.due) {
		return false
	}
	c.due = now.Add(every)
	if !c.seeAll(ctx) {
		c.due = now.Add(again)
	}
	return true
}

// Changes returns what has changed since the first look.
func (c *Chain) Changes() (changes []Change) {
	for _, p := range c.proxies {
		if change, ok := c.changes[p]; ok {
			changes = append(changes, change)
		}
	}
	return changes
}

// seeAll takes over what is behind the proxies now. What is not known stays as it
// was; after the first failure the rest is left for another time, so that nodes
// which do not answer cost one timeout.
func (c *Chain) seeAll(ctx context.Context) bool {
	for _, p := range c.proxies {
		now, err := c.implementation(ctx, p.Address)
		if err != nil {
			return false
		}
		c.see(p, now)
	}
	return true
}

func (c *Chain) see(p atlas.Foreign, now swap.Address) {
	first, seen := c.first[p]
	switch {
	case !seen:
		c.first[p] = now
	case first != now:
		c.changes[p] = Change{p.Name, first, now}
	default:
		delete(c.changes, p)
	}
}

// implementation returns where a proxy's code is; zero for a contract that is none.
// A node that does not answer this question still answers others.
func (c *Chain) implementation(ctx context.Context, a swap.Address) (swap.Address, error) {
	found, _, err := quorum.Ask(ctx, c.nodes, func(ctx context.Context, n quorum.Caller, at node.Block) (swap.Address, error) {
		for _, slot := range slots {
			found, err := read(ctx, n, a, slot, at)
			if err != nil {
				return swap.Address{}, quorum.BadValue(upstream.FaultOf(err))
			}
			if found != (swap.Address{}) {
				return found, nil
			}
		}
		return swap.Address{}, nil
	})
	return found, err
}

func read(ctx context.Context, n quorum.Caller, a swap.Address, slot string, at node.Block) (found swap.Address, err error) {
	var answer string
	if err := n.Call(ctx, &answer, "eth_getStorageAt", a, slot, at.ID()); err != nil {
		return swap.Address{}, err
	}
	word, err := node.ParseBytes(answer, abi.WordSize)
	if err != nil {
		return swap.Address{}, err
	}
	copy(found[:], word[abi.WordSize-len(found):])
	return found, nil
}

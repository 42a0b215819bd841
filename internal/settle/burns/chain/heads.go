package chain

import (
	"context"
	"slices"
	"sync"

	"hubquote/internal/quorum/node"
)

// Confirmed returns the highest block that two endpoints have, or the only one
// there is, and up to which block to read. Of two endpoints that differ either one
// stands still or one is ahead of the chain, so the higher is read and not
// confirmed. From then on an endpoint that has the block to read is preferred.
func (c *Chain) Confirmed(ctx context.Context) (confirmed, read uint64, err error) {
	heads, err := c.all(ctx, func(n *node.Node) (uint64, error) {
		b, err := n.Latest(ctx)
		return b.Number, err
	})
	second := min(2, len(c.nodes))
	if len(heads) < second {
		return 0, 0, err
	}
	sorted := descending(heads)
	confirmed, read = sorted[second-1], sorted[second-1]
	if len(heads) == 2 {
		read = sorted[0]
	}
	for i, number := range heads {
		c.saw(i, number)
	}
	c.leave(heads, read)
	return confirmed, read, nil
}

// behind is how many blocks an endpoint may be behind the others, as those of one
// operator are.
const behind = 64

// leave stops using an endpoint that is far behind.
func (c *Chain) leave(heads map[int]uint64, read uint64) {
	current := c.start()
	if number, answered := heads[current]; answered && number+behind >= read {
		return
	}
	for i := range c.nodes {
		if heads[i] >= read {
			c.answered(i)
			return
		}
	}
}

// Final returns the number of the final block: k endpoints name it or a later one.
func (c *Chain) Final(ctx context.Context) (uint64, error) {
	tags, err := c.all(ctx, func(n *node.Node) (uint64, error) {
		b, err := blockOf(ctx, n, "finalized")
		return uint64(b.Number), err
	})
	if len(tags) < c.K {
		return 0, err
	}
	return descending(tags)[c.K-1], nil
}

// all asks every endpoint at once, and returns what those say that answer.
func (c *Chain) all(ctx context.Context, ask func(*node.Node) (uint64, error)) (map[int]uint64, error) {
	said := map[int]uint64{}
	var mu sync.Mutex
	var last error
	var asking sync.WaitGroup
	for i, n := range c.nodes {
		asking.Go(func() {
			number, err := ask(n)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				said[i] = number
			} else {
				last = err
			}
		})
	}
	asking.Wait()
	return said, last
}

func descending(said map[int]uint64) (list []uint64) {
	for _, number := range said {
		list = append(list, number)
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

package peers

import (
	"context"
	"slices"

	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// Base returns the base fee of the latest block. A chain without one has zero.
func (p *Peers) Base(ctx context.Context) (swap.Amount, error) {
	return p.middle(lower, func(n *peer) (swap.Amount, error) {
		b, err := block(ctx, n, "latest")
		return b.base, err
	})
}

// Tip returns what nodes suggest to pay the block's maker. A node without that
// method names a whole price, of which base is not the tip.
func (p *Peers) Tip(ctx context.Context, base swap.Amount) (swap.Amount, error) {
	return p.middle(lower, func(n *peer) (swap.Amount, error) {
		var tip, price amount
		err := n.Call(ctx, &tip, "eth_maxPriorityFeePerGas")
		if upstream.FaultOf(err) != node.Refused {
			return swap.Amount(tip), err
		}
		err = n.Call(ctx, &price, "eth_gasPrice")
		whole := swap.Amount(price)
		if whole.Lt(&base) {
			return swap.Amount{}, err
		}
		return *whole.Sub(&whole, &base), err
	})
}

// Balance returns the key's coins.
func (p *Peers) Balance(ctx context.Context) (swap.Amount, error) {
	return p.middle(higher, func(n *peer) (swap.Amount, error) {
		var a amount
		err := n.Call(ctx, &a, "eth_getBalance", p.key.String(), "latest")
		return swap.Amount(a), err
	})
}

// Which of two in the middle counts: the lower fee, so that none is overpaid; the
// higher balance, since a transaction that cannot be paid for is refused.
const (
	lower = iota
	higher
)

// middle returns the middle of what nodes say, so that a wrong one moves it only
// as far as a correct one is. K nodes are asked, and the others when these are far
// apart.
func (p *Peers) middle(which int, ask func(*peer) (swap.Amount, error)) (swap.Amount, error) {
	var got []swap.Amount
	var err error
	nodes := p.ordered()
	for len(nodes) > 0 && (len(got) < p.k || !near(got)) {
		some := min(p.k, len(nodes))
		answers := each(p, nodes[:some], ask)
		for range some {
			if a := <-answers; a.err == nil {
				got = append(got, a.value)
			} else {
				err = a.err
			}
		}
		nodes = nodes[some:]
	}
	if len(got) == 0 {
		return swap.Amount{}, err
	}
	slices.SortFunc(got, func(a, b swap.Amount) int { return a.Cmp(&b) })
	return got[(len(got)-1+which)/2], nil
}

// near reports whether amounts are within a quarter of each other, as those of two
// nodes are that are a block apart.
func near(list []swap.Amount) bool {
	least := slices.MinFunc(list, func(a, b swap.Amount) int { return a.Cmp(&b) })
	most := slices.MaxFunc(list, func(a, b swap.Amount) int { return a.Cmp(&b) })
	quarter := new(swap.Amount).Rsh(&least, 2)
	return !most.Gt(quarter.Add(quarter, &least))
}

package peers

import (
	"context"
	"errors"
	"slices"
	"time"

	"hubquote/internal/settle/order"
)

// Count returns how many nonces of the key are used at the head: k nodes have
// used at least so many.
func (p *Peers) Count(ctx context.Context) (uint64, error) {
	return p.reached(func(n *peer) (uint64, error) { return p.count(ctx, n, "latest") })
}

// Final returns the number of the final block: k nodes name it or a later one.
func (p *Peers) Final(ctx context.Context) (uint64, error) {
	return p.reached(func(n *peer) (uint64, error) {
		b, err := block(ctx, n, "finalized")
		return b.number, err
	})
}

// Height returns the number of the latest block: k nodes have it or a later one.
func (p *Peers) Height(ctx context.Context) (uint64, error) {
	return p.reached(func(n *peer) (uint64, error) {
		b, err := block(ctx, n, "latest")
		return b.number, err
	})
}

// slow is how long a node may take before the others are asked as well.
const slow = 300 * time.Millisecond

// reached returns the largest number that k nodes reach. It asks k of them, and
// the others when these do not say the same, or not soon. It does not wait for
// the others once k say the same.
func (p *Peers) reached(ask func(*peer) (uint64, error)) (uint64, error) {
	var got []uint64
	var err error
	votes, nodes := map[uint64]int{}, p.ordered()
	answers, others := each(p, nodes[:p.k], ask), (<-chan answer[uint64])(nil)
	left, late := p.k, time.After(slow)
	for left > 0 {
		var a answer[uint64]
		select {
		case a = <-answers:
		case a = <-others:
		case <-late:
			a.err = errSlow
			left++ // it is still asked
		}
		left--
		switch {
		case a.err != nil:
			err = a.err
		case votes[a.value]+1 == p.k:
			return a.value, nil
		default:
			votes[a.value]++
			got = append(got, a.value)
		}
		if others == nil && (left == 0 || a.err != nil) {
			others, left = each(p, nodes[p.k:], ask), left+len(nodes)-p.k
		}
	}
	if len(got) < p.k {
		return 0, errors.Join(ErrSplit, err)
	}
	slices.Sort(got)
	return got[len(got)-p.k], nil
}

var errSlow = errors.New("a node is slow")

// Pending returns one more than the highest nonce that k nodes hold for the key,
// mined or not. One that fewer hold may still be mined; then it is foreign.
func (p *Peers) Pending(ctx context.Context) (uint64, error) {
	return p.reached(func(n *peer) (uint64, error) { return p.count(ctx, n, "pending") })
}

func (p *Peers) count(ctx context.Context, n *peer, at string) (uint64, error) {
	var count number
	err := n.Call(ctx, &count, "eth_getTransactionCount", p.key.String(), at)
	return uint64(count), err
}

// A Fate is what became of a nonce.
type Fate struct {
	Used  bool
	Tx    order.Hash // the attempt that was mined; zero when other bytes used the nonce
	Block uint64
	Hash  order.Hash // of the block
}

// Fate returns what became of a nonce that these attempts were made for, by k
// nodes.
func (p *Peers) Fate(ctx context.Context, nonce uint64, attempts []order.Hash) (Fate, error) {
	return agree(p, func(n *peer) (Fate, error) {
		for _, hash := range attempts {
			if f, err := receipt(ctx, n, hash); err != nil || f.Used {
				return f, err
			}
		}
		count, err := p.count(ctx, n, "latest")
		return Fate{Used: count > nonce}, err
	})
}

// receipt reads where a transaction was mined. Whether it succeeded is not
// asked: that says nothing about the orders in a batch.
func receipt(ctx context.Context, n *peer, tx order.Hash) (Fate, error) {
	var r *struct {
		TransactionHash, BlockHash hash
		BlockNumber                *number
	}
	if err := n.Call(ctx, &r, "eth_getTransactionReceipt", tx.String()); err != nil || r == nil {
		return Fate{}, err
	}
	if order.Hash(r.TransactionHash) != tx || r.BlockHash == (hash{}) || r.BlockNumber == nil {
		return Fate{}, errReceipt
	}
	return Fate{true, tx, uint64(*r.BlockNumber), order.Hash(r.BlockHash)}, nil
}

var errReceipt = errors.New("the node answered with something else than the receipt")

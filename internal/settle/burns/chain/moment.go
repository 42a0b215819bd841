package chain

import (
	"context"
	"errors"
	"math"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// ErrSplit means that too few endpoints say the same. Ask again later.
var ErrSplit = errors.New("too few endpoints agree")

// A Moment is a network at one time: each endpoint is asked for its head once.
type Moment struct {
	chain *Chain
	heads []func() (node.Block, error)
}

// Moment returns the present one, which has asked nothing yet.
func (c *Chain) Moment(ctx context.Context) *Moment {
	m := &Moment{chain: c}
	for i, n := range c.nodes {
		m.heads = append(m.heads, sync.OnceValues(func() (node.Block, error) {
			b, err := n.Latest(ctx)
			if err == nil {
				c.saw(i, b.Number)
			}
			return b, err
		}))
	}
	return m
}

// Call runs a function that only reads on the state after each endpoint's head.
// It returns what k of them say alike, and the block that k of these have. One that
// is far behind may only say that it is, so that further ones are asked then.
func (m *Moment) Call(ctx context.Context, to swap.Address, data []byte) (out []byte, head uint64, err error) {
	call := map[string]any{"to": common.Address(to), "data": hexutil.Bytes(data)}
	said, voters, err := agree(ctx, m.chain, m.even, func(i int, n *node.Node) (string, error) {
		at, err := m.heads[i]()
		if err != nil {
			return "", err
		}
		var answer hexutil.Bytes
		err = n.Call(ctx, &answer, "eth_call", call, at.ID())
		return string(answer), err
	})
	return []byte(said), m.reached(voters), err
}

// reached returns the block that k of these endpoints have.
func (m *Moment) reached(voters []int) uint64 {
	heads := m.named(voters)
	if len(heads) < m.chain.K {
		return 0
	}
	return heads[m.chain.K-1]
}

// even reports whether no endpoint is far behind another.
func (m *Moment) even(voters []int) bool {
	return m.reached(voters)+behind >= m.named(voters)[0]
}

// named returns the heads of endpoints that answered, the highest first.
func (m *Moment) named(voters []int) []uint64 {
	heads := map[int]uint64{}
	for _, i := range voters {
		if b, err := m.heads[i](); err == nil {
			heads[i] = b.Number
		}
	}
	return descending(heads)
}

// A Place is where an event is, and its first topic. It is zero when there is none.
type Place struct {
	Tx    order.Hash
	Block uint64
	Topic common.Hash
}

// Find returns the first of the logs in so many blocks up to each endpoint's head, or
// up to a block below, as k endpoints say alike.
func (m *Moment) Find(ctx context.Context, f Filter, last, span uint64) (Place, error) {
	return m.find(ctx, f, func(head uint64) (from, to uint64) {
		to = min(head, last)
		return to - min(to, span), to
	})
}

// In returns the first of the logs in one block, as k endpoints say alike.
func (m *Moment) In(ctx context.Context, f Filter, block uint64) (Place, error) {
	return m.find(ctx, f, func(uint64) (from, to uint64) { return block, block })
}

func (m *Moment) find(ctx context.Context, f Filter, blocks func(head uint64) (from, to uint64)) (Place, error) {
	p, _, err := agree(ctx, m.chain, whoever, func(i int, n *node.Node) (Place, error) {
		head, err := m.heads[i]()
		if err != nil {
			return Place{}, err
		}
		from, to := blocks(head.Number)
		logs, err := f.read(ctx, n, from, to)
		if err != nil || len(logs) == 0 || len(logs[0].Topics) < 2 {
			return Place{}, err
		}
		return Place{order.Hash(logs[0].TxHash), logs[0].BlockNumber, logs[0].Topics[1]}, nil
	})
	return p, err
}

// beyond is how far a head may be above what k endpoints have. A mint in a block that
// is taken for too high is final a little later.
const beyond = 1024

// Above returns a block that no honest endpoint is past: the highest head, which is
// not far above what k endpoints have where there are more.
func (m *Moment) Above() uint64 {
	heads := map[int]uint64{}
	for i := range m.heads {
		if b, err := m.heads[i](); err == nil {
			heads[i] = b.Number
		}
	}
	sorted := descending(heads)
	above := uint64(math.MaxInt64) // what a journal can hold
	if len(sorted) > 0 {
		above = min(above, sorted[0])
	}
	if k := m.chain.K; len(sorted) > k {
		above = min(above, sorted[k-1]+beyond)
	}
	return above
}

func whoever([]int) bool { return true }

// agree asks endpoints in turn until k have said the same, and those are enough, and
// tells which.
func agree[T comparable](ctx context.Context, c *Chain, enough func([]int) bool, ask func(i int, n *node.Node) (T, error)) (said T, voters []int, err error) {
	votes := map[T][]int{}
	for k, start := 0, c.start(); k < len(c.nodes) && ctx.Err() == nil; k++ {
		i := (start + k) % len(c.nodes)
		v, failed := ask(i, c.nodes[i])
		if failed != nil {
			err = failed
			continue
		}
		if len(votes) == 0 {
			c.answered(i)
		}
		if votes[v] = append(votes[v], i); len(votes[v]) == c.K && voters == nil {
			said, voters = v, votes[v]
		}
		if voters != nil {
			if voters = votes[said]; enough(voters) {
				return said, voters, nil
			}
		}
	}
	if voters != nil {
		return said, voters, nil
	}
	if len(votes) == 0 && err != nil && ctx.Err() == nil {
		c.failed(err)
		return said, nil, err
	}
	return said, nil, errors.Join(ErrSplit, err, ctx.Err())
}

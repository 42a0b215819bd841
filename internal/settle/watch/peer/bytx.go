package peer

import (
	"context"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/order"
	"hubquote/internal/upstream"
)

// ErrMore means that a block has more transactions than are read at once. The next
// time it is asked for, the endpoint goes on with those that are left.
var ErrMore = errors.New("the block has more transactions than are read at once")

const (
	txsAtOnce = 1_000
	mostLogs  = 20_000 // more than a block has gas for
)

// A part is what was read of a block by its transactions.
type part struct {
	hash common.Hash
	left []common.Hash
	logs []types.Log
}

// byTransactions reads a block by the receipts of all its transactions: some of
// them each time, because an endpoint can name any number.
func (p *Peer) byTransactions(ctx context.Context, f Filter, number uint64) ([]types.Log, error) {
	var answer *struct {
		Hash         common.Hash
		Transactions []common.Hash
	}
	if err := p.call(ctx, &answer, "eth_getBlockByNumber", quantity(number), false); err != nil {
		return nil, err
	}
	if answer == nil {
		return nil, node.OutOfStep
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	c := &p.part
	if c.hash != answer.Hash {
		*c = part{hash: answer.Hash, left: answer.Transactions}
	}
	n := min(txsAtOnce, len(c.left))
	txs := make([]order.Hash, n)
	for i, tx := range c.left[:n] {
		txs[i] = order.Hash(tx)
	}
	logs, err := p.receipts(ctx, f, order.Hash(c.hash), txs)
	if err != nil {
		return nil, err
	}
	c.left, c.logs = c.left[n:], append(c.logs, logs...)
	switch logs = c.logs; {
	case len(logs) > mostLogs:
		err = upstream.TooLarge
	case len(c.left) > 0:
		return nil, ErrMore
	}
	*c = part{}
	return logs, err
}

package chain

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/order"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// Head returns the latest block.
func (c *Chain) Head(ctx context.Context) (head node.Block, err error) {
	err = c.try(ctx, func(i int, n *node.Node) error {
		b, err := n.Latest(ctx)
		if err != nil {
			return err
		}
		c.saw(i, b.Number)
		head = b
		return nil
	})
	return head, err
}

// A block is the part of a block's JSON that is read. Its age does not matter.
type block struct {
	Number    hexutil.Uint64 `json:"number"`
	Timestamp hexutil.Uint64 `json:"timestamp"`
}

// Time returns when a block was made, and whether enough endpoints say the same;
// see [Chain.Opinions]. Of times that too few agree on the latest counts: a burn that
// seems old is rarely asked about.
func (c *Chain) Time(ctx context.Context, number uint64) (at time.Time, agreed bool, err error) {
	votes, latest := map[int64]int{}, int64(0)
	for k, start := 0, c.start(); k < len(c.nodes) && ctx.Err() == nil; k++ {
		stamp, failed := stampOf(ctx, c.nodes[(start+k)%len(c.nodes)], number)
		if failed != nil {
			err = failed
			continue
		}
		if votes[stamp]++; votes[stamp] >= c.Opinions() {
			return time.Unix(stamp, 0).UTC(), true, nil
		}
		latest = max(latest, stamp)
	}
	if len(votes) > 0 {
		err = nil
	}
	return time.Unix(latest, 0).UTC(), false, errors.Join(err, ctx.Err())
}

// future is how far a block may be ahead of our clock, as on a local chain whose
// clock is moved.
const future = 365 * 24 * time.Hour

// stampOf returns the second in which a block was made. Only the first block of a
// chain may have none.
func stampOf(ctx context.Context, n *node.Node, number uint64) (int64, error) {
	b, err := blockOf(ctx, n, hexutil.Uint64(number))
	if err != nil {
		return 0, err
	}
	latest := uint64(time.Now().Add(future).Unix())
	if uint64(b.Number) != number || uint64(b.Timestamp) > latest || b.Timestamp == 0 && number != 0 {
		return 0, upstream.Malformed
	}
	return int64(b.Timestamp), nil
}

func blockOf(ctx context.Context, n *node.Node, which any) (block, error) {
	var answer *block
	if err := n.Call(ctx, &answer, "eth_getBlockByNumber", which, false); err != nil {
		return block{}, err
	}
	if answer == nil {
		return block{}, node.OutOfStep
	}
	return *answer, nil
}

// A Filter selects logs of one contract by their topics; an empty list stands for
// any topic.
type Filter struct {
	Address swap.Address
	Topics  [][]common.Hash
}

// Logs returns the logs from one block to another, both included. An endpoint
// that has not named a block as high as the last one is asked for its head first:
// one that lags answers with fewer logs and no error.
func (c *Chain) Logs(ctx context.Context, f Filter, from, to uint64) (logs []types.Log, err error) {
	err = c.try(ctx, func(i int, n *node.Node) (err error) {
		if err := c.reaches(ctx, i, n, to); err != nil {
			return err
		}
		logs, err = f.read(ctx, n, from, to)
		return err
	})
	return logs, err
}

func (f *Filter) read(ctx context.Context, n *node.Node, from, to uint64) (logs []types.Log, err error) {
	var answer []types.Log
	err = n.Call(ctx, &answer, "eth_getLogs", map[string]any{
		"address": common.Address(f.Address), "topics": f.topics(), "fromBlock": hexutil.Uint64(from), "toBlock": hexutil.Uint64(to),
	})
	for _, l := range answer {
		if f.fits(&l) && l.BlockNumber >= from && l.BlockNumber <= to {
			logs = append(logs, l)
		}
	}
	return logs, err
}

func (c *Chain) reaches(ctx context.Context, i int, n *node.Node, number uint64) error {
	if c.seen(i) >= number {
		return nil
	}
	b, err := n.Latest(ctx)
	if err != nil {
		return err
	}
	c.saw(i, b.Number)
	if b.Number < number {
		return node.OutOfStep
	}
	return nil
}

// topics writes null for a list that stands for any topic.
func (f *Filter) topics() (list []any) {
	for _, some := range f.Topics {
		if len(some) == 0 {
			list = append(list, nil)
		} else {
			list = append(list, some)
		}
	}
	return list
}

// fits reports whether a log is what was asked for.
func (f *Filter) fits(l *types.Log) bool {
	if l.Removed || l.Address != common.Address(f.Address) || len(l.Topics) < len(f.Topics) {
		return false
	}
	for i, some := range f.Topics {
		found := len(some) == 0
		for _, topic := range some {
			found = found || topic == l.Topics[i]
		}
		if !found {
			return false
		}
	}
	return true
}

// A Receipt is what a transaction did.
type Receipt struct {
	Block uint64
	Logs  []types.Log
}

// Opinions returns how many endpoints must say the same about a transaction: two,
// or the only one there is.
func (c *Chain) Opinions() int { return min(2, len(c.nodes)) }

// Endpoints returns how many there are.
func (c *Chain) Endpoints() int { return len(c.nodes) }

// Receipts returns what a transaction did, as at most so many endpoints say, and how
// many answered. They may differ, or not have it.
func (c *Chain) Receipts(ctx context.Context, tx order.Hash, most int) (list []Receipt, asked int, err error) {
	start := c.start()
	for k := 0; k < len(c.nodes) && asked < most && ctx.Err() == nil; k++ {
		r, found, failed := receipt(ctx, c.nodes[(start+k)%len(c.nodes)], tx)
		if failed != nil && (err == nil || upstream.FaultOf(failed) != upstream.TooLarge) {
			err = failed
		}
		if failed == nil {
			asked++
		}
		if found {
			list = append(list, r)
		}
	}
	if asked > 0 {
		err = nil
	}
	return list, asked, err
}

// receipt is false for a transaction that is in no block or failed.
func receipt(ctx context.Context, n *node.Node, tx order.Hash) (r Receipt, found bool, err error) {
	var answer *struct {
		Status      hexutil.Uint64 `json:"status"`
		BlockNumber hexutil.Uint64 `json:"blockNumber"`
		Hash        common.Hash    `json:"transactionHash"`
		Logs        []types.Log    `json:"logs"`
	}
	if err := n.Call(ctx, &answer, "eth_getTransactionReceipt", common.Hash(tx)); err != nil || answer == nil {
		return r, false, err
	}
	if order.Hash(answer.Hash) != tx || answer.BlockNumber > math.MaxInt64 { // more than a journal can hold
		return r, false, upstream.Malformed
	}
	return Receipt{uint64(answer.BlockNumber), answer.Logs}, uint64(answer.Status) == types.ReceiptStatusSuccessful, nil
}

package peer

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/order"
	"hubquote/internal/upstream"
)

// A Filter selects logs by contract and by first topic.
type Filter struct {
	Addresses []common.Address
	Topics    []common.Hash
}

func (f Filter) passes(log *types.Log) bool {
	return !log.Removed && len(log.Topics) > 0 && slices.Contains(f.Addresses, log.Address) && slices.Contains(f.Topics, log.Topics[0])
}

func (f Filter) query() map[string]any {
	return map[string]any{"address": f.Addresses, "topics": [][]common.Hash{f.Topics}}
}

// Logs returns the logs of a range of blocks, in their order. One block that
// has more logs than an answer may have is read by its transactions, so that
// no sender can stop the watch by filling a block.
func (p *Peer) Logs(ctx context.Context, f Filter, from, to uint64) ([]types.Log, error) {
	q := f.query()
	q["fromBlock"], q["toBlock"] = quantity(from), quantity(to)
	logs, err := p.logs(ctx, f, q, func(log *types.Log) bool { return from <= log.BlockNumber && log.BlockNumber <= to })
	if from == to && errors.Is(err, upstream.TooLarge) {
		return p.byTransactions(ctx, f, from)
	}
	return logs, err
}

// LogsIn returns the logs in the block with that hash. An endpoint that does
// not answer by hash is asked for the receipts of these transactions instead.
func (p *Peer) LogsIn(ctx context.Context, f Filter, b Block, txs []order.Hash) ([]types.Log, error) {
	q := f.query()
	q["blockHash"] = common.Hash(b.Hash)
	logs, err := p.logs(ctx, f, q, func(log *types.Log) bool { return log.BlockHash == common.Hash(b.Hash) })
	if errors.Is(err, node.Refused) || errors.Is(err, upstream.TooLarge) {
		return p.receipts(ctx, f, b.Hash, txs)
	}
	return logs, err
}

func (p *Peer) logs(ctx context.Context, f Filter, query map[string]any, asked func(*types.Log) bool) ([]types.Log, error) {
	var logs []types.Log
	if err := p.call(ctx, &logs, "eth_getLogs", query); err != nil {
		return nil, err
	}
	for i := range logs {
		if !f.passes(&logs[i]) || !asked(&logs[i]) {
			return nil, upstream.Malformed
		}
	}
	slices.SortFunc(logs, func(a, b types.Log) int {
		return cmp.Or(cmp.Compare(a.BlockNumber, b.BlockNumber), cmp.Compare(a.Index, b.Index))
	})
	return logs, nil
}

// abreast is how many receipts are asked for at the same time.
const abreast = 16

// receipts returns the logs of transactions that are in the block with that
// hash. A transaction that is not there has none. The first failure ends it.
func (p *Peer) receipts(ctx context.Context, f Filter, hash order.Hash, txs []order.Hash) (list []types.Log, err error) {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	all := make([][]types.Log, len(txs))
	slots := make(chan struct{}, abreast)
	var asking sync.WaitGroup
	for i, tx := range txs {
		slots <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		asking.Go(func() {
			defer func() { <-slots }()
			var err error
			if all[i], err = p.receipt(ctx, f, hash, tx); err != nil {
				fail(err)
			}
		})
	}
	asking.Wait()
	return slices.Concat(all...), context.Cause(ctx)
}

func (p *Peer) receipt(ctx context.Context, f Filter, hash, tx order.Hash) (list []types.Log, err error) {
	var receipt *struct{ Logs []types.Log }
	if err := p.call(ctx, &receipt, "eth_getTransactionReceipt", common.Hash(tx)); err != nil || receipt == nil {
		return nil, err
	}
	for _, log := range receipt.Logs {
		if f.passes(&log) && log.BlockHash == common.Hash(hash) && log.TxHash == common.Hash(tx) {
			list = append(list, log)
		}
	}
	return list, nil
}

package anvil

import (
	"context"
	"errors"
	"log"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
)

// every is how often the queue is looked at.
const every = time.Second

// watch looks at the queue until the context ends. A look that fails is not told:
// the node may be stopping.
func (n *Node) watch(ctx context.Context) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = n.unstick(ctx)
		}
	}
}

// unstick sends transactions again that wait for nothing. One that comes while the
// one before it is mined can stay in the queue of anvil for ever: no block takes it,
// and the same again is "already imported".
func (n *Node) unstick(ctx context.Context) error {
	var status struct{ Queued hexutil.Uint64 }
	if err := n.rpc.CallContext(ctx, &status, "txpool_status"); err != nil || status.Queued == 0 {
		return err
	}
	before, err := n.pool(ctx)
	if err != nil {
		return err
	}
	next := map[common.Address]uint64{}
	for sender := range before.Queued {
		var nonce hexutil.Uint64
		if err := n.rpc.CallContext(ctx, &nonce, "eth_getTransactionCount", sender, "latest"); err != nil {
			return err
		}
		next[sender] = uint64(nonce)
	}
	// Read again, after the nonces: what was only on its way is no longer there.
	now, err := n.pool(ctx)
	if err != nil {
		return err
	}
	for sender, nonce := range next {
		if _, stuck := now.Queued[sender][strconv.FormatUint(nonce, 10)]; stuck {
			err = errors.Join(err, n.again(ctx, sender))
		}
	}
	return err
}

// A pool has the transactions that no block has yet, by sender and nonce: those that
// can be mined, and those that wait for one before them.
type pool struct {
	Pending, Queued map[common.Address]map[string]struct{ Hash common.Hash }
}

func (n *Node) pool(ctx context.Context) (p pool, err error) {
	return p, n.rpc.CallContext(ctx, &p, "txpool_content")
}

// of has the transactions of a sender. Of two with the same nonce, the one that can
// be mined replaced the other.
func (p pool) of(sender common.Address) (map[uint64]common.Hash, error) {
	list := map[uint64]common.Hash{}
	for _, part := range []map[string]struct{ Hash common.Hash }{p.Queued[sender], p.Pending[sender]} {
		for text, tx := range part {
			nonce, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return nil, err
			}
			list[nonce] = tx.Hash
		}
	}
	return list, nil
}

// again removes the transactions of a sender, as one alone cannot be, and sends the
// same bytes in their order.
func (n *Node) again(ctx context.Context, sender common.Address) error {
	raw := map[common.Hash]hexutil.Bytes{}
	for {
		p, err := n.pool(ctx)
		if err != nil {
			return err
		}
		list, err := p.of(sender)
		if err != nil {
			return err
		}
		known := len(raw)
		for _, hash := range list {
			if raw[hash] != nil {
				continue
			}
			var tx hexutil.Bytes
			if err := n.rpc.CallContext(ctx, &tx, "eth_getRawTransactionByHash", hash); err != nil {
				return err
			}
			raw[hash] = tx
		}
		if len(raw) > known {
			continue // while these were read, others may have come
		}
		err = n.rpc.CallContext(ctx, nil, "anvil_removePoolTransactions", sender)
		for _, nonce := range slices.Sorted(maps.Keys(list)) {
			err = errors.Join(err, n.rpc.CallContext(ctx, nil, "eth_sendRawTransaction", raw[list[nonce]]))
		}
		log.Printf("anvil for chain %d: sent %d transactions of %v again, of which one was forgotten; errors: %v", n.ID, len(list), sender, err)
		return err
	}
}

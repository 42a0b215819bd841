package anvil

import (
	"context"
	"errors"
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

// A queue has the hashes of the transactions that wait for one before them, by sender
// and nonce.
type queue map[common.Address]map[uint64]common.Hash

// unstick sends transactions again that wait for nothing. One that comes while the
// one before it is mined can stay in the queue of anvil for ever: no block takes it,
// and the same again is "already imported".
func (n *Node) unstick(ctx context.Context) error {
	waiting, err := n.queue(ctx)
	if err != nil || len(waiting) == 0 {
		return err
	}
	next := map[common.Address]uint64{}
	for sender := range waiting {
		var nonce hexutil.Uint64
		if err := n.rpc.CallContext(ctx, &nonce, "eth_getTransactionCount", sender, "latest"); err != nil {
			return err
		}
		next[sender] = uint64(nonce)
	}
	// Read again, after the nonces: what was only on its way is no longer there.
	if waiting, err = n.queue(ctx); err != nil {
		return err
	}
	for sender, list := range waiting {
		if _, stuck := list[next[sender]]; stuck {
			err = errors.Join(err, n.again(ctx, sender, list))
		}
	}
	return err
}

func (n *Node) queue(ctx context.Context) (queue, error) {
	var content struct {
		Queued map[common.Address]map[string]struct{ Hash common.Hash }
	}
	if err := n.rpc.CallContext(ctx, &content, "txpool_content"); err != nil {
		return nil, err
	}
	q := queue{}
	for sender, list := range content.Queued {
		q[sender] = map[uint64]common.Hash{}
		for text, tx := range list {
			nonce, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				return nil, err
			}
			q[sender][nonce] = tx.Hash
		}
	}
	return q, nil
}

// again removes the transactions of a sender, and sends the same bytes in their order.
func (n *Node) again(ctx context.Context, sender common.Address, list map[uint64]common.Hash) error {
	var raw []hexutil.Bytes
	for _, nonce := range slices.Sorted(maps.Keys(list)) {
		var tx hexutil.Bytes
		if err := n.rpc.CallContext(ctx, &tx, "eth_getRawTransactionByHash", list[nonce]); err != nil {
			return err
		}
		raw = append(raw, tx)
	}
	err := n.rpc.CallContext(ctx, nil, "anvil_removePoolTransactions", sender)
	for _, tx := range raw {
		err = errors.Join(err, n.rpc.CallContext(ctx, nil, "eth_sendRawTransaction", tx))
	}
	return err
}

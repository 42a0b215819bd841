package relay

import (
	"cmp"
	"context"
	"slices"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/swap"
	"hubquote/test/devnet/evm"
)

// A task is one thing to do on one chain.
type task struct {
	what string
	do   func(context.Context, *evm.Chain) error
}

// due returns what is to be done now, by the chain it is to be done on. It is
// computed from the facts anew each time.
func (r *Relayer) due() map[swap.ChainID][]task {
	due := map[swap.ChainID][]task{}
	for network, f := range r.facts {
		release := map[common.Address][][32]byte{}
		for _, d := range f.open() {
			id := d.log.Topics[1]
			payer, known := r.opts.Plan.PayerOf(d.order.DstPlace, d.order.DstToken)
			there := r.facts[payer.Network]
			switch {
			case !known || there == nil:
			case there.paid[id]:
				release[d.order.SrcPool] = append(release[d.order.SrcPool], id)
			default:
				due[payer.Network] = append(due[payer.Network], r.pay(network, d, common.Address(payer.Address)))
			}
		}
		for pool, ids := range release {
			due[network] = append(due[network], r.release(pool, ids))
		}
		for _, b := range f.burns {
			r.dueBurn(due, b)
		}
	}
	return due
}

// open returns the orders that are neither released nor refunded, oldest first.
func (f *facts) open() []deposit {
	var list []deposit
	for id, d := range f.opened {
		if !f.closed[id] {
			list = append(list, d)
		}
	}
	slices.SortFunc(list, func(a, b deposit) int {
		return cmp.Or(cmp.Compare(a.log.BlockNumber, b.log.BlockNumber), cmp.Compare(a.log.Index, b.log.Index))
	})
	return list
}

// pay pays an order, unless a payment is on its way to being final, or the
// deposit is gone.
func (r *Relayer) pay(source swap.ChainID, d deposit, pool common.Address) task {
	return task{"paying an order", func(ctx context.Context, c *evm.Chain) error {
		id := d.log.Topics[1]
		settled, err := read[contract.Settlement](ctx, c, pool, "settlements", [32]byte(id))
		if err != nil || settled != contract.Unsettled {
			return err
		}
		there, err := stillThere(ctx, r.opts.Chains[source], &d)
		if err != nil || !there {
			return err
		}
		tx, err := c.Send(ctx, r.opts.Account, evm.Tx{To: pool, Data: contract.Pool.Call("fulfil", *d.order)})
		if err != nil {
			return err
		}
		r.opts.Log.Info("paid", "order", id, "from", d.order.SrcPlace, "to", d.order.DstPlace, "tx", tx.TxHash)
		return nil
	}}
}

// stillThere looks an order's log up in the very block it was read in. The
// block may be gone by now, and with it the deposit; then the chain is about to
// be read again.
func stillThere(ctx context.Context, source *evm.Chain, d *deposit) (bool, error) {
	hash, err := source.BlockHash(ctx, d.log.BlockNumber)
	if err != nil || hash != d.log.BlockHash {
		return false, err
	}
	logs, err := source.Logs(ctx, ethereum.FilterQuery{
		BlockHash: &hash, Addresses: []common.Address{d.log.Address}, Topics: [][]common.Hash{{orderOpened}, {d.log.Topics[1]}},
	})
	return len(logs) == 1, err
}

// release declares orders paid, those that are not yet.
func (r *Relayer) release(pool common.Address, ids [][32]byte) task {
	return task{"releasing orders", func(ctx context.Context, c *evm.Chain) error {
		held, err := heldBy(ctx, c, pool, ids)
		if err != nil || held == nil {
			return err
		}
		_, err = c.Send(ctx, r.opts.Account, evm.Tx{To: pool, Data: contract.Pool.Call("release", held)})
		return err
	}}
}

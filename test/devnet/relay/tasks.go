package relay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/swap"
	"hubquote/test/devnet/evm"
)

// A task is one thing to do on one chain.
type task struct {
	what string
	do   func(context.Context, *evm.Chain) error
}

// A batch is orders that one pool owes, with the chains their deposits are on.
type batch struct {
	pool   common.Address
	orders []due
}

// A due is an order to be paid.
type due struct {
	deposit
	source swap.ChainID
}

// batchSize is how many orders are paid at once. More would not fit in the gas
// of a transaction when each is a burn.
const batchSize = 12

// due returns what is to be done now, by the chain it is to be done on. It is
// computed from the facts anew each time.
func (r *Relayer) due() map[swap.ChainID][]task {
	tasks := map[swap.ChainID][]task{}
	owed := map[common.Address][]due{}
	for network, f := range r.facts {
		paid := map[common.Address][][32]byte{}
		for _, d := range f.open() {
			there := r.facts[r.directory.pools[d.order.DstPool]]
			switch id := d.log.Topics[1]; {
			case there == nil:
			case there.paid[id]:
				paid[d.order.SrcPool] = append(paid[d.order.SrcPool], id)
			default:
				owed[d.order.DstPool] = append(owed[d.order.DstPool], due{d, network})
			}
		}
		for pool, ids := range paid {
			tasks[network] = append(tasks[network], r.release(pool, ids))
		}
		for _, b := range f.burns {
			r.dueBurn(tasks, b)
		}
	}
	for pool, orders := range owed {
		network := r.directory.pools[pool]
		for some := range slices.Chunk(orders, batchSize) {
			tasks[network] = append(tasks[network], r.pay(batch{pool, some}))
		}
	}
	return tasks
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

// pay pays the orders of a batch, but for those whose payment is on its way to
// being final, and those whose deposit is gone.
func (r *Relayer) pay(b batch) task {
	return task{"paying orders", func(ctx context.Context, c *evm.Chain) error {
		orders := map[common.Hash]contract.Order{}
		var list []contract.Order
		for _, d := range b.orders {
			ready, err := r.ready(ctx, c, b.pool, &d)
			if err != nil {
				return err
			}
			if ready {
				orders[d.log.Topics[1]] = *d.order
				list = append(list, *d.order)
			}
		}
		if list == nil {
			return nil
		}
		receipt, err := c.Send(ctx, r.opts.Account, evm.Tx{To: b.pool, Data: contract.Pool.Call("fulfilMany", list)})
		if err != nil {
			return err
		}
		return r.after(ctx, c, receipt, orders)
	}}
}

func (r *Relayer) ready(ctx context.Context, c *evm.Chain, pool common.Address, d *due) (bool, error) {
	settled, err := read[contract.Settlement](ctx, c, pool, "settlements", [32]byte(d.log.Topics[1]))
	if err != nil || settled != contract.Unsettled {
		return false, err
	}
	return stillThere(ctx, r.opts.Chains[d.source], &d.deposit)
}

// after reports what became of a batch. A recipient that cannot take the money is
// owed it; another reason to skip an order may pass, and it is tried again.
func (r *Relayer) after(ctx context.Context, c *evm.Chain, receipt *types.Receipt, orders map[common.Hash]contract.Order) error {
	var errs []error
	for _, log := range receipt.Logs {
		switch log.Topics[0] {
		case orderFulfilled:
			o := orders[log.Topics[1]]
			r.opts.Log.Info("paid", "order", log.Topics[1], "from", o.SrcPlace, "to", o.DstPlace, "tx", receipt.TxHash)
		case orderSkipped:
			errs = append(errs, r.skipped(ctx, c, log, orders[log.Topics[1]]))
		}
	}
	return errors.Join(errs...)
}

func (r *Relayer) skipped(ctx context.Context, c *evm.Chain, log *types.Log, o contract.Order) error {
	var event struct{ Why [4]byte }
	if err := contract.Pool.Event(&event, "OrderSkipped", log); err != nil {
		return err
	}
	if cannotPay := contract.Pool.ABI().Errors["CannotPay"].ID; event.Why != [4]byte(cannotPay[:4]) {
		return fmt.Errorf("order %s was skipped: %x", log.Topics[1], event.Why)
	}
	_, err := c.Send(ctx, r.opts.Account, evm.Tx{To: log.Address, Data: contract.Pool.Call("fulfil", o, true)})
	return err
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

// release declares orders paid, those that are not yet. What that frees at a
// receiver is sent on to its pool.
func (r *Relayer) release(pool common.Address, ids [][32]byte) task {
	return task{"releasing orders", func(ctx context.Context, c *evm.Chain) error {
		held, err := heldBy(ctx, c, pool, ids)
		if err != nil || held == nil {
			return err
		}
		_, err = c.Send(ctx, r.opts.Account, evm.Tx{To: pool, Data: contract.Pool.Call("releaseMany", held)})
		if err != nil || !r.directory.isReceiver(pool) {
			return err
		}
		_, err = c.Send(ctx, r.opts.Account, evm.Tx{To: pool, Data: contract.Receiver.Call("sweep")})
		return err
	}}
}

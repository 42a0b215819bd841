// Package call writes the calls that settle orders, and lists which calls may be
// signed. What it writes is on that list; a test holds one against the other.
package call

import (
	"fmt"

	"hubquote/internal/contract"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/roster"
	"hubquote/swap"
)

// A Call is a call of a contract.
type Call struct {
	At   order.Pool
	Data []byte

	// Gas is the highest gas limit. Least is the lowest, for a batch: one with
	// too little gas stops early and succeeds, so its estimate is worth nothing.
	Gas, Least uint64
}

// Of writes the call of a batch. Bodies has the orders as their contracts
// encoded them.
func Of(b lane.Batch, bodies map[order.ID][]byte, r roster.Roster) (Call, error) {
	data, err := write(b, bodies)
	if err != nil {
		return Call{}, fmt.Errorf("%s at %v on chain %d: %w", b.Kind, b.At.Address, b.At.Chain, err)
	}
	gas := Gas(r, b.Kind, b.At)
	c := Call{At: b.At, Data: data, Gas: gas.Cap}
	if !single(b) {
		c.Least = gas.Base + uint64(len(b.Tasks))*gas.PerOrder
	}
	return c, nil
}

// single reports whether the call fails as a whole, and can be estimated.
func single(b lane.Batch) bool {
	return b.Kind != order.Release && (b.Kind != order.Pay || b.Tasks[0].Alone)
}

func write(b lane.Batch, bodies map[order.ID][]byte) ([]byte, error) {
	if b.Kind == order.Release {
		return contract.Pool.Call("releaseMany", ids(b)), nil
	}
	orders := make([]contract.Order, len(b.Tasks))
	for i, t := range b.Tasks {
		o, err := contract.ReadOrder(bodies[t.Order])
		if err != nil {
			return nil, fmt.Errorf("order %v: %w", t.Order, err)
		}
		if order.ID(o.ID()) != t.Order {
			return nil, fmt.Errorf("order %v: its body is that of %v", t.Order, o.ID())
		}
		orders[i] = o
	}
	return data(b, orders)
}

func ids(b lane.Batch) [][32]byte {
	list := make([][32]byte, len(b.Tasks))
	for i, t := range b.Tasks {
		list[i] = t.Order
	}
	return list
}

func data(b lane.Batch, orders []contract.Order) ([]byte, error) {
	switch first := orders[0]; {
	case b.Kind == order.Pay && !b.Tasks[0].Alone:
		return contract.Pool.Call("fulfilMany", orders), nil
	case len(orders) != 1:
		return nil, fmt.Errorf("%d orders for a call that takes one", len(orders))
	case b.Kind == order.Pay:
		return contract.Pool.Call("fulfil", first, true), nil
	case b.Kind == order.Cancel:
		return contract.Pool.Call("cancel", first), nil
	case b.Kind == order.Refund:
		return contract.Pool.Call("refund", first), nil
	case b.Kind == order.Reclaim:
		return contract.Pool.Call("reclaim", first), nil
	case b.Kind == order.Claim && len(first.Recipient) == len(swap.Address{}):
		return contract.Pool.Call("claimFor", [20]byte(first.Recipient)), nil
	}
	return nil, fmt.Errorf("there is no such call")
}

// Sweep is the call that sends what a receiver has freed to its pool.
func Sweep(receiver order.Pool) Call {
	return Call{At: receiver, Data: contract.Receiver.Call("sweep"), Gas: usual.Cap}
}

package state

import (
	"context"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/quorum"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
)

// A Record is what the contracts say about an order.
type Record struct {
	Held       order.Known[order.Deposit]
	Settlement order.Known[order.Settlement]
}

// most is how many orders fit in one answer of the lens.
const most = 100

type question struct {
	at     order.Pool
	source bool
	ids    [][32]byte
}

// Records asks the contracts of one chain about orders, and has what they say
// put to the record of each.
func Records(ctx context.Context, n *quorum.Nodes, here roster.Roster, orders []journal.Order, put func(order.ID, func(*Record))) error {
	questions := questions(here, orders)
	var calls []call
	for _, q := range questions {
		source, pool := common.Address{}, common.Address(q.at.Address)
		if q.source {
			source, pool = pool, source
		}
		calls = append(calls, call{"orders", []any{source, pool, q.ids}})
	}
	if len(calls) == 0 {
		return nil
	}
	results, at, err := ask(ctx, n, calls)
	if err != nil {
		return err
	}
	for i, q := range questions {
		for _, said := range as[[]view](results[i][0]) {
			put(said.Id, func(r *Record) { r.add(q, said, at.Number) })
		}
	}
	return nil
}

// A view is what the lens says about an order.
type view struct {
	Id         [32]byte
	Deposit    contract.Deposit
	Settlement uint8
}

func (r *Record) add(q question, said view, at uint64) {
	if q.source {
		r.Held = order.Known[order.Deposit]{Value: held(said.Deposit.State), OK: true, Block: at}
		return
	}
	r.Settlement = order.Known[order.Settlement]{Value: order.Settlement(said.Settlement), OK: true, Block: at}
}

// held reads the state of a deposit. One that no pool can pay is held until it
// is reclaimed.
func held(state uint8) order.Deposit {
	switch state {
	case 0:
		return order.NotHeld
	case 2:
		return order.Announced
	}
	return order.Held
}

// questions returns what to ask each contract. One that is not listed is not
// asked: it would spoil the answer of the others.
func questions(here roster.Roster, orders []journal.Order) (list []question) {
	ask := func(at order.Pool, source bool, id order.ID) {
		if _, listed := here.At(at); !listed {
			return
		}
		i := slices.IndexFunc(list, func(q question) bool { return q.at == at && q.source == source && len(q.ids) < most })
		if i < 0 {
			i = len(list)
			list = append(list, question{at: at, source: source})
		}
		list[i].ids = append(list[i].ids, id)
	}
	for _, o := range orders {
		ask(o.Src, true, o.ID)
		ask(o.Dst, false, o.ID)
	}
	return list
}

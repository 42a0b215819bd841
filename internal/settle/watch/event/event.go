// Package event reads logs of the contracts: which order each is about, and
// what it says. It is pure, and refuses an order that does not hash to its ID.
package event

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
	"hubquote/swap"
)

// An Event is what a log says about an order. One log may say two things.
type Event struct {
	journal.Fact
	At      order.Pool
	Order   *order.Order  // of [order.EventOpened]
	Account swap.Address  // of [order.EventCredited] and [order.EventClaimed], whose Order is zero
	Refusal order.Refusal // of [order.EventSkipped]; Why is empty when nothing was refused
}

// A Reader reads the logs of one chain.
type Reader struct {
	Chain     swap.ChainID
	Contracts roster.Roster // of all chains
}

type read func(r *Reader, log *types.Log, e *Event) ([]Event, error)

// readers has how each event is read, by its first topic.
var readers = sync.OnceValue(func() map[common.Hash]read {
	all := map[common.Hash]read{}
	for name, f := range map[string]read{
		"OrderOpened": opened, "OrderFulfilled": fulfilled, "OrderCancelled": plain(order.EventCancelled), "OrderSkipped": skipped,
		"OrderReleased": plain(order.EventReleased), "ReleaseSkipped": releaseSkipped, "ReclaimAnnounced": plain(order.EventAnnounced),
		"OrderRefunded": returned(order.EventRefunded), "OrderReclaimed": returned(order.EventReclaimed), "Claimed": claimed,
	} {
		all[contract.Pool.ABI().Events[name].ID] = f
	}
	return all
})

// Topics returns the first topics of the logs that are read.
func Topics() []common.Hash {
	return slices.SortedFunc(maps.Keys(readers()), common.Hash.Cmp)
}

// Read returns what a log says. The proof is left out.
func (r *Reader) Read(log *types.Log) ([]Event, error) {
	at := order.Pool{Chain: r.Chain, Address: swap.Address(log.Address)}
	if _, ours := r.Contracts.At(at); !ours || len(log.Topics) < 2 || readers()[log.Topics[0]] == nil {
		return nil, fmt.Errorf("log %d of transaction %s is not one that was asked for", log.Index, log.TxHash)
	}
	e := &Event{At: at, Fact: journal.Fact{Order: order.ID(log.Topics[1]), Log: uint64(log.Index), Fact: order.Fact{
		Chain: r.Chain, Tx: order.Hash(log.TxHash), Block: log.BlockNumber, Hash: order.Hash(log.BlockHash),
	}}}
	if log.BlockTimestamp != 0 {
		e.Time = time.Unix(int64(log.BlockTimestamp), 0).UTC()
	}
	return readers()[log.Topics[0]](r, log, e)
}

func plain(kind order.Event) read {
	return func(_ *Reader, _ *types.Log, e *Event) ([]Event, error) {
		e.Event = kind
		return []Event{*e}, nil
	}
}

// fulfilled is a payment, and a credit when the recipient could not take it.
func fulfilled(_ *Reader, log *types.Log, e *Event) ([]Event, error) {
	var p contract.Payment
	if err := contract.Pool.Event(&p, "OrderFulfilled", log); err != nil || len(log.Topics) != 4 {
		return nil, fmt.Errorf("payment of order %v: %w", e.Fact.Order, bad(err))
	}
	e.Event = order.EventPaid
	if p.Paid {
		return []Event{*e}, nil
	}
	return []Event{*e, credit(e, log.Topics[3])}, nil
}

// owed is how a deposit goes back that could not be sent.
const owed = 1

func returned(kind order.Event) read {
	return func(_ *Reader, log *types.Log, e *Event) ([]Event, error) {
		var back struct {
			Amount *big.Int
			How    uint8
		}
		if err := contract.Pool.Event(&back, "OrderRefunded", log); err != nil || len(log.Topics) != 3 {
			return nil, fmt.Errorf("return of order %v: %w", e.Fact.Order, bad(err))
		}
		e.Event = kind
		if back.How != owed {
			return []Event{*e}, nil
		}
		return []Event{*e, credit(e, log.Topics[2])}, nil
	}
}

func credit(e *Event, account common.Hash) Event {
	c := *e
	c.Event, c.Account = order.EventCredited, swap.Address(common.BytesToAddress(account[:]))
	return c
}

// claimed names an account and no order.
func claimed(_ *Reader, log *types.Log, e *Event) ([]Event, error) {
	e.Event, e.Fact.Order = order.EventClaimed, order.ID{}
	e.Account = swap.Address(common.BytesToAddress(log.Topics[1][:]))
	return []Event{*e}, nil
}

func bad(err error) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("the log has the wrong number of topics")
}

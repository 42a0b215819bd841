// Package world is what is known about everything but one order: finality tags,
// contracts, gas, and the budgets that payments use up. What is absent from a
// [World] is unknown, and nothing is paid on the unknown.
package world

import (
	"time"

	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// A Tag is what a chain says about finality, by enough endpoints.
type Tag struct {
	Final     uint64    // number of the final block
	FinalTime time.Time // its time
	Stalled   bool      // a proved deposit has waited three times as long as usual
	Broken    bool      // a final block was reorganised away: nothing from here is paid
}

// A Contract is the state of a pool or receiver, by enough endpoints.
type Contract struct {
	Paused  bool            // payments and refunds are paused
	Removed bool            // no longer part of any deployment: it will never pay
	Shut    map[Source]bool // that it does not pay for
}

// A Source is where deposits are made, and the contract that opens their orders.
// A receiver is a source for each network that is burned on, each with a cap of
// its own.
type Source struct {
	Place swap.PlaceID
	Pool  order.Pool
}

// SourceOf returns the source of an order.
func SourceOf(o *order.Order) Source { return Source{o.Place(), o.Src} }

// Fees are what gas costs on a chain.
type Fees struct {
	WithinCap bool
	BreakEven map[order.Pool]swap.Amount // by chain and token of the deposit: a smaller one earns less than its payment costs
}

// A Limit is a kind of [Budget].
type Limit int

// The limits. Amounts are in the token of the pool, calls are counted.
const (
	Liquidity Limit = iota // of a paying pool
	Payments               // left of a paying pool's cap
	ForSource              // left of a paying pool's cap for one source
	Early                  // left of the exposure to deposits of one token that are not final
	Unfreed                // left of a day of a source's release cap, less what is paid and not released
	Releases               // left of a source's release cap
	Refunds                // left of a source's refund cap
	Calls                  // transactions that the key can pay for on a chain
	Subsidy                // transactions at a loss left for today on a chain
)

// A Budget names something that payments use up. Pool is the contract it
// belongs to; [Early] has the token there, [Calls] and [Subsidy] the chain
// only. From is set for [ForSource].
type Budget struct {
	Limit Limit
	Pool  order.Pool
	From  Source
}

// A World is a moment of everything but the order.
type World struct {
	Tags      map[swap.ChainID]Tag
	Contracts map[order.Pool]Contract
	Fees      map[swap.ChainID]Fees
	Left      map[Budget]swap.Amount
}

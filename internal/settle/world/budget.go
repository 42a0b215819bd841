package world

import (
	"github.com/holiman/uint256"

	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// A Need is what a task uses up of a budget.
type Need struct {
	Budget Budget
	Amount swap.Amount
}

// Call is the need of one transaction on a chain.
func Call(chain swap.ChainID) Need {
	return Need{Budget{Limit: Calls, Pool: order.Pool{Chain: chain}}, *uint256.NewInt(1)}
}

// Loss is the need of one transaction on a chain that earns less than it costs.
func Loss(chain swap.ChainID) Need {
	return Need{Budget{Limit: Subsidy, Pool: order.Pool{Chain: chain}}, *uint256.NewInt(1)}
}

var reasons = map[Limit]order.Reason{
	Liquidity: order.Liquidity, Payments: order.Cap, ForSource: order.Cap, Early: order.Finality, Unfreed: order.Backlog,
	Releases: order.Cap, Refunds: order.Cap, Calls: order.Purse, Subsidy: order.Budget,
}

// Lacks returns why the needs are not met, if so.
func (w *World) Lacks(needs ...Need) order.Reason {
	for _, n := range needs {
		left, known := w.Left[n.Budget]
		switch {
		case !known:
			return order.Chain
		case left.Lt(&n.Amount):
			return reasons[n.Budget.Limit]
		}
	}
	return ""
}

// Gas returns why no transaction can be sent on a chain, if so.
func (w *World) Gas(chain swap.ChainID) order.Reason {
	fees, known := w.Fees[chain]
	switch {
	case !known:
		return order.Chain
	case !fees.WithinCap:
		return order.Fee
	}
	return w.Lacks(Call(chain))
}

// Cheap reports whether paying the order costs more gas than it earns. A deposit
// without a known break-even is taken to earn enough.
func (w *World) Cheap(o *order.Order) bool {
	least, known := w.Fees[o.Dst.Chain].BreakEven[order.Pool{Chain: o.Src.Chain, Address: o.Asset}]
	return known && o.Amount.Lt(&least)
}

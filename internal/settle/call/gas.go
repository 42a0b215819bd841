package call

import (
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/roster"
)

// most is the largest gas limit that is ever signed.
const most = 8_000_000

// payments are what paying an order takes at each kind of pool. A pool tries no
// further order of a batch with less gas than Base left, so that a failure is
// the order's and not the limit's; the constants of the contracts are in it.
var payments = map[roster.Kind]lane.Gas{
	roster.Pool:        {Base: 400_000, PerOrder: 150_000, Cap: most},
	roster.GatewayPool: {Base: 600_000, PerOrder: 350_000, Cap: most},
	roster.ShieldPool:  {Base: 1_600_000, PerOrder: 1_500_000, Cap: most},
}

// usual bounds a call for one order.
var usual = lane.Gas{Cap: 2_000_000}

// Gas bounds a kind of call of a contract.
func Gas(r roster.Roster, k order.Kind, at order.Pool) lane.Gas {
	switch k {
	case order.Pay:
		if c, ours := r.At(at); ours {
			return payments[c.Kind]
		}
		return lane.Gas{}
	case order.Release:
		return lane.Gas{Base: 150_000, PerOrder: 40_000, Cap: 3_000_000}
	}
	return usual
}

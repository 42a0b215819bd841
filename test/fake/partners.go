package fake

import (
	"context"

	"hubquote/swap"
)

// Partners is a registry that has every integrator at this rate. The wallet of each
// is the address that its ID ends with.
type Partners swap.Rate

// Integrator returns the entry of id.
func (p Partners) Integrator(_ context.Context, _ swap.ChainID, id swap.IntegratorID) (swap.Integrator, error) {
	return swap.Integrator{ID: id, Wallet: swap.Address(id[12:]), Rate: swap.Rate(p)}, nil
}

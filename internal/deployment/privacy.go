package deployment

import (
	"fmt"

	"hubquote/swap"
)

// PrivacyPool returns the contract under a privacy route.
func (p *Plan) PrivacyPool(id swap.PlaceID) (swap.Address, error) {
	for _, pool := range p.opts.Catalog.PrivacyPools() {
		if pool.Place.ID == id {
			return pool.Contract, nil
		}
	}
	return swap.Address{}, fmt.Errorf("the privacy pool of %d is not known", id)
}

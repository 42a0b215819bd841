package third

import (
	"fmt"

	"hubquote/internal/catalog"
	"hubquote/swap"
)

// PrivacyPool returns the contract under a privacy route.
func PrivacyPool(cat *catalog.Catalog, id swap.PlaceID) (swap.Address, error) {
	for _, pool := range cat.PrivacyPools() {
		if pool.Place.ID == id {
			return pool.Contract, nil
		}
	}
	return swap.Address{}, fmt.Errorf("the privacy pool of %d is not known", id)
}

package third

import (
	"fmt"

	"hubquote/swap"
)

// domainZero is the one place whose domain is zero, as in the contracts: for every
// other place they take a zero for a value that was left out.
const domainZero swap.PlaceID = 1

// checkDomains refuses routes whose burns would arrive at another place than the
// route's. The contracts find a place by its domain and cannot check this.
func (i *Issuer) checkDomains(routes []*swap.Route) error {
	places := map[swap.Domain]swap.PlaceID{}
	add := func(place swap.PlaceID, domain swap.Domain) error {
		other, taken := places[domain]
		switch {
		case taken && other != place:
			return fmt.Errorf("%d and %d have one domain of the issuer, %d: give each its own", other, place, domain)
		case (place == domainZero) != (domain == 0):
			return fmt.Errorf("%d has the issuer's domain %d: domain 0 belongs to place %d, and to no other", place, domain, domainZero)
		}
		places[domain] = place
		return nil
	}
	for _, r := range routes {
		if r.Burn != nil {
			if err := add(r.Src.ID, r.Burn.Source); err != nil {
				return err
			}
		}
		if r.FeeChain == r.Dst.Network {
			continue
		}
		domain, known := i.Domains[r.Dst.Network]
		if !known {
			return fmt.Errorf("%d is paid through the gateway, and its domain of the issuer is not known: a route must burn there too", r.Dst.ID)
		}
		if err := add(r.Dst.ID, domain); err != nil {
			return err
		}
	}
	return nil
}

package atlas

import (
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/fee"
	"hubquote/swap"
)

// none is the position of an entry that a leg does not need.
const none = -1

// A Leg is a route as the contracts know it: the one that opens its orders, the
// one that pays them, and where the lens's answers about these have the route.
type Leg struct {
	Route    *swap.Route
	From, To *Contract

	Terms  contract.Destination // what From must promise; the rate is the highest
	Remote contract.Remote      // what To must burn for, if it burns

	Largest swap.Amount // order, in To's units

	destination, domain int // positions in From's answer; none for no domain
	source, remote      int // positions in To's
}

// Burns reports whether the payer reaches the destination by burning.
func (l *Leg) Burns() bool { return l.remote != none }

// Destination returns the leg's terms in a snapshot of From.
func (l *Leg) Destination(s *contract.Snapshot) *contract.Destination {
	return &s.Destinations[l.destination]
}

// Place returns what the receiver takes the leg's domain for, or nil when the
// orders are not opened by burns.
func (l *Leg) Place(s *contract.Snapshot) *big.Int {
	if l.domain == none {
		return nil
	}
	return s.Places[l.domain]
}

// Source returns what a snapshot of To knows of From, and how much it may pay
// for From's orders now.
func (l *Leg) Source(s *contract.Snapshot) (*contract.Source, *big.Int) {
	return &s.Sources[l.source], s.SpendableFrom[l.source]
}

// RemoteOf returns the leg's remote in a snapshot of To, or nil.
func (l *Leg) RemoteOf(s *contract.Snapshot) *contract.Remote {
	if l.remote == none {
		return nil
	}
	return &s.Remotes[l.remote]
}

// join adds a route to the queries of its two ends.
func (a *Atlas) join(l *lane.Lane, r *swap.Route, from, to *Contract) *Leg {
	leg := &Leg{Route: r, From: from, To: to, domain: none, remote: none}
	leg.Terms = contract.Destination{Delivery: contract.ToAddress, State: contract.Open, Pool: common.Address(to.Address), Rate: uint32(r.Rate)}
	if r.Shields() {
		leg.Terms.Delivery = contract.ToNote
	}
	leg.destination = addTo(&from.Query.Destinations, contract.Key{Place: number(r.Dst.ID), Account: common.Address(r.DstToken.Address)}, sameKey)
	leg.source = addTo(&to.Query.Sources, contract.Key{Place: number(l.At.ID), Account: common.Address(from.Address)}, sameKey)
	if r.Burn != nil {
		leg.domain = addTo(&from.Query.Domains, uint32(r.Burn.Source), func(a, b uint32) bool { return a == b })
	}
	if r.FeeChain != r.Dst.Network {
		leg.remote = addTo(&to.Query.Remotes, number(r.Dst.ID), func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
		leg.Remote = contract.Remote{
			Domain: uint32(a.Issuer.Domains[r.Dst.Network]), Token: common.Address(r.DstToken.Address), State: contract.Open,
		}
	}
	// The limits of a catalog are far below what would overflow.
	if largest, err := fee.Rescale(&r.Limits.Max, r.SrcToken.Decimals, to.Token.Decimals); err == nil {
		leg.Largest = largest
		if largest.Gt(&to.Largest) {
			to.Largest = largest
		}
	}
	return leg
}

func sameKey(a, b contract.Key) bool { return a.Place.Cmp(b.Place) == 0 && a.Account == b.Account }

// addTo returns where the list has v, which is added if it is not there.
func addTo[T any](list *[]T, v T, same func(a, b T) bool) int {
	i := slices.IndexFunc(*list, func(other T) bool { return same(other, v) })
	if i < 0 {
		i = len(*list)
		*list = append(*list, v)
	}
	return i
}

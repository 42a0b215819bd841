// Package generation lists the admin's calls to the contracts that a new deployment
// replaces.
//
// An order names the one pool that may pay it, so the two generations pay side by
// side and no order is paid twice. The old pools take and pay orders until they
// are closed. The old receiver is never closed, because a burn may reach it at any
// time: the new pool pays the orders that it opens after the move.
package generation

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/catalog"
	"hubquote/internal/contract"
	"hubquote/internal/deployment"
	"hubquote/internal/deployment/addresses"
	"hubquote/internal/deployment/caps"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/third"
	"hubquote/swap"
)

// The steps after those of the new deployment.
const (
	Move   deployment.Step = "move"   // the old receiver's orders to the new pool
	Close  deployment.Step = "close"  // the old pools to new orders, when no quote names them any more
	Retire deployment.Step = "retire" // the old pools' payments, when no order names them any more
)

// A replacement is one generation after another.
type replacement struct {
	next   *deployment.Plan
	old    addresses.Book
	caps   caps.Table
	issuer *third.Issuer
	lanes  []*lane.Lane
	calls  []deployment.Call
}

// Calls returns the calls for the contracts of the catalog before, whose caps
// must be given.
func Calls(next *deployment.Plan, before *catalog.Catalog, old caps.Table) ([]deployment.Call, error) {
	issuer, err := third.IssuerOf(before)
	if err != nil {
		return nil, err
	}
	lanes, err := lane.Of(before)
	if err != nil {
		return nil, err
	}
	if err := old.Check(lanes); err != nil {
		return nil, fmt.Errorf("of the generation before: %w", err)
	}
	r := &replacement{next: next, old: addresses.Of(before), caps: old, issuer: issuer, lanes: lanes}
	r.move()
	r.close()
	r.retire()
	return r.calls, nil
}

// move makes the new pools pay the orders that the old receiver opens from now on.
// Two pools then pay for it, so that its cap for releases is raised first.
func (r *replacement) move() {
	both := new(big.Int).Add(r.caps[lane.Receiver].Releases, r.next.Settings.Caps[lane.Receiver].Releases)
	r.tell(Move, r.issuer.Gateway, lane.Receiver, "release as much as both pools pay", "setCap", contract.ReleasesCap, both)
	for _, l := range r.lanes {
		if l.From != lane.Receiver {
			continue
		}
		r.calls = append(r.calls, deployment.Call{
			Step: Move, Network: l.Network, To: swap.Address(r.next.Address(l.To)),
			Says: fmt.Sprintf("%s: pay orders of the former receiver from %d", l.To, l.At.ID),
			Data: contract.Pool.Call("setSource", place(l.At), r.address(lane.Receiver), contract.Open,
				big.NewInt(int64(l.Rate)), r.next.Settings.Caps[l.To].Sources[lane.Receiver]),
		})
	}
	r.point(Move, "have the new pool pay ", contract.Open, func(l *lane.Lane) (common.Address, bool) {
		return r.next.Address(l.To), l.From == lane.Receiver
	})
}

// close stops deposits at the old pools.
func (r *replacement) close() {
	r.point(Close, "take no more orders for ", contract.Closed, func(l *lane.Lane) (common.Address, bool) {
		return r.address(l.To), l.From != lane.Receiver
	})
}

// retire stops payments of the old pools.
func (r *replacement) retire() {
	for _, l := range r.lanes {
		r.tell(Retire, l.Network, l.To, fmt.Sprintf("pay no more orders of %s from %d", l.From, l.At.ID),
			"setSource", place(l.At), r.address(l.From), contract.Closed, big.NewInt(int64(l.Rate)), r.caps[l.To].Sources[l.From])
	}
}

// point writes the destinations of the lanes that payer picks.
func (r *replacement) point(step deployment.Step, says string, state contract.Link, payer func(*lane.Lane) (common.Address, bool)) {
	done := map[string]bool{}
	for _, l := range r.lanes {
		to, picked := payer(l)
		for _, route := range l.Routes {
			name := lane.PoolName(route.Dst, route.DstToken)
			if !picked || done[l.From+name] {
				continue
			}
			done[l.From+name] = true
			network := route.Src.Network
			if route.Burn != nil {
				network = r.issuer.Gateway
			}
			r.tell(step, network, l.From, says+name,
				"setDestination", place(route.Dst), common.Address(route.DstToken.Address), r.next.Terms(route, to, state))
		}
	}
}

// tell adds a call of one of the old contracts.
func (r *replacement) tell(step deployment.Step, network swap.ChainID, to, says, function string, args ...any) {
	r.calls = append(r.calls, deployment.Call{
		Step: step, Network: network, To: r.old[to], Data: contract.Pool.Call(function, args...), Says: "the former " + to + ": " + says,
	})
}

func (r *replacement) address(name string) common.Address { return common.Address(r.old[name]) }

func place(p swap.Place) *big.Int { return new(big.Int).SetUint64(uint64(p.ID)) }

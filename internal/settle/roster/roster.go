// Package roster lists the contracts that orders are opened and paid at, of
// every generation that may still have orders.
package roster

import (
	"hubquote/internal/contract"
	"hubquote/internal/deployment"
	"hubquote/internal/deployment/creation"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// A Kind is which functions a contract has, numbered as the lens does.
type Kind uint8

// The kinds.
const (
	Pool Kind = iota
	GatewayPool
	ShieldPool
	Receiver
)

// A Source is a contract whose orders a pool pays, and where their deposits
// are made. A receiver is one source for each network that is burned on.
type Source struct {
	Place swap.PlaceID
	Pool  order.Pool
}

// A Contract is a pool or a receiver.
type Contract struct {
	order.Pool
	Kind       Kind
	Generation int64
	Token      swap.Address // zero for the native coin
	Decimals   uint8
	Sources    []Source // of a pool

	// Removed says that no deployment has the contract any more, and that it
	// will never pay: orders that name it are cancelled.
	Removed bool
}

// A Roster is a list of contracts without two of the same address on a chain.
type Roster []Contract

// At returns the contract at an address of a chain.
func (r Roster) At(p order.Pool) (*Contract, bool) {
	for i := range r {
		if r[i].Pool == p {
			return &r[i], true
		}
	}
	return nil, false
}

// Find returns the contract with that address. Addresses differ between chains,
// because each contract's name is part of its own.
func (r Roster) Find(a swap.Address) (*Contract, bool) {
	for i := range r {
		if r[i].Address == a {
			return &r[i], true
		}
	}
	return nil, false
}

// On returns the contracts of one chain.
func (r Roster) On(chain swap.ChainID) (list Roster) {
	for _, c := range r {
		if c.Chain == chain {
			list = append(list, c)
		}
	}
	return list
}

var kinds = map[*contract.Compiled]Kind{
	contract.Pool: Pool, contract.GatewayPool: GatewayPool, contract.ShieldPool: ShieldPool, contract.Receiver: Receiver,
}

// Of returns the contracts of all generations, the first one first. Burns may
// reach the receiver of an older generation at any time, and are then paid by
// the pools of the newest.
func Of(plans ...*deployment.Plan) (r Roster) {
	for i, p := range plans {
		for _, c := range p.Contracts {
			if kind, ours := kinds[c.Code]; ours {
				r = append(r, describe(p, plans[:i], c, kind))
			}
		}
	}
	return r
}

func describe(p *deployment.Plan, before []*deployment.Plan, planned creation.Contract, kind Kind) Contract {
	c := Contract{Pool: at(planned), Kind: kind, Generation: int64(len(before)) + 1}
	for _, l := range p.Lanes {
		if l.From == planned.Name {
			c.Token, c.Decimals = l.FromToken.Address, l.FromToken.Decimals
		}
		if l.To != planned.Name {
			continue
		}
		c.Token, c.Decimals = l.ToToken.Address, l.ToToken.Decimals
		c.Sources = append(c.Sources, sources(l, p)...)
		for _, former := range before {
			if l.From == lane.Receiver {
				c.Sources = append(c.Sources, sources(l, former)...)
			}
		}
	}
	return c
}

// sources returns the contract that opens the orders of a lane, in a plan.
func sources(l *lane.Lane, p *deployment.Plan) (list []Source) {
	for _, c := range p.Contracts {
		if c.Name == l.From {
			list = append(list, Source{l.At.ID, at(c)})
		}
	}
	return list
}

func at(c creation.Contract) order.Pool {
	return order.Pool{Chain: c.Network, Address: c.Address}
}

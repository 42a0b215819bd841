// Package atlas lists the contracts behind the routes of a catalog: what the lens
// is asked about each, and what it must answer if the chain is as the catalog says.
//
// It is computed from the catalog alone, and with the operator's settings where
// they are known. It reaches no chain.
package atlas

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/catalog"
	"hubquote/internal/contract"
	"hubquote/internal/deployment/addresses"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/operator"
	"hubquote/internal/deployment/third"
	"hubquote/swap"
)

// An Atlas is the contracts and the routes over them.
type Atlas struct {
	Contracts []*Contract
	Legs      []*Leg // one for each route, in the order of the catalog's
	Issuer    *third.Issuer

	catalog *catalog.Catalog
	book    addresses.Book
	byName  map[string]*Contract
}

// New returns the atlas of a catalog. Without settings, who holds which role is
// not asked.
func New(cat *catalog.Catalog, settings *operator.Settings) (*Atlas, error) {
	lanes, err := lane.Of(cat)
	if err != nil {
		return nil, err
	}
	a := &Atlas{catalog: cat, book: addresses.Of(cat), byName: map[string]*Contract{}}
	if a.Issuer, err = third.IssuerOf(cat); err != nil {
		return nil, err
	}
	legs := map[*swap.Route]*Leg{}
	for _, l := range lanes {
		from, to, err := a.ends(l, settings)
		if err != nil {
			return nil, err
		}
		for _, r := range l.Routes {
			if r.DstToken.Decimals != to.Token.Decimals {
				return nil, fmt.Errorf("%s pays %s and counts in other decimals", to.Name, r.To())
			}
			legs[r] = a.join(l, r, from, to)
		}
	}
	for _, r := range cat.Routes() {
		a.Legs = append(a.Legs, legs[r])
	}
	return a, nil
}

// Networks returns where the contracts are.
func (a *Atlas) Networks() (list []swap.ChainID) {
	seen := map[swap.ChainID]bool{}
	for _, c := range a.Contracts {
		if !seen[c.Network] {
			seen[c.Network] = true
			list = append(list, c.Network)
		}
	}
	return list
}

// On returns the contracts of one network.
func (a *Atlas) On(network swap.ChainID) (list []*Contract) {
	for _, c := range a.Contracts {
		if c.Network == network {
			list = append(list, c)
		}
	}
	return list
}

func (a *Atlas) ends(l *lane.Lane, settings *operator.Settings) (from, to *Contract, err error) {
	first := l.Routes[0]
	network := first.Src.Network
	if first.Burn != nil {
		network = a.Issuer.Gateway
	}
	if from, err = a.contract(l.From, network, l.At, l.FromToken, settings); err != nil {
		return nil, nil, err
	}
	from.Limits = first.Limits
	place := first.Dst
	if first.FeeChain != place.Network {
		place = swap.Place{ID: swap.PlaceID(first.FeeChain), Network: first.FeeChain}
	}
	to, err = a.contract(l.To, l.Network, place, l.ToToken, settings)
	return from, to, err
}

// contract returns the contract with that name, made when it is first needed.
func (a *Atlas) contract(name string, network swap.ChainID, place swap.Place, token *swap.Token, settings *operator.Settings) (*Contract, error) {
	if known := a.byName[name]; known != nil {
		return known, nil
	}
	address, ok := a.book[name]
	if !ok {
		return nil, fmt.Errorf("the catalog has no address of %s", name)
	}
	c := &Contract{Name: name, Network: network, Address: address, Token: token}
	c.Query.Target = common.Address(address)
	if err := a.expect(c, place); err != nil {
		return nil, err
	}
	if settings != nil {
		c.addSettings(settings)
	}
	a.byName[name] = c
	a.Contracts = append(a.Contracts, c)
	return c, nil
}

// expect fills in which contract it is and what it was made with.
func (a *Atlas) expect(c *Contract, place swap.Place) error {
	c.Fixed = contract.Fixed{Token: common.Address(c.Token.Address), Decimals: c.Token.Decimals, Place: number(place.ID)}
	if c.Name == lane.Receiver {
		c.Code, c.Query.Kind = contract.Receiver, contract.ReceiverKind
		c.Fixed.Place = new(big.Int)
		c.Fixed.Messenger, c.Fixed.Transmitter = common.Address(a.Issuer.Messenger), common.Address(third.Transmitter)
		c.Fixed.Pool, c.Fixed.AbsorbRate = common.Address(a.book[lane.GatewayPool(a.Issuer)]), uint32(a.Issuer.Rate)
		return nil
	}
	c.Fixed.Registry = common.Address(a.book[lane.RegistryName(c.Network)])
	switch {
	case place.Private():
		privacyPool, err := third.PrivacyPool(a.catalog, place.ID)
		c.Code, c.Query.Kind, c.Fixed.PrivacyPool = contract.ShieldPool, contract.ShieldKind, common.Address(privacyPool)
		return err
	case c.Name == lane.GatewayPool(a.Issuer):
		c.Code, c.Query.Kind, c.Fixed.Messenger = contract.GatewayPool, contract.GatewayKind, common.Address(a.Issuer.Messenger)
	default:
		c.Code = contract.Pool
	}
	return nil
}

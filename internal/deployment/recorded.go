package deployment

import (
	"errors"
	"fmt"

	"hubquote/internal/catalog"
	"hubquote/internal/contract"
	"hubquote/internal/deployment/addresses"
	"hubquote/internal/deployment/creation"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/third"
	"hubquote/swap"
)

// Recorded returns the plan of a deployment that is there, with the addresses
// that its catalog records. It can deploy nothing: what the contracts were made
// with is not in a catalog.
func Recorded(cat *catalog.Catalog) (p *Plan, err error) {
	if cat == nil {
		return nil, errors.New("plan: no catalog")
	}
	p = &Plan{opts: Options{Catalog: cat}, Book: addresses.Of(cat)}
	if p.Issuer, err = third.IssuerOf(cat); err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	if p.Lanes, err = lane.Of(cat); err != nil {
		return nil, fmt.Errorf("plan: %w", err)
	}
	for _, id := range cat.RegistryChains() {
		p.found(lane.RegistryName(id), id, contract.Registry)
	}
	for _, r := range cat.Routers() {
		if r.Kind == swap.Direct {
			p.found(lane.PoolName(r.Place, r.Token), r.Place.Network, p.codeOf(r))
		}
	}
	p.found(lane.Receiver, p.Issuer.Gateway, contract.Receiver)
	return p, nil
}

func (p *Plan) found(name string, network swap.ChainID, code *contract.Compiled) {
	p.Contracts = append(p.Contracts, creation.Contract{Name: name, Network: network, Code: code, Address: p.Book[name]})
}

func (p *Plan) codeOf(r catalog.Router) *contract.Compiled {
	switch {
	case r.Place.Private():
		return contract.ShieldPool
	case lane.PoolName(r.Place, r.Token) == lane.GatewayPool(p.Issuer):
		return contract.GatewayPool
	}
	return contract.Pool
}

package deployment

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/swap"
)

func (p *Plan) addRegistries() error {
	for _, network := range p.opts.Catalog.RegistryChains() {
		p.add(RegistryName(network), network, contract.Registry, common.Address(p.opts.Roles.Admin))
	}
	return nil
}

// addPools plans one pool for each (place, token) that a direct swap starts
// from. The catalog has made sure that there are no others.
func (p *Plan) addPools() error {
	for _, r := range p.Routes() {
		name := PoolName(r.Src, r.SrcToken)
		if _, planned := p.names[name]; planned || r.Kind != swap.Direct {
			continue
		}
		if err := p.addPool(name, r); err != nil {
			return fmt.Errorf("pool %s: %w", name, err)
		}
	}
	return nil
}

func (p *Plan) addPool(name string, r *swap.Route) error {
	config := contract.PoolConfig{
		Place:    new(big.Int).SetUint64(uint64(r.Src.ID)),
		Token:    common.Address(r.SrcToken.Address),
		Decimals: r.SrcToken.Decimals,
		Registry: common.Address(p.names[RegistryName(r.Src.Network)]),
		Roles:    p.roles(),
		Limits:   p.limits(r.Limits),
	}
	switch {
	case r.Src.Private():
		privacyPool, err := p.PrivacyPool(r.Src.ID)
		if err != nil {
			return err
		}
		p.add(name, r.Src.Network, contract.ShieldPool, config, common.Address(privacyPool))
	case name == p.GatewayPool():
		p.add(name, r.Src.Network, contract.GatewayPool, config, common.Address(p.Issuer.Messenger))
	default:
		p.add(name, r.Src.Network, contract.Pool, config)
	}
	return nil
}

// addReceiver plans the contract that mints inbound burns. It may give away as
// much of the issuer's fee as the protocol's own fee on these orders brings in.
func (p *Plan) addReceiver() error {
	i := &p.Issuer
	p.add(Receiver, i.Gateway, contract.Receiver, contract.ReceiverConfig{
		Token:       common.Address(i.Token.Address),
		Messenger:   common.Address(i.Messenger),
		Transmitter: common.Address(Transmitter),
		Pool:        common.Address(p.names[p.GatewayPool()]),
		LastResort:  common.Address(p.opts.Roles.LastResort),
		AbsorbRate:  uint32(i.Rate),
		Roles:       p.roles(),
		Limits:      p.limits(i.Limits),
	})
	return nil
}

func (p *Plan) roles() contract.Roles {
	r := p.opts.Roles
	return contract.Roles{Admin: common.Address(r.Admin), Relayer: common.Address(r.Relayer), Pauser: common.Address(r.Pauser)}
}

func (p *Plan) limits(l swap.Limits) contract.Limits {
	daily := new(big.Int).Mul(l.Max.ToBig(), new(big.Int).SetUint64(p.opts.DailyOrders))
	return contract.Limits{Min: l.Min.ToBig(), Max: l.Max.ToBig(), Daily: daily}
}

// network is the place that a network is itself.
func network(id swap.ChainID) swap.Place { return swap.Place{ID: swap.PlaceID(id), Network: id} }

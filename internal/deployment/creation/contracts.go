package creation

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/third"
	"hubquote/swap"
)

func (l *list) addRegistries() {
	for _, network := range l.opts.Catalog.RegistryChains() {
		name := lane.RegistryName(network)
		if l.opts.Before != nil {
			if former, ok := l.opts.Before.Registry(network); ok {
				l.book[name] = former
				continue
			}
		}
		l.add(name, network, contract.Registry, common.Address(l.opts.Settings.Roles.Admin))
	}
}

// addPools plans one pool for each (place, token) that a direct swap starts
// from. The catalog has made sure that there are no others.
func (l *list) addPools() error {
	for _, r := range l.opts.Catalog.Routes() {
		name := lane.PoolName(r.Src, r.SrcToken)
		if _, planned := l.book[name]; planned || r.Kind != swap.Direct {
			continue
		}
		if err := l.addPool(name, r); err != nil {
			return fmt.Errorf("pool %s: %w", name, err)
		}
	}
	return nil
}

func (l *list) addPool(name string, r *swap.Route) error {
	c := l.opts.Settings.Caps[name]
	config := contract.PoolConfig{
		Place:    new(big.Int).SetUint64(uint64(r.Src.ID)),
		Token:    common.Address(r.SrcToken.Address),
		Decimals: r.SrcToken.Decimals,
		Registry: l.address(lane.RegistryName(r.Src.Network)),
		Roles:    l.roles(),
		Limits:   limits(r.Limits),
		Caps:     contract.Caps{Payments: c.Payments, Refunds: c.Refunds, Releases: c.Releases, Treasury: c.Treasury},
	}
	switch {
	case r.Src.Private():
		privacyPool, err := third.PrivacyPool(l.opts.Catalog, r.Src.ID)
		if err != nil {
			return err
		}
		config.FeeBound = uint32(l.opts.Settings.FeeBound)
		l.add(name, r.Src.Network, contract.ShieldPool, config, common.Address(privacyPool))
	case name == lane.GatewayPool(l.opts.Issuer):
		config.FeeBound = uint32(l.opts.Settings.FeeBound)
		l.add(name, r.Src.Network, contract.GatewayPool, config, common.Address(l.opts.Issuer.Messenger))
	default:
		l.add(name, r.Src.Network, contract.Pool, config)
	}
	return nil
}

// addReceiver plans the contract that mints inbound burns. It bears the issuer's fee
// up to the protocol's own fee on these orders.
func (l *list) addReceiver() {
	i, c := l.opts.Issuer, l.opts.Settings.Caps[lane.Receiver]
	l.add(lane.Receiver, i.Gateway, contract.Receiver, contract.ReceiverConfig{
		Token:       common.Address(i.Token.Address),
		Messenger:   common.Address(i.Messenger),
		Transmitter: common.Address(third.Transmitter),
		Pool:        l.address(lane.GatewayPool(i)),
		LastResort:  common.Address(l.opts.Settings.Roles.LastResort),
		AbsorbRate:  uint32(i.Rate),
		Roles:       l.roles(),
		Limits:      limits(i.Limits),
		RefundCap:   c.Refunds,
		ReleaseCap:  c.Releases,
	})
}

func (l *list) roles() contract.Roles {
	r := l.opts.Settings.Roles
	return contract.Roles{
		Admin: common.Address(r.Admin), Relayer: common.Address(r.Relayer), Standby: common.Address(r.Standby),
		Guardian: common.Address(r.Guardian), Treasurer: common.Address(r.Treasurer),
	}
}

func limits(of swap.Limits) contract.Limits {
	return contract.Limits{Min: of.Min.ToBig(), Max: of.Max.ToBig()}
}

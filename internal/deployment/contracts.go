package deployment

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/third"
	"hubquote/swap"
)

// Deployer is the contract through which everything is deployed. It is at this
// address on nearly every chain, and what it deploys is at an address that
// depends on the salt and the code alone (D35).
var Deployer = common.HexToAddress("0x4e59b44847b379578588920cA78FbF26c0B4956C")

// A Contract is one contract to deploy.
type Contract struct {
	Name    string // its key in deployment.toml: receiver, USDC@1, registry@369
	Network swap.ChainID
	Code    *contract.Compiled
	Salt    [32]byte
	Init    []byte // the code with its constructor's arguments
	Address swap.Address
}

// Transaction returns the calldata that makes [Deployer] deploy the contract.
func (c *Contract) Transaction() []byte { return append(c.Salt[:], c.Init...) }

// add plans a contract. Its salt is its name, so that two contracts with the
// same code on two chains do not share an address: a quote for one would call
// the other.
func (p *Plan) add(name string, network swap.ChainID, code *contract.Compiled, args ...any) {
	text := "hubquote " + name
	if p.opts.Generation > 1 && code != contract.Registry {
		text += fmt.Sprintf(" generation %d", p.opts.Generation)
	}
	salt, init := crypto.Keccak256Hash([]byte(text)), code.Init(args...)
	address := swap.Address(crypto.CreateAddress2(Deployer, salt, crypto.Keccak256(init)))
	p.Contracts = append(p.Contracts, Contract{name, network, code, salt, init, address})
	p.Book[name] = address
}

// shared reports whether a contract is taken over from the generation before.
func (p *Plan) shared(name string) bool {
	for _, c := range p.Contracts {
		if c.Name == name {
			return false
		}
	}
	return true
}

func (p *Plan) addRegistries() error {
	for _, network := range p.opts.Catalog.RegistryChains() {
		name := lane.RegistryName(network)
		if p.opts.Before != nil {
			if former, ok := p.opts.Before.Registry(network); ok {
				p.Book[name] = former
				continue
			}
		}
		p.add(name, network, contract.Registry, common.Address(p.Settings.Roles.Admin))
	}
	return nil
}

// addPools plans one pool for each (place, token) that a direct swap starts
// from. The catalog has made sure that there are no others.
func (p *Plan) addPools() error {
	for _, r := range p.Routes() {
		name := lane.PoolName(r.Src, r.SrcToken)
		if _, planned := p.Book[name]; planned || r.Kind != swap.Direct {
			continue
		}
		if err := p.addPool(name, r); err != nil {
			return fmt.Errorf("pool %s: %w", name, err)
		}
	}
	return nil
}

func (p *Plan) addPool(name string, r *swap.Route) error {
	c := p.Settings.Caps[name]
	config := contract.PoolConfig{
		Place:    new(big.Int).SetUint64(uint64(r.Src.ID)),
		Token:    common.Address(r.SrcToken.Address),
		Decimals: r.SrcToken.Decimals,
		Registry: p.Address(lane.RegistryName(r.Src.Network)),
		Roles:    p.roles(),
		Limits:   limits(r.Limits),
		Caps:     contract.Caps{Payments: c.Payments, Refunds: c.Refunds, Releases: c.Releases, Treasury: c.Treasury},
	}
	switch {
	case r.Src.Private():
		privacyPool, err := third.PrivacyPool(p.opts.Catalog, r.Src.ID)
		if err != nil {
			return err
		}
		config.FeeBound = uint32(p.Settings.FeeBound)
		p.add(name, r.Src.Network, contract.ShieldPool, config, common.Address(privacyPool))
	case name == lane.GatewayPool(p.Issuer):
		config.FeeBound = uint32(p.Settings.FeeBound)
		p.add(name, r.Src.Network, contract.GatewayPool, config, common.Address(p.Issuer.Messenger))
	default:
		p.add(name, r.Src.Network, contract.Pool, config)
	}
	return nil
}

// addReceiver plans the contract that mints inbound burns. It may give away as
// much of the issuer's fee as the protocol's own fee on these orders brings in.
func (p *Plan) addReceiver() error {
	i, c := p.Issuer, p.Settings.Caps[lane.Receiver]
	p.add(lane.Receiver, i.Gateway, contract.Receiver, contract.ReceiverConfig{
		Token:       common.Address(i.Token.Address),
		Messenger:   common.Address(i.Messenger),
		Transmitter: common.Address(third.Transmitter),
		Pool:        p.Address(lane.GatewayPool(i)),
		LastResort:  common.Address(p.Settings.Roles.LastResort),
		AbsorbRate:  uint32(i.Rate),
		Roles:       p.roles(),
		Limits:      limits(i.Limits),
		RefundCap:   c.Refunds,
		ReleaseCap:  c.Releases,
	})
	return nil
}

func (p *Plan) roles() contract.Roles {
	r := p.Settings.Roles
	return contract.Roles{
		Admin: common.Address(r.Admin), Relayer: common.Address(r.Relayer), Standby: common.Address(r.Standby),
		Guardian: common.Address(r.Guardian), Treasurer: common.Address(r.Treasurer),
	}
}

func limits(l swap.Limits) contract.Limits {
	return contract.Limits{Min: l.Min.ToBig(), Max: l.Max.ToBig()}
}

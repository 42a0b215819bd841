package devnet

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/deployment"
	"hubquote/internal/deployment/creation"
	"hubquote/internal/deployment/lane"
	"hubquote/swap"
	"hubquote/test/devnet/evm"
)

// setUp puts the contracts, tokens and funds on one chain.
func (n *Net) setUp(ctx context.Context, c *evm.Chain) error {
	steps := []func(context.Context, *evm.Chain) error{
		n.placeTokens, n.placeIssuer, n.placePrivacyPools, placeSafe, n.deploy, n.configure, n.register, n.fund,
	}
	for _, step := range steps {
		if err := step(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// deploy deploys our contracts, and makes sure that they are at the catalog's
// addresses.
func (n *Net) deploy(ctx context.Context, c *evm.Chain) error {
	for _, planned := range n.Plan.Contracts {
		if planned.Network == c.ID && !n.Catalog.Stranded(planned.Address) {
			return fmt.Errorf("chain %d: %s is not at the catalog's address; run go generate ./internal/deployment", c.ID, planned.Name)
		}
	}
	return deploy(ctx, c, n.Plan)
}

func deploy(ctx context.Context, c *evm.Chain, p *deployment.Plan) error {
	for _, planned := range p.Contracts {
		if planned.Network != c.ID {
			continue
		}
		if _, err := c.Send(ctx, Account(Admin), evm.Tx{To: creation.Deployer, Data: planned.Transaction()}); err != nil {
			return fmt.Errorf("deploying %s: %w", planned.Name, err)
		}
		code, err := c.Code(ctx, common.Address(planned.Address))
		if err != nil {
			return err
		}
		if len(code) == 0 {
			return fmt.Errorf("chain %d: %s is not at %s", c.ID, planned.Name, planned.Address)
		}
	}
	return nil
}

func (n *Net) configure(ctx context.Context, c *evm.Chain) error { return tell(ctx, c, n.Plan.Calls) }

// tell sends those of the admin's calls that are for a chain, in their order.
func tell(ctx context.Context, c *evm.Chain, calls []deployment.Call) error {
	for _, call := range calls {
		if call.Network != c.ID {
			continue
		}
		if _, err := c.Send(ctx, Account(Admin), evm.Tx{To: common.Address(call.To), Data: call.Data}); err != nil {
			return fmt.Errorf("%s: %w", call.Says, contract.Explain(err))
		}
	}
	return nil
}

// Deploy deploys the contracts of another plan on all chains.
func (n *Net) Deploy(ctx context.Context, p *deployment.Plan) error {
	return n.onEach(func(c *evm.Chain) error { return deploy(ctx, c, p) })
}

// Tell sends the admin's calls on all chains.
func (n *Net) Tell(ctx context.Context, calls []deployment.Call) error {
	return n.onEach(func(c *evm.Chain) error { return tell(ctx, c, calls) })
}

// register adds the two integrators to the chain's registry, if it has one.
func (n *Net) register(ctx context.Context, c *evm.Chain) error {
	registry, ok := n.Plan.Book[lane.RegistryName(c.ID)]
	if !ok {
		return nil
	}
	former := Account(FormerPartner).Address
	calls := [][]byte{
		contract.Registry.Call("register", common.Address(Account(Partner).Address), uint32(PartnerRate)),
		contract.Registry.Call("register", common.Address(former), uint32(PartnerRate)),
		contract.Registry.Call("setActive", [32]byte(swap.IntegratorIDOf(former)), false),
	}
	for _, call := range calls {
		if _, err := c.Send(ctx, Account(Admin), evm.Tx{To: common.Address(registry), Data: call}); err != nil {
			return fmt.Errorf("registering integrators: %w", err)
		}
	}
	return nil
}

// The initial balances, in largest orders.
const (
	poolFunds = 400 // as much as a pool may pay in a day, by the reference caps
	userFunds = 40
)

// fund mints tokens for the pools to pay out, and for the users to swap. Every
// account has enough native coin from the beginning.
func (n *Net) fund(ctx context.Context, c *evm.Chain) error {
	for _, r := range n.Catalog.Routers() {
		if r.Place.Network != c.ID || r.Kind != swap.Direct {
			continue
		}
		if err := n.mintMost(ctx, r.Token, r.Address, poolFunds); err != nil {
			return err
		}
	}
	users := []swap.Address{Account(Alice).Address, Account(Bob).Address, Account(Carol).Address, Safe}
	for _, t := range n.Catalog.Tokens() {
		for _, user := range users {
			if t.Chain != c.ID || t.IsNative() {
				continue
			}
			if err := n.mintMost(ctx, t, user, userFunds); err != nil {
				return err
			}
		}
	}
	return nil
}

// mintMost mints so many times the largest swap.
func (n *Net) mintMost(ctx context.Context, t *swap.Token, to swap.Address, swaps int64) error {
	largest := n.largest(t)
	if err := n.Mint(ctx, t, to, largest.Mul(largest, big.NewInt(swaps))); err != nil {
		return fmt.Errorf("funding %s with %s: %w", to, t.Symbol, err)
	}
	return nil
}

// largest is the most of a token that one swap may be.
func (n *Net) largest(t *swap.Token) *big.Int {
	for _, r := range n.Catalog.Routes() {
		if r.SrcToken == t {
			return r.Limits.Max.ToBig()
		}
	}
	return new(big.Int)
}

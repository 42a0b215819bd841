package devnet

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/third"
	"hubquote/swap"
	"hubquote/test/devnet/evm"
)

// shieldFee is the fee of the privacy pool, in basis points, as on chain.
const shieldFee = 25

// burnLimit is the most that the issuer lets one message burn: ten million.
var burnLimit = big.NewInt(10_000_000_000_000)

// place puts a stand-in's code at the original's address and initialises it.
func place(ctx context.Context, c *evm.Chain, at swap.Address, code *contract.Compiled, calls ...[]byte) error {
	if err := c.Do(ctx, "anvil_setCode", common.Address(at), hexutil.Bytes(code.Runtime())); err != nil {
		return err
	}
	for _, call := range calls {
		if _, err := c.Send(ctx, Account(Treasury), evm.Tx{To: common.Address(at), Data: call}); err != nil {
			return fmt.Errorf("placing %s: %w", code.Name, err)
		}
	}
	return nil
}

func (n *Net) placeTokens(ctx context.Context, c *evm.Chain) error {
	for _, t := range n.Catalog.Tokens() {
		if t.Chain != c.ID || t.IsNative() {
			continue
		}
		code := n.standIn(t)
		var init [][]byte
		if code != contract.WrappedEther {
			init = append(init, code.Call("init", t.Name, t.Symbol, t.Decimals))
		}
		if err := place(ctx, c, t.Address, code, init...); err != nil {
			return err
		}
	}
	return nil
}

// standIn returns the stand-in with the special behaviour of a token.
func (n *Net) standIn(t *swap.Token) *contract.Compiled {
	_, issued := n.Plan.Issuer.Domains[t.Chain]
	switch {
	case t.ApproveReset:
		return contract.Tether
	case t.Symbol == "WETH" && n.hasEther(t.Chain):
		return contract.WrappedEther
	case t.Symbol == "USDC" && issued:
		return contract.USDC
	default:
		return contract.Token
	}
}

// hasEther reports whether a chain's own coin is ether, and its WETH therefore
// the coin wrapped rather than a token from elsewhere.
func (n *Net) hasEther(id swap.ChainID) bool {
	for _, t := range n.Catalog.Tokens() {
		if t.Chain == id && t.IsNative() {
			return true
		}
	}
	return false
}

// placeIssuer puts the issuer's contracts in place and joins them to those on
// the other end of each lane that a swap can take.
func (n *Net) placeIssuer(ctx context.Context, c *evm.Chain) error {
	domain, ok := n.Plan.Issuer.Domains[c.ID]
	if !ok {
		return nil
	}
	messenger, usdc := n.Plan.Issuer.Messenger, n.usdc(c.ID)
	attesters := []common.Address{common.Address(Account(Attester).Address)}
	if err := place(ctx, c, third.Transmitter, contract.Transmitter,
		contract.Transmitter.Call("init", uint32(domain), attesters, big.NewInt(1))); err != nil {
		return err
	}
	toMessenger := [][]byte{contract.Messenger.Call("init", common.Address(third.Transmitter), common.Address(third.Minter),
		common.Address(Account(Treasury).Address))}
	toMinter := [][]byte{
		contract.Minter.Call("init", common.Address(messenger)),
		contract.Minter.Call("setMaxBurnAmountPerMessage", usdc, burnLimit),
	}
	for _, other := range n.lanes(c.ID) {
		remote := uint32(n.Plan.Issuer.Domains[other])
		toMessenger = append(toMessenger, contract.Messenger.Call("addRemoteTokenMessenger", remote, word(common.Address(messenger))))
		toMinter = append(toMinter, contract.Minter.Call("linkTokenPair", usdc, remote, word(n.usdc(other))))
	}
	if err := place(ctx, c, messenger, contract.Messenger, toMessenger...); err != nil {
		return err
	}
	return place(ctx, c, third.Minter, contract.Minter, toMinter...)
}

// lanes returns the networks that burns on this one can be minted on.
func (n *Net) lanes(id swap.ChainID) (others []swap.ChainID) {
	gateway := n.Plan.Issuer.Gateway
	for other := range n.Plan.Issuer.Domains {
		if other != id && (id == gateway || other == gateway) {
			others = append(others, other)
		}
	}
	return others
}

func (n *Net) usdc(id swap.ChainID) common.Address {
	for _, t := range n.Catalog.Tokens() {
		if t.Chain == id && t.Symbol == "USDC" {
			return common.Address(t.Address)
		}
	}
	return common.Address{}
}

func (n *Net) placePrivacyPools(ctx context.Context, c *evm.Chain) error {
	for _, pool := range n.Catalog.PrivacyPools() {
		if pool.Place.Network != c.ID {
			continue
		}
		init := contract.PrivacyPool.Call("init", common.Address(Account(Treasury).Address), big.NewInt(shieldFee))
		if err := place(ctx, c, pool.Contract, contract.PrivacyPool, init); err != nil {
			return err
		}
	}
	return nil
}

// placeSafe puts the contract wallet in place.
func placeSafe(ctx context.Context, c *evm.Chain) error {
	return place(ctx, c, Safe, contract.BatchWallet)
}

func word(a common.Address) [32]byte { return common.BytesToHash(a[:]) }

package devnet

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/contract"
	"hubquote/swap"
	"hubquote/test/devnet/evm"
)

// Mint gives an account more of a token.
func (n *Net) Mint(ctx context.Context, t *swap.Token, to swap.Address, amount *big.Int) error {
	c := n.Chains[t.Chain]
	switch {
	case c == nil:
		return fmt.Errorf("devnet: chain %d is not running", t.Chain)
	case t.IsNative():
		return n.mintCoin(ctx, c, to, amount)
	case n.standIn(t) == contract.WrappedEther:
		return n.mintWrapped(ctx, c, t, to, amount)
	}
	_, err := c.Send(ctx, Account(Treasury), evm.Tx{
		To: common.Address(t.Address), Data: contract.Token.Call("mint", common.Address(to), amount),
	})
	return err
}

func (n *Net) mintCoin(ctx context.Context, c *evm.Chain, to swap.Address, amount *big.Int) error {
	had, err := c.Balance(ctx, common.Address(to))
	if err != nil {
		return err
	}
	return c.Do(ctx, "anvil_setBalance", common.Address(to), (*hexutil.Big)(had.Add(had, amount)))
}

func (n *Net) mintWrapped(ctx context.Context, c *evm.Chain, t *swap.Token, to swap.Address, amount *big.Int) error {
	treasury := Account(Treasury)
	if err := n.mintCoin(ctx, c, treasury.Address, amount); err != nil {
		return err
	}
	weth := common.Address(t.Address)
	for _, tx := range []evm.Tx{
		{To: weth, Data: contract.WrappedEther.Call("deposit"), Value: amount},
		{To: weth, Data: contract.WrappedEther.Call("transfer", common.Address(to), amount)},
	} {
		if _, err := c.Send(ctx, treasury, tx); err != nil {
			return err
		}
	}
	return nil
}

// Balance returns how much of a token an account has.
func (n *Net) Balance(ctx context.Context, t *swap.Token, of swap.Address) (*big.Int, error) {
	c := n.Chains[t.Chain]
	if t.IsNative() {
		return c.Balance(ctx, common.Address(of))
	}
	out, err := c.Call(ctx, common.Address(t.Address), contract.Token.Call("balanceOf", common.Address(of)))
	if err != nil {
		return nil, err
	}
	return contract.Result[*big.Int](contract.Token, "balanceOf", out)
}

// Paid returns the token that the destination pool of a route pays in: the
// destination's own, or the gateway's where the pool burns.
func (n *Net) Paid(r *swap.Route) *swap.Token {
	if r.FeeChain == r.Dst.Network {
		return r.DstToken
	}
	for _, t := range n.Catalog.Tokens() {
		if t.Chain == r.FeeChain && t.Symbol == r.DstToken.Symbol {
			return t
		}
	}
	return nil
}

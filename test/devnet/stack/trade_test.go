package stack_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/internal/wire"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
)

const firstVersion = "/v1/quote"

// A trade is one swap, from the request to the deposit.
type trade struct {
	route      *swap.Route
	amount     *big.Int
	integrator string // empty for none
	path       string // of the version asked

	sender    evm.Account
	recipient swap.Address // new, so that its balance is the payment
	wallet    *zkWallet    // the recipient, on shielding routes

	quote   wire.V3
	deposit *types.Receipt
}

func (j *trade) String() string {
	r := j.route
	return fmt.Sprintf("%s %s on %d to %s on %d, integrator %q", j.amount, r.SrcToken.Symbol, r.Src.ID, r.DstToken.Symbol, r.Dst.ID, j.integrator)
}

func newTrade(t *testing.T, r *swap.Route, amount *big.Int, integrator string) *trade {
	return &trade{
		route: r, amount: amount, integrator: integrator, path: "/v3/swap/quote",
		sender: devnettest.NewAccount(t), recipient: devnettest.NewAccount(t).Address,
	}
}

// ask gets the quote.
func (j *trade) ask(w *trial) error {
	q := url.Values{
		"srcChain": {j.route.Src.ID.String()}, "srcToken": {j.route.SrcToken.Address.String()},
		"dstChain": {j.route.Dst.ID.String()}, "dstToken": {j.route.DstToken.Address.String()},
		"amount": {j.amount.String()},
	}
	switch {
	case j.wallet != nil:
		q.Set("recipient", j.wallet.Address)
	case !j.recipient.IsZero():
		q.Set("recipient", j.recipient.String())
	}
	if j.integrator != "" {
		q.Set("integratorId", j.integrator)
	}
	return getJSON(w.URL+j.path+"?"+q.Encode(), &j.quote)
}

// clients counts the requests, each of which comes from a client of its own: the
// service limits them.
var clients atomic.Uint32

func getJSON(url string, into any) error {
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	n := clients.Add(1)
	r.Header.Set("X-Forwarded-For", fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255))
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d: %s", resp.StatusCode, body)
	}
	return json.Unmarshal(body, into)
}

// equip mints the amount for the sender, and coins for gas.
func (j *trade) equip(ctx context.Context, w *trial) error {
	c, t := w.Chains[j.route.Src.Network], j.route.SrcToken
	sender := common.Address(j.sender.Address)
	purse := big.NewInt(1_000_000_000_000_000_000)
	tx := evm.Tx{To: common.Address(t.Address), Data: contract.Token.Call("mint", sender, j.amount)}
	switch wrapped := t.Symbol == "WETH" && t.Chain == 1; {
	case wrapped:
		purse.Add(purse, j.amount)
		tx.Data, tx.Value = contract.WrappedEther.Call("deposit"), j.amount
	case t.IsNative():
		purse.Add(purse, j.amount)
		tx = evm.Tx{To: sender}
	}
	if _, err := c.Send(ctx, devnet.Account(devnet.Treasury), evm.Tx{To: sender, Value: purse}); err != nil {
		return err
	}
	_, err := c.Send(ctx, j.sender, tx)
	return err
}

// approveAnyway adds the approval that the first version of the API leaves to its
// clients.
func (j *trade) approveAnyway() {
	if j.path != firstVersion || j.route.SrcToken.IsNative() {
		return
	}
	spender := common.HexToAddress(j.quote.To)
	j.quote.Approval = &wire.Approval{
		Token: j.route.SrcToken.Address.String(), Spender: j.quote.To, Amount: j.amount.String(),
		Calldata: hexutil.Encode(contract.Token.Call("approve", spender, j.amount)),
	}
}

// send does what the specification tells a client to do: approve if there is
// an approval, then call.
func (j *trade) send(ctx context.Context, w *trial) (err error) {
	c := w.Chains[j.route.Src.Network]
	if a := j.quote.Approval; a != nil {
		if err := j.approve(ctx, c, a); err != nil {
			return fmt.Errorf("approve: %w", err)
		}
	}
	value, err := hexutil.DecodeBig(j.quote.MethodParameters.Value)
	if err != nil {
		return err
	}
	j.deposit, err = c.Send(ctx, j.sender, evm.Tx{
		To: common.HexToAddress(j.quote.To), Data: hexutil.MustDecode(j.quote.MethodParameters.Calldata), Value: value,
	})
	if err != nil {
		return fmt.Errorf("swap: %w", err)
	}
	return j.checkAllowance(ctx, c)
}

// approve leaves an allowance behind first where the token makes that a
// problem, so that the reset is needed.
func (j *trade) approve(ctx context.Context, c *evm.Chain, a *wire.Approval) error {
	token := common.HexToAddress(a.Token)
	calls := [][]byte{hexutil.MustDecode(a.Calldata)}
	if a.Reset != "" {
		leftover := contract.Token.Call("approve", common.HexToAddress(a.Spender), big.NewInt(1))
		calls = [][]byte{leftover, hexutil.MustDecode(a.Reset), calls[0]}
	}
	for _, call := range calls {
		if _, err := c.Send(ctx, j.sender, evm.Tx{To: token, Data: call}); err != nil {
			return err
		}
	}
	return nil
}

func (j *trade) checkAllowance(ctx context.Context, c *evm.Chain) error {
	a := j.quote.Approval
	if a == nil {
		return nil
	}
	out, err := c.Call(ctx, common.HexToAddress(a.Token),
		contract.Token.Call("allowance", common.Address(j.sender.Address), common.HexToAddress(a.Spender)))
	if err != nil {
		return err
	}
	if left, err := contract.Result[*big.Int](contract.Token, "allowance", out); err != nil || left.Sign() != 0 {
		return fmt.Errorf("allowance after the swap = %s, %v, want none", left, err)
	}
	return nil
}

// begin asks and sends.
func (j *trade) begin(ctx context.Context, w *trial) error {
	if err := j.ask(w); err != nil {
		return err
	}
	if err := j.equip(ctx, w); err != nil {
		return err
	}
	j.approveAnyway()
	return j.send(ctx, w)
}

// arrived reports whether the recipient has been paid.
func (j *trade) arrived(ctx context.Context, w *trial) (bool, error) {
	if j.wallet != nil {
		_, found, err := j.note(ctx, w)
		return found, err
	}
	got, err := w.Balance(ctx, j.route.DstToken, j.recipient)
	return err == nil && got.Sign() != 0, err
}

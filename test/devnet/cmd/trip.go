package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/deployment/bind"
	"hubquote/internal/wire"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/evm"
	"hubquote/test/devnet/front"
)

// A trip is one swap with somebody watching.
type trip struct {
	url        string
	http       *http.Client
	out        screen
	route      *swap.Route
	amount     swap.Amount
	sender     devnet.Persona
	recipient  string
	integrator string

	src, dst *evm.Chain
	quote    wire.V3
	order    front.Order
}

func (t *trip) run(ctx context.Context) error {
	if err := t.connect(ctx); err != nil {
		return err
	}
	defer t.src.Close()
	defer t.dst.Close()
	t.title()
	if err := t.ask(ctx); err != nil {
		return err
	}
	before, err := t.balances(ctx)
	if err != nil {
		return err
	}
	if err := t.approve(ctx); err != nil {
		return err
	}
	if err := t.send(ctx); err != nil {
		return err
	}
	after, err := t.balances(ctx)
	if err != nil {
		return err
	}
	t.compare(before, after)
	return t.conclude(ctx)
}

// connect makes sure that a devnet is there.
func (t *trip) connect(ctx context.Context) error {
	var config front.Config
	if err := t.get(ctx, "/devnet/config.json", &config); err != nil {
		return fmt.Errorf("no devnet answers at %s: %w; start one with devnet up", t.url, err)
	}
	var err error
	if t.src, err = evm.Dial(ctx, t.route.Src.Network, t.url+front.RPCPath(t.route.Src.Network), nil); err != nil {
		return err
	}
	t.dst, err = evm.Dial(ctx, t.route.Dst.Network, t.url+front.RPCPath(t.route.Dst.Network), nil)
	return err
}

func (t *trip) get(ctx context.Context, path string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, t.url+path, nil)
	if err != nil {
		return err
	}
	resp, err := t.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		var problem struct{ Error string }
		json.NewDecoder(resp.Body).Decode(&problem)
		return fmt.Errorf("status %d: %s", resp.StatusCode, problem.Error)
	}
	return json.NewDecoder(resp.Body).Decode(into)
}

func (t *trip) ask(ctx context.Context) error {
	r := t.route
	q := url.Values{
		"srcChain": {r.Src.ID.String()}, "srcToken": {r.SrcToken.Symbol},
		"dstChain": {r.Dst.ID.String()}, "dstToken": {r.DstToken.Symbol},
		"amount": {t.amount.Dec()}, "recipient": {t.recipient},
	}
	if t.integrator != "" {
		q.Set("integratorId", t.integrator)
	}
	if err := t.get(ctx, "/v3/swap/quote?"+q.Encode(), &t.quote); err != nil {
		return fmt.Errorf("the quote was refused with %w", err)
	}
	fee := t.units(t.quote.Fee.Total.Amount, r.DstToken)
	t.done("Quoted", fmt.Sprintf("%s for %s, after %s fee", t.units(t.quote.DestAmount, r.DstToken), short(t.recipient), fee))
	return nil
}

// approve does what the quote says, if the allowance is too small.
func (t *trip) approve(ctx context.Context) error {
	a := t.quote.Approval
	if a == nil {
		return nil
	}
	token := common.HexToAddress(a.Token)
	out, err := t.src.Call(ctx, token, bind.Token.Call("allowance", common.Address(t.sender.Address), common.HexToAddress(a.Spender)))
	if err != nil {
		return err
	}
	allowance, err := bind.Result[*big.Int](bind.Token, "allowance", out)
	if err != nil {
		return err
	}
	if allowance.Cmp(t.amount.ToBig()) >= 0 {
		t.done("Approved", "earlier")
		return nil
	}
	if a.Reset != "" && allowance.Sign() != 0 {
		if err := t.transact(ctx, "Reset", "the old allowance", token, a.Reset, "0x0"); err != nil {
			return err
		}
	}
	return t.transact(ctx, "Approved", t.units(a.Amount, t.route.SrcToken)+" for "+short(a.Spender), token, a.Calldata, "0x0")
}

// send sends the swap and follows it until it has landed.
func (t *trip) send(ctx context.Context) error {
	tx, err := t.submit(ctx, common.HexToAddress(t.quote.To), t.quote.MethodParameters.Calldata, t.quote.MethodParameters.Value)
	if err != nil {
		return fmt.Errorf("the swap was refused: %w", err)
	}
	t.done("Sent", tx.TxHash.Hex())
	return t.follow(ctx, tx.TxHash)
}

func (t *trip) transact(ctx context.Context, what, detail string, to common.Address, data, value string) error {
	tx, err := t.submit(ctx, to, data, value)
	if err != nil {
		return err
	}
	t.done(what, detail+", "+short(tx.TxHash.Hex()))
	return nil
}

func (t *trip) submit(ctx context.Context, to common.Address, data, value string) (*types.Receipt, error) {
	calldata, err := hexutil.Decode(data)
	if err != nil {
		return nil, err
	}
	amount, err := hexutil.DecodeBig(value)
	if err != nil {
		return nil, err
	}
	receipt, err := t.src.Send(ctx, t.sender.Account, evm.Tx{To: to, Data: calldata, Value: amount})
	return receipt, bind.Explain(err)
}

const followEvery = 100 * time.Millisecond

// follow shows each step when it is done.
func (t *trip) follow(ctx context.Context, tx common.Hash) error {
	for shown := 0; ; {
		if err := t.get(ctx, "/devnet/orders/"+tx.Hex(), &t.order); err != nil {
			return err
		}
		for ; shown < len(t.order.Steps) && t.order.Steps[shown].State == front.Done; shown++ {
			t.done(t.order.Steps[shown].Label, short(t.order.Steps[shown].Hash))
		}
		switch t.order.State {
		case front.Landed:
			return nil
		case front.Failed:
			return fmt.Errorf("the order failed: %s", t.order.Detail)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(followEvery):
		}
	}
}

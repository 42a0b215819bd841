package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/client"
	"hubquote/internal/contract"
	"hubquote/internal/term"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/evm"
	"hubquote/test/devnet/front"
)

// A trip performs one swap and prints each step.
type trip struct {
	url        string
	http       *http.Client
	out        *term.Terminal
	route      *swap.Route
	amount     swap.Amount
	sender     devnet.NamedAccount
	recipient  string
	integrator swap.IntegratorID // zero for none

	src, dst *evm.Chain
	quote    *swap.Quote // verified
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

// connect makes sure that a devnet answers.
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

// ask gets a quote and verifies it.
func (t *trip) ask(ctx context.Context) error {
	r := t.route
	request := swap.Request{
		SrcChain: r.Src.ID, SrcToken: swap.TokenName{Address: r.SrcToken.Address},
		DstChain: r.Dst.ID, DstToken: swap.TokenName{Address: r.DstToken.Address},
		Amount: t.amount, Integrator: t.integrator,
	}
	var err error
	if request.Recipient, err = swap.ParseRecipient(t.recipient); err != nil {
		return fmt.Errorf("--recipient: %w", err)
	}
	// The embedded pins have no integrator, so its rate cannot be checked.
	c, err := client.New(t.url, client.Accept(client.IntegratorRateUnpinned))
	if err != nil {
		return fmt.Errorf("--devnet: %w", err)
	}
	if t.quote, err = c.Quote(ctx, request); err != nil {
		return fmt.Errorf("the quote: %w", err)
	}
	t.done("Quoted and verified", fmt.Sprintf("%s for %s, after %s fee",
		units(&t.quote.Received, r.DstToken), term.Short(t.recipient), units(&t.quote.Fees.Total, r.DstToken)))
	return nil
}

// approve sends the quote's approval if the allowance is too small.
func (t *trip) approve(ctx context.Context) error {
	a := t.quote.Payload.Approval
	if a == nil {
		return nil
	}
	token := common.Address(a.Token)
	out, err := t.src.Call(ctx, token, contract.Token.Call("allowance", common.Address(t.sender.Address), common.Address(a.Spender)))
	if err != nil {
		return err
	}
	allowance, err := contract.Result[*big.Int](contract.Token, "allowance", out)
	if err != nil {
		return err
	}
	if allowance.Cmp(t.amount.ToBig()) >= 0 {
		t.done("Approved", "earlier")
		return nil
	}
	if a.Reset != nil && allowance.Sign() != 0 {
		if err := t.transact(ctx, "Reset", "the old allowance", evm.Tx{To: token, Data: a.Reset}); err != nil {
			return err
		}
	}
	return t.transact(ctx, "Approved", units(&a.Amount, t.route.SrcToken)+" for "+term.Short(a.Spender.String()), evm.Tx{To: token, Data: a.Calldata})
}

// send sends the swap and follows it until it has landed.
func (t *trip) send(ctx context.Context) error {
	p := &t.quote.Payload
	receipt, err := t.submit(ctx, evm.Tx{To: common.Address(p.To), Data: p.Calldata, Value: p.Value.ToBig()})
	if err != nil {
		return fmt.Errorf("the swap was refused: %w", err)
	}
	t.done("Sent", receipt.TxHash.Hex())
	return t.follow(ctx, receipt.TxHash)
}

func (t *trip) transact(ctx context.Context, what, detail string, tx evm.Tx) error {
	receipt, err := t.submit(ctx, tx)
	if err != nil {
		return err
	}
	t.done(what, detail+", "+term.Short(receipt.TxHash.Hex()))
	return nil
}

func (t *trip) submit(ctx context.Context, tx evm.Tx) (*types.Receipt, error) {
	receipt, err := t.src.Send(ctx, t.sender.Account, tx)
	return receipt, contract.Explain(err)
}

const followEvery = 100 * time.Millisecond

// follow shows each step when it is done.
func (t *trip) follow(ctx context.Context, tx common.Hash) error {
	for shown := 0; ; {
		if err := t.get(ctx, "/devnet/orders/"+tx.Hex(), &t.order); err != nil {
			return err
		}
		for ; shown < len(t.order.Steps) && t.order.Steps[shown].State == front.Done; shown++ {
			t.done(t.order.Steps[shown].Label, term.Short(t.order.Steps[shown].Hash))
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

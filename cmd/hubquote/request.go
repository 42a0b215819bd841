package main

import (
	"errors"
	"fmt"

	"hubquote/client"
	"hubquote/internal/flags"
	"hubquote/swap"
)

// asked are the flags that say which swap is meant.
type asked struct {
	from, to, amount, units, recipient, refundTo, integrator string
}

func (a *asked) define(f *flags.Set) {
	f.StringVar(&a.from, "from", "", "`token` to give, with its chain, such as USDC@369")
	f.StringVar(&a.to, "to", "", "`token` to get, likewise, such as USDC@8453")
	f.StringVar(&a.amount, "amount", "", "`number` of tokens to give, such as 25.5")
	f.StringVar(&a.units, "units", "", "`number` of the token's smallest units to give, such as 25500000;\ninstead of --amount")
	f.StringVar(&a.recipient, "recipient", "", "`address` to pay: an EVM address, or a 0zk address for a privacy pool")
	f.StringVar(&a.refundTo, "refund-to", "", "`address` on the source chain that gets the deposit back if the swap cannot\nbe paid; without it the sender does")
	f.StringVar(&a.integrator, "integrator", "", "`wallet` of the partner to name, if there is one")
}

func (a *asked) isZero() bool { return *a == asked{} }

// request reads the flags, with the tokens that the pins know.
func (a *asked) request(p *client.Pins) (r swap.Request, err error) {
	from, fromToken, err := p.Token(a.from)
	if err != nil {
		return r, fmt.Errorf("--from: %w", err)
	}
	to, toToken, err := p.Token(a.to)
	if err != nil {
		return r, fmt.Errorf("--to: %w", err)
	}
	r = swap.Request{
		SrcChain: from, SrcToken: swap.TokenName{Address: fromToken.Address},
		DstChain: to, DstToken: swap.TokenName{Address: toToken.Address},
	}
	if r.Amount, err = a.parseAmount(fromToken); err != nil {
		return r, err
	}
	if r.Recipient, err = a.parseRecipient(); err != nil {
		return r, err
	}
	if a.refundTo != "" {
		if r.RefundTo, err = parseFlag("--refund-to", a.refundTo, swap.ParseRefundTo); err != nil {
			return r, err
		}
	}
	if a.integrator != "" {
		if r.Integrator, err = swap.ParseIntegratorID(a.integrator); err != nil {
			return r, fmt.Errorf("--integrator: %w", err)
		}
	}
	return r, nil
}

// parseRecipient reads the recipient, with the code that the server has for a
// missing one.
func (a *asked) parseRecipient() (swap.Recipient, error) {
	if a.recipient == "" {
		return swap.Recipient{}, swap.Missing("recipient")
	}
	return parseFlag("--recipient", a.recipient, swap.ParseRecipient)
}

// parseFlag reads the value of a flag. An error that does not name its parameter
// names the flag.
func parseFlag[T any](name, s string, parse func(string) (T, error)) (T, error) {
	v, err := parse(s)
	if _, named := errors.AsType[*swap.Error](err); err != nil && !named {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return v, err
}

func (a *asked) parseAmount(t *swap.Token) (n swap.Amount, err error) {
	switch {
	case (a.amount == "") == (a.units == ""):
		return n, errors.New("give either --amount, as in 25.5, or --units, as in 25500000")
	case a.units != "":
		if n, err = swap.ParseAmount(a.units); err != nil {
			return n, fmt.Errorf("--units: %w", err)
		}
	default:
		if n, err = swap.ParseUnits(a.amount, t.Decimals); err != nil {
			return n, fmt.Errorf("--amount: %w; %s has %d", err, t.Symbol, t.Decimals)
		}
		if n.IsZero() {
			return n, &swap.Error{Code: swap.AmountInvalid, Param: "--amount", Message: "an amount is more than zero"}
		}
	}
	return n, nil
}

// pinsFlag declares the flag that says what to check quotes against.
func pinsFlag(f *flags.Set) *string {
	return f.String("pins", "", "`file` with what to check the quote against, written by hubquote pins;\nwithout it the built-in catalog is used")
}

func loadPins(name string) (*client.Pins, error) {
	if name == "" {
		return client.EmbeddedPins()
	}
	return client.ReadPins(name)
}

package ask

import (
	"errors"
	"fmt"

	"hubquote/client"
	"hubquote/internal/flags"
	"hubquote/swap"
)

// Flags are the texts that describe a swap.
type Flags struct {
	From, To, Amount, Units, Recipient, RefundTo, Integrator string
}

// Define declares the flags.
func (a *Flags) Define(f *flags.Set) {
	f.StringVar(&a.From, "from", "", "`token` to give, with its chain, such as USDC@369")
	f.StringVar(&a.To, "to", "", "`token` to get, likewise, such as USDC@8453")
	f.StringVar(&a.Amount, "amount", "", "`number` of tokens to give, such as 25.5")
	f.StringVar(&a.Units, "units", "", "`number` of the token's smallest units to give, such as 25500000;\ninstead of --amount")
	f.StringVar(&a.Recipient, "recipient", "", "`address` to pay: an EVM address, or a 0zk address for a privacy pool")
	f.StringVar(&a.RefundTo, "refund-to", "", "`address` on the source chain that gets the deposit back if the swap cannot\nbe paid; without it the sender does")
	f.StringVar(&a.Integrator, "integrator", "", "`wallet` of the partner to name, if there is one")
}

// Request reads the flags, with the tokens that the pins know. An error about a
// value has the code that the API has for it.
func (a *Flags) Request(p *client.Pins) (r swap.Request, err error) {
	from, err := read("--from", a.From, swap.ParamInvalid, tokenOf(p))
	if err != nil {
		return r, err
	}
	to, err := read("--to", a.To, swap.ParamInvalid, tokenOf(p))
	if err != nil {
		return r, err
	}
	r = swap.Request{SrcChain: from.place, SrcToken: from.name, DstChain: to.place, DstToken: to.name}
	if r.Amount, err = a.parseAmount(from.token); err != nil {
		return r, err
	}
	if r.Recipient, err = read("--recipient", a.Recipient, swap.RecipientInvalid, swap.ParseRecipient); err != nil {
		return r, err
	}
	if r.RefundTo, err = readOptional("--refund-to", a.RefundTo, swap.RefundToInvalid, swap.ParseRefundTo); err != nil {
		return r, err
	}
	r.Integrator, err = readOptional("--integrator", a.Integrator, swap.IntegratorInvalid, swap.ParseIntegratorID)
	return r, err
}

// A coin is a pinned token at a place, named by its address in a request.
type coin struct {
	place swap.PlaceID
	name  swap.TokenName
	token *swap.Token
}

func tokenOf(p *client.Pins) func(string) (coin, error) {
	return func(s string) (coin, error) {
		place, token, err := p.Token(s)
		if err != nil {
			return coin{}, err
		}
		return coin{place, swap.TokenName{Address: token.Address}, token}, nil
	}
}

func (a *Flags) parseAmount(t *swap.Token) (swap.Amount, error) {
	if (a.Amount == "") == (a.Units == "") {
		return swap.Amount{}, errors.New("give either --amount, as in 25.5, or --units, as in 25500000")
	}
	if a.Units != "" {
		return read("--units", a.Units, swap.AmountInvalid, swap.ParseAmount)
	}
	return read("--amount", a.Amount, swap.AmountInvalid, func(s string) (swap.Amount, error) {
		n, err := swap.ParseUnits(s, t.Decimals)
		switch {
		case err != nil:
			return n, fmt.Errorf("%w; %s has %d", err, t.Symbol, t.Decimals)
		case n.IsZero():
			return n, errors.New("an amount is more than zero")
		}
		return n, nil
	})
}

// read reads the value of a flag that must be given. An error names the flag, and
// has the code of the parser, or else this one.
func read[T any](flag, value string, code swap.Code, parse func(string) (T, error)) (v T, err error) {
	if value == "" {
		return v, swap.Missing(flag)
	}
	if v, err = parse(value); err != nil {
		refused := *swap.Refuse(flag, code, err)
		refused.Param = flag
		return v, &refused
	}
	return v, nil
}

// readOptional is [read] for a flag that may be left out.
func readOptional[T any](flag, value string, code swap.Code, parse func(string) (T, error)) (v T, err error) {
	if value == "" {
		return v, nil
	}
	return read(flag, value, code, parse)
}

package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"

	"hubquote/client"
	"hubquote/internal/catalog"
	"hubquote/swap"
)

// asked are the flags that say which swap is meant.
type asked struct {
	from, to, amount, units, recipient, integrator string
}

func (a *asked) define(f *flags) {
	f.StringVar(&a.from, "from", "", "`token` to give, with its chain, such as USDC@369")
	f.StringVar(&a.to, "to", "", "`token` to get, likewise, such as USDC@8453")
	f.StringVar(&a.amount, "amount", "", "`number` of tokens to give, such as 25.5")
	f.StringVar(&a.units, "units", "", "`number` of the token's smallest units to give, such as 25500000;\ninstead of --amount")
	f.StringVar(&a.recipient, "recipient", "", "`address` to pay: an EVM address, or a 0zk address for a privacy pool")
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
	r.Recipient, err = swap.ParseRecipient(a.recipient)
	if e, ok := errors.AsType[*swap.Error](err); ok {
		return r, e
	}
	if err != nil {
		return r, fmt.Errorf("--recipient: %w", err)
	}
	if a.integrator != "" {
		if r.Integrator, err = swap.ParseIntegratorID(a.integrator); err != nil {
			return r, fmt.Errorf("--integrator: %w", err)
		}
	}
	return r, nil
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
	}
	return n, nil
}

// operands parses flags that may stand before, between and behind a command's
// other arguments, and returns those. A lone dash is one of them.
func operands(f *flags, args []string) (rest []string, err error) {
	var options []string
	for i := 0; i < len(args); i++ {
		name := strings.TrimLeft(args[i], "-")
		if name == args[i] || name == "" {
			rest = append(rest, args[i])
			continue
		}
		options = append(options, args[i])
		if fl := f.Lookup(name); fl != nil && !isSwitch(fl) && i+1 < len(args) {
			i++
			options = append(options, args[i])
		}
	}
	return rest, f.parse(options)
}

// isSwitch reports whether a flag takes no value.
func isSwitch(f *flag.Flag) bool {
	b, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && b.IsBoolFlag()
}

// pinsFlag declares the flag that says what to check quotes against.
func pinsFlag(f *flags) *string {
	return f.String("pins", "", "`file` with what to check the quote against, written by hubquote pins;\nwithout it the built-in catalog is used")
}

func loadPins(name string) (*client.Pins, error) {
	if name == "" {
		return client.EmbeddedPins()
	}
	return client.ReadPins(name)
}

// names tell people what numbers mean. They come from the built-in catalog, and
// prove nothing.
type names struct{ routes []*swap.Route }

func newNames() (*names, error) {
	c, err := catalog.Embedded()
	if err != nil {
		return nil, err
	}
	return &names{c.Routes()}, nil
}

func (n *names) place(id swap.PlaceID) string {
	for _, r := range n.routes {
		for _, p := range []swap.Place{r.Src, r.Dst} {
			if p.ID == id {
				return p.Name
			}
		}
	}
	return "chain " + id.String()
}

// token names a token by its address, which is all that a call says, at the
// place the call names.
func (n *names) token(at swap.PlaceID, a swap.Address) string {
	for _, r := range n.routes {
		if r.Dst.ID == at && r.DstToken.Address == a {
			return r.DstToken.Symbol
		}
	}
	return ""
}

// duration is how long the swap usually takes, for people; empty when unknown.
func (n *names) duration(q *swap.Route) string {
	for _, r := range n.routes {
		if r.Src.ID != q.Src.ID || r.Dst.ID != q.Dst.ID || r.SrcToken.Address != q.SrcToken.Address || r.DstToken.Address != q.DstToken.Address {
			continue
		}
		switch {
		case r.Duration == 0:
			return ""
		case r.Duration < 120:
			return fmt.Sprintf("about %d s", r.Duration)
		default:
			return fmt.Sprintf("about %d min", (r.Duration+30)/60)
		}
	}
	return ""
}

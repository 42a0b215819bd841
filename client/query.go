package client

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"hubquote/swap"
)

// QueryOf writes a request as the server reads it.
func QueryOf(r swap.Request) url.Values {
	q := url.Values{
		"srcChain": {r.SrcChain.String()}, "srcToken": {r.SrcToken.String()},
		"dstChain": {r.DstChain.String()}, "dstToken": {r.DstToken.String()},
		"amount": {r.Amount.Dec()}, "recipient": {r.Recipient.String()},
	}
	if !r.Integrator.IsZero() {
		q.Set("integratorId", r.Integrator.String())
	}
	return q
}

// ParseRequest reads a request from the address or query string it was made
// with. Parameters that do not change what is asked for are left out.
func ParseRequest(s string) (r swap.Request, err error) {
	if _, query, found := strings.Cut(s, "?"); found {
		s = query
	}
	q, err := url.ParseQuery(s)
	if err != nil {
		return r, errors.New("not a query string")
	}
	p := parser{q: q}
	r.SrcChain = parse(&p, "srcChain", swap.ParsePlaceID)
	r.DstChain = parse(&p, "dstChain", swap.ParsePlaceID)
	r.SrcToken = parse(&p, "srcToken", swap.ParseTokenName)
	r.DstToken = parse(&p, "dstToken", swap.ParseTokenName)
	r.Amount = parse(&p, "amount", swap.ParseAmount)
	r.Recipient = parse(&p, "recipient", swap.ParseRecipient)
	if q.Has("integratorId") {
		r.Integrator = parse(&p, "integratorId", swap.ParseIntegratorID)
	}
	return r, p.err
}

// A parser remembers the first parameter that is wrong.
type parser struct {
	q   url.Values
	err error
}

func parse[T any](p *parser, name string, read func(string) (T, error)) (v T) {
	values := p.q[name]
	err := errors.New("must be there once")
	if len(values) == 1 {
		v, err = read(values[0])
	}
	if _, named := errors.AsType[*swap.Error](err); err != nil && !named {
		err = fmt.Errorf("%s: %w", name, err)
	}
	if p.err == nil {
		p.err = err
	}
	return v
}

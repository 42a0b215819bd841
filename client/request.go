package client

import (
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
	if !r.RefundTo.IsZero() {
		q.Set("refundTo", r.RefundTo.String())
	}
	if !r.Integrator.IsZero() {
		q.Set("integratorId", r.Integrator.String())
	}
	if words := includeWords(r.Include); words != "" {
		q.Set("include", words)
	}
	return q
}

func includeWords(in swap.Includes) string {
	var words []string
	for _, w := range []struct {
		word string
		on   bool
	}{{"decoded", in.Decoded}, {"calls", in.Calls}, {"proof", in.Proof}} {
		if w.on {
			words = append(words, w.word)
		}
	}
	return strings.Join(words, ",")
}

// ParseRequest reads a request from the address or query string it was made
// with. Parameters that do not change the quote are left out. An error is a
// [*swap.Error] that names the parameter.
func ParseRequest(s string) (r swap.Request, err error) {
	if _, query, found := strings.Cut(s, "?"); found {
		s = query
	}
	values, err := url.ParseQuery(s)
	if err != nil {
		return r, &swap.Error{Code: swap.QueryMalformed, Message: "this is not a query string"}
	}
	q := parser{values: values}
	r.SrcToken = parse(&q, "srcToken", swap.TokenInvalid, swap.ParseTokenName)
	r.DstToken = parse(&q, "dstToken", swap.TokenInvalid, swap.ParseTokenName)
	r.Amount = parse(&q, "amount", swap.AmountInvalid, swap.ParseAmount)
	r.SrcChain = parse(&q, "srcChain", swap.ChainInvalid, swap.ParsePlaceID)
	r.DstChain = parse(&q, "dstChain", swap.ChainInvalid, swap.ParsePlaceID)
	r.Recipient = parse(&q, "recipient", swap.RecipientInvalid, swap.ParseRecipient)
	if values.Has("refundTo") {
		r.RefundTo = parse(&q, "refundTo", swap.RefundToInvalid, swap.ParseRefundTo)
	}
	if values.Has("integratorId") {
		r.Integrator = parse(&q, "integratorId", swap.IntegratorInvalid, swap.ParseIntegratorID)
	}
	if values.Has("include") {
		r.Include = parse(&q, "include", swap.ParamInvalid, swap.ParseIncludes)
	}
	if q.err != nil {
		return swap.Request{}, q.err
	}
	return r, nil
}

// A parser reads parameters and keeps the first error.
type parser struct {
	values url.Values
	err    *swap.Error
}

// parse reads one parameter; code is what is wrong if read refuses it.
func parse[T any](q *parser, name string, code swap.Code, read func(string) (T, error)) (v T) {
	values := q.values[name]
	var e *swap.Error
	switch {
	case len(values) > 1:
		e = &swap.Error{Code: swap.ParamRepeated, Param: name, Message: "this parameter is given more than once"}
	case len(values) == 0 || values[0] == "":
		e = swap.Missing(name)
	default:
		var err error
		if v, err = read(values[0]); err == nil {
			return v
		}
		e = swap.Refuse(name, code, err)
	}
	if q.err == nil {
		q.err = e
	}
	return v
}

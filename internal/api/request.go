package api

import (
	"errors"
	"strings"

	"hubquote/internal/wire"
	"hubquote/swap"
)

// The parameters of the quote endpoint, in all versions.
const (
	srcToken = iota
	dstToken
	amount
	srcChain
	dstChain
	recipient
	recipientType
	integratorID
	revision
	include
)

var quoteFields = []field{
	srcToken:      {"srcToken", swap.MaxTokenLen},
	dstToken:      {"dstToken", swap.MaxTokenLen},
	amount:        {"amount", swap.MaxAmountDigits},
	srcChain:      {"srcChain", swap.MaxPlaceDigits},
	dstChain:      {"dstChain", swap.MaxPlaceDigits},
	recipient:     {"recipient", swap.MaxRecipientLen},
	recipientType: {"recipientType", 1},
	integratorID:  {"integratorId", swap.MaxIntegratorLen},
	revision:      {"revision", 1},
	include:       {"include", 32},
}

// parseCommon reads what all versions of the quote endpoint share.
func parseCommon(q *query) (r swap.Request) {
	r.SrcToken = parse(q, srcToken, swap.TokenInvalid, swap.ParseTokenName)
	r.DstToken = parse(q, dstToken, swap.TokenInvalid, swap.ParseTokenName)
	r.Amount = parse(q, amount, swap.AmountInvalid, swap.ParseAmount)
	r.SrcChain = parse(q, srcChain, swap.ChainInvalid, swap.ParsePlaceID)
	r.DstChain = parse(q, dstChain, swap.ChainInvalid, swap.ParsePlaceID)
	return r
}

// parse reads one required field; what it refuses is reported and left zero.
func parse[T any](q *query, i int, code swap.Code, read func(string) (T, error)) (v T) {
	s, ok := q.required(i)
	if !ok {
		return v
	}
	return parsed(q, i, code, s, read)
}

func parsed[T any](q *query, i int, code swap.Code, s string, read func(string) (T, error)) (v T) {
	v, err := read(s)
	if e, ok := errors.AsType[*swap.Error](err); ok {
		q.problems.Add(e)
		return v
	}
	switch {
	case errors.Is(err, swap.ErrChecksum):
		q.refuse(swap.AddressChecksum, q.fields[i].name, err.Error())
	case err != nil:
		q.refuse(code, q.fields[i].name, err.Error())
	}
	return v
}

// parseRecipient reads the recipient and checks it against its declared type. A
// raw 0zk address is of type 2 whatever is declared; an EVM address never is.
func parseRecipient(q *query) swap.Recipient {
	return checkType(q, parse(q, recipient, swap.RecipientInvalid, swap.ParseRecipient))
}

// checkType checks a recipient against its declared type. A 0zk address is of
// type 2 whatever is declared; an EVM address never is.
func checkType(q *query, r swap.Recipient) swap.Recipient {
	s, given := q.optional(recipientType)
	switch {
	case !given || s == "0":
	case s != "2":
		q.refuse(swap.ParamInvalid, "recipientType", "write 0 for an EVM address or 2 for a privacy-pool recipient")
	case !r.IsPrivate() && !q.refused("recipient"):
		q.refuse(swap.RecipientMismatch, "recipient", "recipientType 2 needs a raw 0zk address")
	}
	return r
}

func parseIntegrator(q *query) (id swap.IntegratorID) {
	if s, given := q.optional(integratorID); given {
		id = parsed(q, integratorID, swap.IntegratorInvalid, s, swap.ParseIntegratorID)
	}
	return id
}

// refuseIntegrator is for the versions that know no integrators: leaving the
// parameter out silently would cost the partner its fee.
func refuseIntegrator(q *query) {
	if _, given := q.optional(integratorID); given {
		q.refuse(swap.IntegratorRefused, "integratorId", "this version of the API knows no integrators; use /v3/swap/quote without revision")
	}
}

func parseIncludes(q *query) (in wire.Includes) {
	s, given := q.optional(include)
	if !given {
		return in
	}
	for word := range strings.SplitSeq(s, ",") {
		switch word {
		case "decoded":
			in.Decoded = true
		case "calls":
			in.Calls = true
		case "proof":
			in.Proof = true
		default:
			q.refuse(swap.ParamInvalid, "include", "write a comma-separated list of: decoded, calls, proof")
		}
	}
	return in
}

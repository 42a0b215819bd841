package dialect

import (
	"hubquote/internal/api/query"
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
	refundTo
	integratorID
	revision
	include
)

var fields = []query.Field{
	srcToken:      {Name: "srcToken", Max: swap.MaxTokenLen},
	dstToken:      {Name: "dstToken", Max: swap.MaxTokenLen},
	amount:        {Name: "amount", Max: swap.MaxAmountDigits},
	srcChain:      {Name: "srcChain", Max: swap.MaxPlaceDigits},
	dstChain:      {Name: "dstChain", Max: swap.MaxPlaceDigits},
	recipient:     {Name: "recipient", Max: swap.MaxRecipientLen},
	recipientType: {Name: "recipientType", Max: 1},
	refundTo:      {Name: "refundTo", Max: swap.AddressLen},
	integratorID:  {Name: "integratorId", Max: swap.MaxIntegratorLen},
	revision:      {Name: "revision", Max: 1},
	include:       {Name: "include", Max: 32},
}

// parseCommon reads what all versions of the quote endpoint share.
func parseCommon(q *query.Query) (r swap.Request) {
	r.SrcToken = query.Read(q, srcToken, swap.TokenInvalid, swap.ParseTokenName)
	r.DstToken = query.Read(q, dstToken, swap.TokenInvalid, swap.ParseTokenName)
	r.Amount = query.Read(q, amount, swap.AmountInvalid, swap.ParseAmount)
	r.SrcChain = query.Read(q, srcChain, swap.ChainInvalid, swap.ParsePlaceID)
	r.DstChain = query.Read(q, dstChain, swap.ChainInvalid, swap.ParsePlaceID)
	return r
}

func parseRecipient(q *query.Query) swap.Recipient {
	return checkType(q, query.Read(q, recipient, swap.RecipientInvalid, swap.ParseRecipient))
}

// checkType checks a recipient against its declared type. A 0zk address is of
// type 2 whatever is declared; an EVM address never is.
func checkType(q *query.Query, r swap.Recipient) swap.Recipient {
	s, given := q.Optional(recipientType)
	switch {
	case !given || s == "0":
	case s != "2":
		q.Refuse(swap.ParamInvalid, "recipientType", "write 0 for an EVM address or 2 for a privacy-pool recipient")
	case !r.IsPrivate() && !q.Refused("recipient"):
		q.Refuse(swap.RecipientMismatch, "recipient", "recipientType 2 needs a raw 0zk address")
	}
	return r
}

func parseRefundTo(q *query.Query) swap.Address {
	return query.ReadOptional(q, refundTo, swap.RefundToInvalid, swap.ParseRefundTo)
}

// refuseRefundTo is for the versions that know no account for refunds: leaving
// the parameter out silently would send a refund to another account.
func refuseRefundTo(q *query.Query) {
	if _, given := q.Optional(refundTo); given {
		q.Refuse(swap.RefundUnsupported, "refundTo", "this version of the API knows no address for refunds; use /v3/swap/quote without revision")
	}
}

func parseIntegrator(q *query.Query) swap.IntegratorID {
	return query.ReadOptional(q, integratorID, swap.IntegratorInvalid, swap.ParseIntegratorID)
}

// refuseIntegrator is for the versions that know no integrators: leaving the
// parameter out silently would cost the partner its fee.
func refuseIntegrator(q *query.Query) {
	if _, given := q.Optional(integratorID); given {
		q.Refuse(swap.IntegratorRefused, "integratorId", "this version of the API knows no integrators; use /v3/swap/quote without revision")
	}
}

func parseIncludes(q *query.Query) wire.Includes {
	return query.ReadOptional(q, include, swap.ParamInvalid, swap.ParseIncludes)
}

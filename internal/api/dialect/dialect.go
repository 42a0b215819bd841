// Package dialect is the quote endpoint in all its versions. A version decides
// how a request is read and how the quote is shown; they all get it from the same
// quoter.
package dialect

import (
	"hubquote/internal/api/query"
	"hubquote/internal/catalog"
	"hubquote/internal/wire"
	"hubquote/internal/wire/printer"
	"hubquote/swap"
)

// A dialect is one version of the endpoint.
type dialect struct {
	parse      func(*catalog.Catalog, *query.Query) (swap.Request, wire.Includes)
	show       func(p *printer.Printer, dst []byte, quote *swap.Quote, in wire.Includes) ([]byte, error)
	deprecated bool
}

var v3 = dialect{
	parse: func(_ *catalog.Catalog, q *query.Query) (swap.Request, wire.Includes) {
		r := parseCommon(q)
		r.Recipient = parseRecipient(q)
		r.RefundTo = parseRefundTo(q)
		r.Integrator = parseIntegrator(q)
		return r, parseIncludes(q)
	},
	show: (*printer.Printer).AppendV3,
}

// earlyV3 is the revision before integrators.
var earlyV3 = dialect{
	parse: func(_ *catalog.Catalog, q *query.Query) (swap.Request, wire.Includes) {
		r := parseCommon(q)
		r.Recipient = parseRecipient(q)
		refuseRefundTo(q)
		refuseIntegrator(q)
		return r, wire.Includes{}
	},
	show: func(_ *printer.Printer, dst []byte, quote *swap.Quote, _ wire.Includes) ([]byte, error) {
		return wire.Append(dst, wire.NewEarlyV3(quote))
	},
	deprecated: true,
}

var v1 = dialect{
	parse: func(c *catalog.Catalog, q *query.Query) (swap.Request, wire.Includes) {
		r := parseCommon(q)
		r.Recipient = parseV1Recipient(q)
		refuseRefundTo(q)
		refuseIntegrator(q)
		refuseV1Chain(c, q, srcChain, r.SrcChain)
		refuseV1Chain(c, q, dstChain, r.DstChain)
		return r, wire.Includes{}
	},
	show: func(_ *printer.Printer, dst []byte, quote *swap.Quote, _ wire.Includes) ([]byte, error) {
		return wire.Append(dst, wire.NewV1(quote))
	},
	deprecated: true,
}

// parseV1Recipient reads an optional recipient: without one, or with the zero
// address, the contracts pay the sender.
func parseV1Recipient(q *query.Query) swap.Recipient {
	if _, given := q.Optional(recipient); !given {
		return swap.Sender()
	}
	r := query.Read(q, recipient, swap.RecipientInvalid, recipientOrSender)
	if r.IsSender() {
		return r
	}
	return checkType(q, r)
}

func recipientOrSender(s string) (swap.Recipient, error) {
	r, err := swap.ParseRecipient(s)
	if swap.CodeOf(err) == swap.RecipientZero {
		return swap.Sender(), nil
	}
	return r, err
}

// refuseV1Chain refuses a place that the first version never served.
func refuseV1Chain(c *catalog.Catalog, q *query.Query, i int, id swap.PlaceID) {
	if id != 0 && !c.InV1(id) {
		q.Refuse(swap.ChainUnsupported, fields[i].Name, "this version of the API does not serve this chain; use /v3/swap/quote")
	}
}

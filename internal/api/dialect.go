package api

import (
	"net/http"
	"sync"

	"hubquote/internal/wire"
	"hubquote/internal/wire/printer"
	"hubquote/swap"
)

// A dialect is one version of the quote endpoint: how it reads a request and
// how it shows the answer. What happens in between is the same for all.
type dialect struct {
	parse      func(*query) (swap.Request, wire.Includes)
	show       func(p *printer.Printer, dst []byte, quote *swap.Quote, in wire.Includes) ([]byte, error)
	deprecated bool
}

var v3 = dialect{
	parse: func(q *query) (swap.Request, wire.Includes) {
		r := parseCommon(q)
		r.Recipient = parseRecipient(q)
		r.Integrator = parseIntegrator(q)
		return r, parseIncludes(q)
	},
	show: (*printer.Printer).AppendV3,
}

// earlyV3 is the revision before integrators.
var earlyV3 = dialect{
	parse: func(q *query) (swap.Request, wire.Includes) {
		r := parseCommon(q)
		r.Recipient = parseRecipient(q)
		refuseIntegrator(q)
		return r, wire.Includes{}
	},
	show: func(_ *printer.Printer, dst []byte, quote *swap.Quote, _ wire.Includes) ([]byte, error) {
		return wire.Append(dst, wire.NewEarlyV3(quote))
	},
	deprecated: true,
}

var v1 = dialect{
	parse: func(q *query) (swap.Request, wire.Includes) {
		r := parseCommon(q)
		r.Recipient = parseV1Recipient(q)
		refuseIntegrator(q)
		refuseV1Chain(q, srcChain, r.SrcChain)
		refuseV1Chain(q, dstChain, r.DstChain)
		return r, wire.Includes{}
	},
	show: func(_ *printer.Printer, dst []byte, quote *swap.Quote, _ wire.Includes) ([]byte, error) {
		return wire.Append(dst, wire.NewV1(quote))
	},
	deprecated: true,
}

// parseV1Recipient reads an optional recipient: without one, or with the zero
// address, the contracts pay the sender.
func parseV1Recipient(q *query) swap.Recipient {
	if _, given := q.optional(recipient); !given {
		return swap.Sender()
	}
	r := parse(q, recipient, swap.RecipientInvalid, recipientOrSender)
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

// v1Chains are the places the first version lists; it never served others.
var v1Chains = map[swap.PlaceID]bool{
	1: true, 369: true, 8453: true, 56: true, 137: true, 42161: true, 69696969: true, 96969696: true,
}

func refuseV1Chain(q *query, i int, id swap.PlaceID) {
	if id != 0 && !v1Chains[id] {
		q.refuse(swap.ChainUnsupported, q.fields[i].name, "this version of the API does not serve this chain; use /v3/swap/quote")
	}
}

// quoteV3 answers in the current revision unless the request asks for the
// earlier one.
func (s *Server) quoteV3(w http.ResponseWriter, r *http.Request) error {
	x := newExchange(r.URL.RawQuery)
	defer exchanges.Put(x)
	q, d := &x.query, &v3
	switch value, given := q.optional(revision); {
	case given && value == "1":
		d = &earlyV3
	case given && value != "2":
		q.refuse(swap.ParamInvalid, "revision", "write 1 for the earlier revision of v3, or leave it out")
	}
	return s.quote(w, r, d, x)
}

func (s *Server) quoteV1(w http.ResponseWriter, r *http.Request) error {
	x := newExchange(r.URL.RawQuery)
	defer exchanges.Put(x)
	return s.quote(w, r, &v1, x)
}

// An exchange is the memory that one request for a quote needs; the next one
// uses it again.
type exchange struct {
	query query
	body  []byte
}

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

func newExchange(rawQuery string) *exchange {
	x := exchanges.Get().(*exchange)
	x.query.parse(rawQuery, quoteFields)
	x.body = x.body[:0]
	return x
}

func (s *Server) quote(w http.ResponseWriter, r *http.Request, d *dialect, x *exchange) error {
	q := &x.query
	if d.deprecated {
		deprecate(w)
	}
	req, in := d.parse(q)
	if q.problems != nil {
		if err := q.problems.Join(advise(s.opts.Quoter.Check(swap.Draft(req)))); err != nil {
			return err
		}
		return q.problems
	}
	quote, err := s.opts.Quoter.Quote(r.Context(), req)
	if err != nil {
		return advise(err)
	}
	s.opts.Metrics.Quote(string(quote.Route.Kind))
	if x.body, err = d.show(s.printer, x.body, quote, in); err != nil {
		return err
	}
	x.body = append(x.body, '\n')
	return writeBody(w, http.StatusOK, asJSON, x.body)
}

// advise adds where to look to the problems that the lists of the API answer.
func advise(err error) error {
	var problems swap.Errors
	if failure := problems.Join(err); failure != nil {
		return failure
	}
	for i, e := range problems {
		if e.Code == swap.ChainUnsupported {
			advised := *e
			advised.Message += "; /v3/app/routes lists those served"
			problems[i] = &advised
		}
	}
	return problems.OrNil()
}

// deprecate says that a newer version exists, in the headers made for it.
func deprecate(w http.ResponseWriter) {
	w.Header().Set("Deprecation", deprecatedSince)
	w.Header().Set("Link", `</v3/swap/quote>; rel="successor-version"`)
}

// deprecatedSince is when the current revision replaced the earlier ones:
// 2026-11-15, as RFC 9745 writes it.
const deprecatedSince = "@1794700800"

package dialect

import (
	"context"
	"net/http"
	"sync"

	"hubquote/internal/api/document"
	"hubquote/internal/api/query"
	"hubquote/internal/catalog"
	"hubquote/internal/metrics"
	"hubquote/internal/wire/printer"
	"hubquote/swap"
)

// A Quoter answers requests, and can check one without answering it.
type Quoter interface {
	// Quote answers r. An error that the client can act on is a [*swap.Error],
	// or [swap.Errors] when several parameters are wrong; any other is an
	// internal failure.
	Quote(ctx context.Context, r swap.Request) (*swap.Quote, error)

	// Check reports every problem in the fields of d that are set, as far as
	// it can be found without a network.
	Check(d swap.Draft) error
}

// An Endpoint answers requests for quotes.
type Endpoint struct {
	quoter  Quoter
	catalog *catalog.Catalog
	metrics *metrics.Metrics
	printer *printer.Printer
	digest  []string // of the catalog, as a header
}

// New returns the endpoint for the routes of a catalog. The metrics may be nil.
func New(q Quoter, c *catalog.Catalog, m *metrics.Metrics) (*Endpoint, error) {
	p, err := printer.New(c.Routes())
	return &Endpoint{q, c, m, p, []string{c.Digest()}}, err
}

// V3 answers in the current revision unless the request names the earlier one.
func (e *Endpoint) V3(w http.ResponseWriter, r *http.Request) error {
	x := newExchange(r.URL.RawQuery)
	defer exchanges.Put(x)
	d := &v3
	switch value, given := x.query.Optional(revision); {
	case given && value == "1":
		d = &earlyV3
	case given && value != "2":
		x.query.Refuse(swap.ParamInvalid, "revision", "write 1 for the earlier revision of v3, or leave it out")
	}
	return e.answer(w, r, d, x)
}

// V1 answers in the first version.
func (e *Endpoint) V1(w http.ResponseWriter, r *http.Request) error {
	x := newExchange(r.URL.RawQuery)
	defer exchanges.Put(x)
	return e.answer(w, r, &v1, x)
}

// An exchange is the memory that one request for a quote needs; the next one
// uses it again.
type exchange struct {
	query query.Query
	body  []byte
}

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

func newExchange(rawQuery string) *exchange {
	x := exchanges.Get().(*exchange)
	x.query.Parse(rawQuery, fields)
	x.body = x.body[:0]
	return x
}

func (e *Endpoint) answer(w http.ResponseWriter, r *http.Request, d *dialect, x *exchange) (err error) {
	if d.deprecated {
		deprecate(w)
	}
	if err = e.quote(r.Context(), w.Header(), d, x); err != nil {
		return err
	}
	w.Header()["Hubquote-Catalog"] = e.digest
	return document.Write(w, http.StatusOK, document.JSON, x.body)
}

// quote makes the body of the answer: parse, quote, show.
func (e *Endpoint) quote(ctx context.Context, h http.Header, d *dialect, x *exchange) error {
	req, in := d.parse(e.catalog, &x.query)
	if x.query.Problems != nil {
		return e.refuse(x.query.Problems, swap.Draft(req))
	}
	quote, err := e.quoter.Quote(ctx, req)
	if err != nil {
		return advise(err)
	}
	e.metrics.Quote(string(quote.Route.Kind))
	if quote.Route.Kind == swap.CCTPInbound && req.Recipient.IsSender() {
		h.Set("Hubquote-Warning", burnWarning)
	}
	x.body, err = d.show(e.printer, x.body, quote, in)
	x.body = append(x.body, '\n')
	return err
}

// burnWarning is for a burn that pays its sender: the receiver pays the address
// that burned, and a contract wallet may not have that address on the hub.
const burnWarning = "a contract wallet must not send this burn: its address on the hub may not be its own; name a recipient"

// refuse adds the problems of the fields that could be read.
func (e *Endpoint) refuse(problems swap.Errors, d swap.Draft) error {
	if err := problems.Join(advise(e.quoter.Check(d))); err != nil {
		return err
	}
	return problems
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

// Package judge decides whether an answer is the quote for a request. It derives
// the quote from pins, compares it with the answer, and then checks the bounds
// of the few parts that cannot be derived.
package judge

import (
	"encoding/hex"
	"errors"
	"strings"

	"hubquote/internal/pinned"
	"hubquote/internal/spans"
	"hubquote/internal/strictjson"
	"hubquote/internal/wire"
	"hubquote/swap"
)

// A Finding is a check that failed, or one that cannot be made.
type Finding struct {
	Code  string
	Field string // the path of the field, empty for the answer as a whole

	Want, Got string // empty when there should be, or is, no such field
}

func (f *Finding) Error() string { return f.Code + " " + f.Field }

// The codes of findings that refuse an answer, in the order of the checks.
const (
	AnswerStatus          = "ANSWER_STATUS"
	AnswerTooLarge        = "ANSWER_TOO_LARGE"
	AnswerNotJSON         = "ANSWER_NOT_JSON"
	FieldRepeated         = "FIELD_REPEATED"
	IntegratorRateDiffers = "INTEGRATOR_RATE_DIFFERS"
	FieldMissing          = "FIELD_MISSING"
	FieldDiffers          = "FIELD_DIFFERS"
	FieldExtra            = "FIELD_EXTRA"
	MaxFeeDiffers         = "MAX_FEE_DIFFERS"
	NoteDiffers           = "NOTE_DIFFERS"
)

// The codes of findings that leave an answer unproven.
const (
	NoteUnproven           = "NOTE_UNPROVEN"
	IntegratorRateUnpinned = "INTEGRATOR_RATE_UNPINNED"
)

// MaxAnswer is many times the size of the largest honest answer.
const MaxAnswer = 64 << 10

// A Plan is a request that the pins can serve.
type Plan struct {
	request swap.Request
	route   *pinned.Route
	rate    swap.Rate // the integrator's, or the most it may be
	known   bool      // whether that rate is pinned
}

// New judges a request: its pair, its amount, its kind of recipient, and whether
// the pair has an address for refunds. An error is a [*swap.Error].
func New(r swap.Request, pins *pinned.Pins) (p *Plan, err error) {
	p = &Plan{request: r}
	if p.route, err = pins.Route(r); err != nil {
		return nil, err
	}
	if err := p.checkRecipient(r.Recipient); err != nil {
		return nil, err
	}
	if err := p.route.CheckRefundTo(r.RefundTo); err != nil {
		return nil, err
	}
	p.rate, p.known = pins.Integrator(r.Integrator)
	return p, nil
}

// checkRecipient refuses a recipient of another kind than the route pays. A caller
// may fill in a request without a parser, so that a missing recipient is found here
// first.
func (p *Plan) checkRecipient(r swap.Recipient) error {
	switch {
	case r.IsSender(), r.IsZero():
		return swap.Missing("recipient")
	case p.route.Shields() != r.IsPrivate():
		return &swap.Error{Code: swap.RecipientMismatch, Param: "recipient",
			Message: "a swap into a privacy pool needs a 0zk address, and any other an EVM address"}
	case r.IsPrivate():
		return r.Private().CheckChain(p.route.Dst.Network)
	}
	return nil
}

// Request returns the request.
func (p *Plan) Request() swap.Request { return p.request }

// AskForProof makes the request ask for a proof if it needs one.
func (p *Plan) AskForProof() {
	if p.route.Shields() {
		p.request.Include.Proof = true
	}
}

// Quote reads an answer, derives the quote, compares the two, and checks the
// bounds of the parts that the quote took from the answer. An answer that is
// refused gives a [*Finding].
func (p *Plan) Quote(answer []byte) (*swap.Quote, error) {
	got, err := read(answer)
	if err != nil {
		return nil, err
	}
	if err := p.checkIntegrator(got); err != nil {
		return nil, err
	}
	c := p.claims(got)
	quote, err := p.derive(c)
	if err != nil {
		return nil, err
	}
	want, err := strictjson.Of(wire.NewV3(quote, p.request.Include))
	if err != nil {
		return nil, err
	}
	if d := strictjson.Compare(want, got); d != nil {
		return nil, finding(d)
	}
	if err := p.checkMaxFee(c); err != nil {
		return nil, err
	}
	if err := p.checkNote(c); err != nil {
		return nil, err
	}
	return quote, nil
}

// read reads an answer as one object.
func read(answer []byte) (*strictjson.Value, error) {
	if len(answer) > MaxAnswer {
		return nil, &Finding{Code: AnswerTooLarge, Got: "it has more than 65536 bytes"}
	}
	v, err := strictjson.Parse(answer)
	if v != nil && v.Kind != strictjson.Object {
		return nil, &Finding{Code: AnswerNotJSON, Got: "it is no JSON object"}
	}
	if repeated, ok := errors.AsType[*strictjson.RepeatedError](err); ok {
		return nil, &Finding{Code: FieldRepeated, Field: repeated.Path}
	}
	if err != nil {
		return nil, &Finding{Code: AnswerNotJSON, Got: err.Error()}
	}
	return v, nil
}

// finding names a difference, an argument of a call behind the call.
func finding(d *strictjson.Difference) *Finding {
	switch {
	case d.Got == nil:
		return &Finding{FieldMissing, d.Path, d.Want.String(), ""}
	case d.Want == nil:
		return &Finding{FieldExtra, d.Path, "", d.Got.String()}
	}
	want, ok1 := hexOf(d.Want)
	got, ok2 := hexOf(d.Got)
	if ok1 && ok2 {
		if name, w, g := spans.Difference(want, got); name != "" {
			return &Finding{FieldDiffers, strictjson.Join(d.Path, name), w, g}
		}
	}
	return &Finding{FieldDiffers, d.Path, d.Want.String(), d.Got.String()}
}

// hexOf reads bytes in their one spelling: 0x and lower-case digits.
func hexOf(v *strictjson.Value) ([]byte, bool) {
	if v == nil || v.Kind != strictjson.String {
		return nil, false
	}
	digits, ok := strings.CutPrefix(v.Text, "0x")
	b, err := hex.DecodeString(digits)
	return b, ok && err == nil && digits == strings.ToLower(digits)
}

// Unproven lists what no answer to the request can prove.
func (p *Plan) Unproven() (reasons []Finding) {
	if p.route.Shields() && !p.request.Include.Proof {
		reasons = append(reasons, Finding{Code: NoteUnproven, Field: noteField})
	}
	if !p.request.Integrator.IsZero() && !p.known {
		reasons = append(reasons, Finding{Code: IntegratorRateUnpinned, Field: rateField})
	}
	return reasons
}

package client

import (
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"hubquote/internal/pinned"
	"hubquote/internal/shield"
	"hubquote/internal/spans"
	"hubquote/internal/strictjson"
	"hubquote/internal/wire"
	"hubquote/swap"
)

// Verify derives the quote for r from the pins, compares it with a server's
// answer, and returns it: sign what it returns. The answer is the body of a
// response with status 200 of the current version of the API, as it was
// received, and r says in Include what was asked for. It needs no network, and
// trusts nothing but the pins.
//
// The first check that fails is returned as a [*Mismatch]. A request that the
// pins cannot serve is a [*swap.Error]. An [*Unproven] comes together with a
// quote, unless each of its reasons is named with [Accept]; other options
// change nothing here.
//
// Three parts of an honest answer cannot be known beforehand, and are bounded
// instead: the issuer's fee, by the range in the pins; an integrator's rate, by
// its pin or else the registry's limit; and the encrypted recipient of a
// shielding swap, by its proof.
func Verify(r swap.Request, answer []byte, pins *Pins, options ...Option) (*swap.Quote, error) {
	if pins == nil {
		return nil, errors.New("client: Verify needs pins to compare the answer with")
	}
	p, err := newPlan(r, pins.pins)
	if err != nil {
		return nil, err
	}
	quote, err := p.judge(answer)
	if err != nil {
		return nil, err
	}
	return quote, p.unproven(newSettings(options).accepted)
}

// A plan is a request that the pins can serve.
type plan struct {
	request swap.Request
	route   *pinned.Route
	private shield.Address // the recipient of a shielding swap
	rate    swap.Rate      // the integrator's, or the most it may be
	known   bool           // whether that rate is pinned
}

// newPlan judges a request: its pair, its amount, and all of its recipient.
func newPlan(r swap.Request, pins *pinned.Pins) (p *plan, err error) {
	p = &plan{request: r}
	if p.route, err = pins.Route(r); err != nil {
		return nil, err
	}
	switch {
	case r.Recipient.Sender:
		return nil, refuse(swap.ParamMissing, "this parameter is required")
	case r.Recipient.IsZero():
		return nil, refuse(swap.RecipientZero, "the zero address cannot receive a swap")
	case p.route.Shields() != (r.Recipient.Private != ""):
		return nil, refuse(swap.RecipientMismatch, "a swap into a privacy pool needs a 0zk address, and any other an EVM address")
	case p.route.Shields():
		if p.private, err = shield.Parse(r.Recipient.Private); err != nil {
			return nil, err
		}
		if err = p.private.CheckChain(p.route.Dst.Network); err != nil {
			return nil, err
		}
	}
	p.rate, p.known = pins.Integrator(r.Integrator)
	return p, nil
}

func refuse(code swap.Code, message string) *swap.Error {
	return &swap.Error{Code: code, Param: "recipient", Message: message}
}

// judge reads an answer, derives the quote, compares the two, and checks the
// bounds of what the quote took from the answer.
func (p *plan) judge(answer []byte) (*swap.Quote, error) {
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
		return nil, mismatch(d)
	}
	if err := p.checkMaxFee(c); err != nil {
		return nil, err
	}
	return quote, p.checkNote(c)
}

// read reads an answer as one object.
func read(answer []byte) (*strictjson.Value, error) {
	if len(answer) > maxAnswer {
		return nil, &Mismatch{Code: AnswerTooLarge, Got: "it has more than 65536 bytes"}
	}
	v, err := strictjson.Parse(answer)
	if repeated, ok := errors.AsType[*strictjson.RepeatedError](err); ok {
		return nil, &Mismatch{Code: FieldRepeated, Field: repeated.Path}
	}
	if err != nil {
		return nil, &Mismatch{Code: AnswerNotJSON, Got: err.Error()}
	}
	if v.Kind != strictjson.Object {
		return nil, &Mismatch{Code: AnswerNotJSON, Got: "it is no JSON object"}
	}
	return v, nil
}

// mismatch names a difference, an argument of a call behind the call.
func mismatch(d *strictjson.Difference) *Mismatch {
	switch {
	case d.Got == nil:
		return &Mismatch{FieldMissing, d.Path, d.Want.String(), ""}
	case d.Want == nil:
		return &Mismatch{FieldExtra, d.Path, "", d.Got.String()}
	}
	want, ok1 := hexOf(d.Want)
	got, ok2 := hexOf(d.Got)
	if ok1 && ok2 {
		if name, w, g := spans.Difference(want, got); name != "" {
			return &Mismatch{FieldDiffers, strictjson.Join(d.Path, name), w, g}
		}
	}
	return &Mismatch{FieldDiffers, d.Path, d.Want.String(), d.Got.String()}
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

// unproven is the error of a quote that holds: nil, or the reasons that are not
// accepted.
func (p *plan) unproven(accepted []Code) error {
	var reasons []Reason
	if p.route.Shields() && !p.request.Include.Proof {
		reasons = append(reasons, Reason{NoteUnproven, noteField})
	}
	if !p.request.Integrator.IsZero() && !p.known {
		reasons = append(reasons, Reason{IntegratorRateUnpinned, rateField})
	}
	reasons = slices.DeleteFunc(reasons, func(r Reason) bool { return slices.Contains(accepted, r.Code) })
	if len(reasons) == 0 {
		return nil
	}
	return &Unproven{reasons}
}

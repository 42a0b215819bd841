package client

import (
	"errors"
	"fmt"

	"hubquote/internal/calldata"
	"hubquote/internal/fee"
	"hubquote/internal/shield"
	"hubquote/internal/wire"
	"hubquote/swap"
)

// ErrUnproven is returned for a shielding swap whose answer carries no proof
// that the encrypted recipient is the one asked for. Everything else about it
// holds. Ask again with include=proof; [Client] always does.
var ErrUnproven = errors.New("the answer has no proof that the encrypted recipient is yours, and only whoever encrypted it could know: ask with include=proof")

// Verify makes the quote for r anew from the pins, compares it with a server's
// answer, and returns it: sign what it returns. The answer is the body as it
// was received, in the current version of the API. It needs no network and
// believes nobody.
//
// The first field that differs is returned as a [*Mismatch]. An answer for a
// shielding swap without its proof is returned together with [ErrUnproven], so
// that who wants to trust the server with it must say so by name.
//
// Three things an honest answer holds cannot be known beforehand, and are
// bounded instead: the issuer's fee, by the range in the pins; an integrator's
// rate, by its pin or else the registry's limit; and the encrypted recipient of
// a shielding swap, by its proof.
func Verify(r swap.Request, answer []byte, pins *Pins) (*swap.Quote, error) {
	if pins == nil {
		return nil, errors.New("client: Verify needs pins to hold the answer against")
	}
	route, err := pins.route(r)
	if err != nil {
		return nil, err
	}
	payee, err := payeeOf(route, r.Recipient)
	if err != nil {
		return nil, err
	}
	got, err := parseJSON(answer)
	if err != nil {
		return nil, fmt.Errorf("answer: %w", err)
	}
	claims := claimsOf(got)
	if err := claims.checkIntegrator(r.Integrator, pins); err != nil {
		return nil, err
	}
	quote, err := claims.quote(r, route, payee)
	if err != nil {
		return nil, err
	}
	want, err := valueOf(wire.NewV3(quote, claims.includes))
	if err != nil {
		return nil, err
	}
	if d := compare("", want, got); d != nil {
		return nil, d
	}
	if err := claims.checkMaxFee(route, &r.Amount); err != nil {
		return nil, err
	}
	if err = payee.prove(claims); err != nil && err != ErrUnproven {
		quote = nil
	}
	return quote, err
}

// A payee is a request's recipient, of the kind that its route pays: a private
// one if the text of its address is set.
type payee struct {
	address swap.Address
	private string
	network swap.ChainID // where the money goes
}

func payeeOf(route *route, r swap.Recipient) (payee, error) {
	switch {
	case r.Sender, r.IsZero():
		return payee{}, &swap.Error{Code: swap.ParamMissing, Param: "recipient", Message: "this parameter is required"}
	case route.Shields() != (r.Private != ""):
		return payee{}, &swap.Error{Code: swap.RecipientMismatch, Param: "recipient",
			Message: "a swap into a privacy pool needs a 0zk address, and any other an EVM address"}
	}
	return payee{r.Address, r.Private, route.Dst.Network}, nil
}

// note reads a private recipient.
func (p payee) note() (a shield.Address, err error) {
	if a, err = shield.Parse(p.private); err == nil {
		err = a.CheckChain(p.network)
	}
	return a, err
}

// prove is the last check, because it costs more than all the others.
func (p payee) prove(c *claims) error {
	if p.private == "" {
		return nil
	}
	to, err := p.note()
	switch {
	case err != nil:
		return err
	case c.proof == nil:
		return ErrUnproven
	case shield.Verify(c.note, to, *c.proof) != nil:
		return &Mismatch{"methodParameters.calldata.recipient", "the note that the proof makes for your 0zk address",
			show(span{kind: "bytes", end: len(c.note)}, c.note)}
	}
	return nil
}

// quote makes the quote again, by the same rules as the server.
func (c *claims) quote(r swap.Request, route *route, to payee) (q *swap.Quote, err error) {
	q = &swap.Quote{Route: &route.Route, Amount: r.Amount}
	q.Received, q.Fees, err = fee.Split(&route.Route, &r.Amount, c.partner)
	if err != nil {
		return nil, err
	}
	d := calldata.Deposit{
		Route: &route.Route, Amount: r.Amount, Type: r.Recipient.Type(),
		Integrator: r.Integrator, MaxFee: c.maxFee, Recipient: to.address[:],
	}
	if to.private != "" {
		d.Recipient, q.Proof = c.note, c.proof
	}
	q.Payload = d.Payload()
	return q, nil
}

package client

import (
	"errors"
	"fmt"

	"hubquote/internal/calldata"
	"hubquote/internal/deposit"
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
	if err := checkRecipient(route, r.Recipient); err != nil {
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
	quote, err := claims.quote(r, route)
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
	if err = claims.prove(r.Recipient.Private()); err != nil && err != ErrUnproven {
		quote = nil
	}
	return quote, err
}

// checkRecipient refuses a recipient of another kind than the route pays.
func checkRecipient(route *route, r swap.Recipient) error {
	switch {
	case r.IsSender(), r.IsZero():
		return swap.Missing("recipient")
	case route.Shields() != r.IsPrivate():
		return &swap.Error{Code: swap.RecipientMismatch, Param: "recipient",
			Message: "a swap into a privacy pool needs a 0zk address, and any other an EVM address"}
	case r.IsPrivate():
		return r.Private().CheckChain(route.Dst.Network)
	}
	return nil
}

// prove is the last check, because it costs more than all the others.
func (c *claims) prove(to swap.PrivateAddress) error {
	switch {
	case to.IsZero():
		return nil
	case c.proof == nil:
		return ErrUnproven
	case shield.Verify(c.note, to, *c.proof) != nil:
		return &Mismatch{"methodParameters.calldata.recipient", "the note that the proof makes for your 0zk address",
			show(span{kind: "bytes", end: len(c.note)}, c.note)}
	}
	return nil
}

// quote makes the quote again, by the same rules as the server.
func (c *claims) quote(r swap.Request, route *route) (q *swap.Quote, err error) {
	q = &swap.Quote{Route: &route.Route, Amount: r.Amount}
	q.Received, q.Fees, err = fee.Split(&route.Route, &r.Amount, c.partner)
	if err != nil {
		return nil, err
	}
	d := deposit.Deposit{
		Route: &route.Route, Amount: r.Amount, Integrator: r.Integrator,
		MaxFee: c.maxFee, Recipient: calldata.ToAddress(r.Recipient.Address()),
	}
	if r.Recipient.IsPrivate() {
		d.Recipient, q.Proof = calldata.ToNote(c.note), c.proof
	}
	q.Payload = d.Payload()
	q.Payload.Call, err = d.Check(&q.Payload)
	return q, err
}

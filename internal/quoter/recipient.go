package quoter

import (
	"crypto/rand"

	"hubquote/internal/calldata"
	"hubquote/internal/shield"
	"hubquote/swap"
)

// checkRecipient returns an error if the recipient does not fit the route. The
// route is nil when the request names none that exists; then only the checks that
// need no route are made.
func (q *Quoter) checkRecipient(route *swap.Route, r swap.Recipient) error {
	switch {
	case r.IsZero():
		return nil
	case r.IsSender():
		return checkSender(route)
	case r.IsPrivate():
		return checkPrivate(route, r.Private())
	case route != nil && route.Shields():
		return refuse(swap.RecipientMismatch, "this route pays into a privacy pool: give the 0zk address of the recipient's wallet")
	case q.opts.Catalog.Stranded(r.Address()):
		return refuse(swap.RecipientContract, "this is a token, pool, messenger or other contract the swap itself uses: funds sent there would be lost")
	}
	return nil
}

// checkSender refuses to pay the sender on a privacy route: a shielded note
// needs a private address, and the sender of an unshielding swap is an adapter
// that all users share. Only the route tells that the recipient is required, so the
// parser of the request cannot.
func checkSender(route *swap.Route) error {
	if route != nil && route.Private() {
		return refuse(swap.ParamMissing, "a privacy route needs to be told its recipient")
	}
	return nil
}

func checkPrivate(route *swap.Route, a swap.PrivateAddress) error {
	switch {
	case route == nil:
		return nil
	case !route.Shields():
		return refuse(swap.RecipientMismatch, "this route pays out in public: give an EVM address")
	}
	return a.CheckChain(route.Dst.Network)
}

// checkRefundTo reports why a refund to a would not arrive, if it would not. The
// route is nil when the request names none that exists.
func (q *Quoter) checkRefundTo(route *swap.Route, a swap.Address) error {
	if q.opts.Catalog.Stranded(a) {
		return &swap.Error{Code: swap.RefundToContract, Param: "refundTo",
			Message: "this is a token, pool, messenger or other contract the swap itself uses: a refund sent there would be lost"}
	}
	if route == nil {
		return nil
	}
	return route.CheckRefundTo(a)
}

// encode returns the recipient in the form of the calldata. A private one is
// encrypted with new randomness each time. The source is always that of the
// system, because a source that can be configured can be configured wrongly.
func encode(r swap.Recipient) (calldata.Recipient, *swap.Proof, error) {
	if !r.IsPrivate() {
		return calldata.ToAddress(r.Address()), nil, nil
	}
	note, proof, err := shield.Encrypt(r.Private(), rand.Reader)
	return calldata.ToNote(note[:]), &proof, err
}

func refuse(code swap.Code, message string) error {
	return &swap.Error{Code: code, Param: "recipient", Message: message}
}

package quoter

import (
	"crypto/rand"

	"hubquote/internal/shield"
	"hubquote/swap"
)

// A payee is a recipient that fits its route: a private one when note is set,
// else an EVM address, where zero means the sender.
type payee struct {
	address swap.Address
	note    *shield.Address
}

// payee reads the recipient and checks that it fits the route. The route is nil
// when the request names none that exists; what can be checked without it still
// is.
func (q *Quoter) payee(route *swap.Route, r swap.Recipient) (payee, error) {
	switch {
	case r.Sender:
		return payee{}, checkSender(route)
	case r.IsZero():
		return payee{}, refuse(swap.ParamMissing, "this parameter is required")
	case r.Private != "":
		return private(route, r.Private)
	case route != nil && route.Shields():
		return payee{}, refuse(swap.RecipientMismatch, "this route pays into a privacy pool: give the 0zk address of the recipient's wallet")
	case q.opts.Catalog.Stranded(r.Address):
		return payee{}, refuse(swap.RecipientContract, "this is a token, pool, messenger or other contract the swap itself uses: funds sent there would be lost")
	}
	return payee{address: r.Address}, nil
}

// checkSender refuses to pay the sender on a privacy route: a shielded note
// needs a private address, and who sends an unshielding swap is an adapter that
// all users share.
func checkSender(route *swap.Route) error {
	if route != nil && route.Private() {
		return refuse(swap.ParamMissing, "a privacy route needs to be told its recipient")
	}
	return nil
}

func private(route *swap.Route, text string) (payee, error) {
	if route != nil && !route.Shields() {
		return payee{}, refuse(swap.RecipientMismatch, "this route pays out in public: give an EVM address")
	}
	a, err := shield.Parse(text)
	if err == nil && route != nil {
		err = a.CheckChain(route.Dst.Network)
	}
	return payee{note: &a}, err
}

// encode returns the recipient's bytes in calldata. A private recipient is
// encrypted anew each time, with randomness that only the system provides: one
// that can be configured can be configured wrongly.
func (p payee) encode() ([]byte, *swap.Proof, error) {
	if p.note == nil {
		return p.address[:], nil, nil
	}
	note, proof, err := shield.Encrypt(*p.note, rand.Reader)
	return note[:], &proof, err
}

func refuse(code swap.Code, message string) error {
	return &swap.Error{Code: code, Param: "recipient", Message: message}
}

// Package wish says what became of an operator's wish. A wish changes what
// policy decides and overrides no rule, so it may come to nothing; then its
// result says why.
package wish

import (
	"encoding/binary"
	"fmt"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/swap"
)

// Whole is the subject of a wish for a whole chain. No order has such an ID.
func Whole(chain swap.ChainID) (subject order.Hash) {
	binary.BigEndian.PutUint64(subject[24:], uint64(chain))
	return subject
}

// ChainOf returns the chain that a subject of [Whole] names.
func ChainOf(subject order.Hash) swap.ChainID {
	return swap.ChainID(binary.BigEndian.Uint64(subject[24:]))
}

// Result returns what to tell the operator after a step, and whether the wish
// is over. One that waits for gas stays open.
func Result(v order.Verb, s step.Step) (text string, over bool) {
	switch v {
	case order.WishPark:
		if s.State == order.Parked {
			return "parked", true
		}
		return fmt.Sprintf("not parked: the order is %s", s.State), true
	case order.WishRetry:
		return fmt.Sprintf("tried again: the order is %s", s.State), true
	case order.WishCancel, order.WishRefund:
		return ended(s.State)
	}
	return fmt.Sprintf("there is no verb %q", v), true
}

// ended is for verbs that end in a refund.
func ended(s order.State) (string, bool) {
	switch s {
	case order.Cancelling, order.Cancelled, order.Refunding, order.Refunded:
		return fmt.Sprintf("the order is %s", s), true
	case order.Paid, order.Claimable, order.Settled:
		return "not cancelled: the order is paid", true
	case order.Closed:
		return "nothing to do: the order is closed", true
	case order.Gone:
		return "not cancelled: the deposit is gone", true
	}
	return "", false
}

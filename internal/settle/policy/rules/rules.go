// Package rules holds the operator's choices. [Standard] is the published
// policy; a program changes a field of it, never a rule in the code.
package rules

import (
	"time"

	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// Rules are the operator's choices.
type Rules struct {
	// Early has the chains whose deposits may be paid at the safe tag, within
	// the exposure. All others are paid at the finality tag.
	Early map[swap.ChainID]bool

	// WaitFor is how long an order waits for each reason before it is
	// cancelled. A reason without an entry waits until CancelBefore.
	WaitFor map[order.Reason]time.Duration

	CancelBefore time.Duration // before the deadline: no payment from here on
	RefundAfter  time.Duration // after the deadline: an unsettled order is refunded without cancel
	RetryAfter   time.Duration // between two payments that the contract refuses
	Refusals     int           // after so many the order is parked
	ClaimAgain   time.Duration // between the two pushes of a claim
	Ticket, Page time.Duration // paid and not released for so long
	Announceable time.Duration // after the deadline: from here on a deposit can be reclaimed
}

// Standard are the rules of the published design.
func Standard() Rules {
	const patience = 2 * time.Hour
	return Rules{
		Early: map[swap.ChainID]bool{4663: true, 8453: true},
		WaitFor: map[order.Reason]time.Duration{
			order.Liquidity: patience, order.Paused: patience, order.Shut: patience, order.Cap: patience,
			order.Backlog: patience, order.Fee: patience, order.Refused: patience, order.Recipient: patience,
		},
		CancelBefore: 2 * time.Hour, RefundAfter: time.Hour,
		RetryAfter: time.Minute, Refusals: 5, ClaimAgain: 24 * time.Hour,
		Ticket: 24 * time.Hour, Page: 72 * time.Hour, Announceable: 5 * 24 * time.Hour,
	}
}

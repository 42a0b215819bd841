package order

import "slices"

// A State is where an order is.
type State string

// The states of an order, in the order of a normal life.
const (
	Seen       State = "seen"       // its deposit is in a block at one endpoint
	Proved     State = "proved"     // enough endpoints agree; not final enough to pay
	Gone       State = "gone"       // its deposit's block was reorganised away
	Waiting    State = "waiting"    // payable, but not now; the reason says why
	Parked     State = "parked"     // not tried again without an operator or the deadline
	Paying     State = "paying"     // a payment is due or under way
	Paid       State = "paid"       // the payment is in a block
	Claimable  State = "claimable"  // the payment is final as a claim of the recipient
	Settled    State = "settled"    // the payment is final
	Cancelling State = "cancelling" // a cancellation is due or under way
	Cancelled  State = "cancelled"  // the cancellation is in a block
	Refunding  State = "refunding"  // a refund is due or under way
	Refunded   State = "refunded"   // the refund, or the owner's reclaim, is in a block
	Closed     State = "closed"     // nothing is left to do
)

var steps = map[State]int{
	Gone: 0, Seen: 1, Proved: 1,
	Waiting: 2, Parked: 2, Paying: 2, Cancelling: 2,
	Paid: 3, Claimable: 4, Settled: 5,
	Cancelled: 6, Refunding: 6, Refunded: 7, Closed: 8,
}

// Step is how far along its path a state is. A change to a lower step means
// that a reorganisation took something away, and raises the order's revision.
func (s State) Step() int { return steps[s] }

// After returns the states on later steps, by name.
func (s State) After() (list []State) {
	for other, step := range steps {
		if step > s.Step() {
			list = append(list, other)
		}
	}
	slices.Sort(list)
	return list
}

// Valid reports whether s is one of the states above.
func (s State) Valid() bool { _, ok := steps[s]; return ok }

// A Reason says why an order does not move.
type Reason string

// The reasons.
const (
	Finality     Reason = "finality"     // a block is not final enough yet
	Chain        Reason = "chain"        // a chain's state is unknown, stalled or not to be trusted
	Reorganised  Reason = "reorganised"  // the deposit's block is gone
	Paused       Reason = "paused"       // the guardian paused the contract
	Shut         Reason = "closed"       // the paying pool closed this source
	Liquidity    Reason = "liquidity"    // the paying pool has too little
	Cap          Reason = "cap"          // a rolling cap is used up
	Backlog      Reason = "backlog"      // the source has too many payments not released
	Fee          Reason = "fee"          // gas costs more than the fee cap
	Budget       Reason = "budget"       // costs more than it earns, and today's budget is used up
	Purse        Reason = "purse"        // the key has no coins for gas on that chain
	Recipient    Reason = "recipient"    // the recipient cannot be paid in a batch
	Refused      Reason = "refused"      // the contract refused it
	Operator     Reason = "operator"     // an operator asked for it
	Deadline     Reason = "deadline"     // too late to pay
	NoPayer      Reason = "unpayable"    // no pool can pay it
	Issuer       Reason = "issuer"       // the issuer has not attested yet
	Undelivered  Reason = "undelivered"  // burned, and not minted yet
	InFlight     Reason = "in flight"    // a transaction is under way
	Unclaimed    Reason = "unclaimed"    // the claim is there to be taken
	Inconsistent Reason = "inconsistent" // the facts contradict each other
)

// A Proof is how far a fact may be relied on. More is a larger number.
type Proof int

// The proofs. Nothing is paid on Told.
const (
	Unproved Proof = iota
	Told           // one endpoint said so: enough to show
	Agreed         // enough endpoints gave the same log in a canonical block
	Safe           // and the block is at or below the safe tag
	Final          // and the block is at or below the finality tag
)

// A Kind is a kind of transaction.
type Kind string

// The kinds.
const (
	Relay   Kind = "relay"   // give an attested burn to the receiver
	Pay     Kind = "pay"     // fulfil at the destination
	Release Kind = "release" // free the deposit of a paid order
	Cancel  Kind = "cancel"  // refuse the payment for ever, at the destination
	Refund  Kind = "refund"  // give a deposit back
	Reclaim Kind = "reclaim" // give an unpayable deposit back, as any caller may
	Deliver Kind = "deliver" // mint what a payment or refund burned
	Claim   Kind = "claim"   // push a claim to its owner
	Sweep   Kind = "sweep"   // send what a receiver has freed to its pool
)

// An Event is a kind of fact.
type Event string

// The events that name an order.
const (
	EventOpened    Event = "opened"
	EventPaid      Event = "paid"
	EventCancelled Event = "cancelled"
	EventRefunded  Event = "refunded"
	EventReleased  Event = "released"
	EventReclaimed Event = "reclaimed"
	EventCredited  Event = "credited"
	EventClaimed   Event = "claimed"
	EventSkipped   Event = "skipped"   // a batch left it out; a refusal, not a verdict
	EventAnnounced Event = "announced" // any account asked for the deposit; it can be taken two days later
)

// A Progress is where a task is.
type Progress string

// The progress of a task.
const (
	Ready Progress = "ready" // decided, not signed
	Sent  Progress = "sent"  // part of a committed transaction
	Done  Progress = "done"  // its effect is on chain, by any sender
	Void  Progress = "void"  // no longer wanted, or its nonce was used by another transaction
)

// A Verb is what an operator may wish for.
type Verb string

// The verbs. None of them overrides a rule.
const (
	WishNone   Verb = ""
	WishPark   Verb = "park"
	WishRetry  Verb = "retry"
	WishCancel Verb = "cancel"
	WishRefund Verb = "refund" // the same path as cancel: it ends in a refund
	WishTrust  Verb = "trust"  // for a chain: go on after what stopped it
)

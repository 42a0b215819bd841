// Package step is what policy answers: one step for an order, with the task to
// send and the alerts to raise.
package step

import (
	"fmt"
	"time"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// An Action is what a step asks the writer to do.
type Action int

// The actions.
const (
	Wait Action = iota // nothing; look again at Until, or when a fact changes
	Send               // make the task in Send, unless one like it is open
	Park               // nothing until an operator or the deadline
	Done               // nothing ever
)

// A Step is the next one for an order. Whatever it is, tasks of the order that
// are ready and of another kind are void.
type Step struct {
	Do     Action
	State  order.State
	Reason order.Reason
	Until  time.Time // zero: only a new fact can change the step
	Send   *Task     // for [Send]
	Alerts []Alert
}

// A Task is a call to make for an order.
type Task struct {
	Order   order.ID
	Kind    order.Kind
	At      order.Pool
	Due     time.Time // the earliest is done first
	Urgent  bool      // before everything that is not
	Alone   bool      // not in a batch: the pool may owe the recipient
	Reproof bool      // the deposit is not final: read it again before signing
	Basis   Basis
	Tag     time.Time // for [Expired]: the time of the final block that proves it
	Needs   []world.Need
}

// Reserve is the exposure that the task's transaction must reserve.
func (t *Task) Reserve() (sum swap.Amount) {
	for _, n := range t.Needs {
		if n.Budget.Limit == world.Early {
			sum = n.Amount
		}
	}
	return sum
}

// A Basis is why a task is allowed. The journal keeps it, so that an audit can
// ask again.
type Basis string

// The bases.
const (
	FinalDeposit   Basis = "final"     // pay: the deposit is final
	WithinExposure Basis = "exposure"  // pay: not final, and reserved
	FinalPayment   Basis = "paid"      // release, claim: the payment is final
	NeverPaid      Basis = "unpaid"    // cancel: no payment is known
	FinalCancel    Basis = "cancelled" // refund: the cancellation is final
	Expired        Basis = "expired"   // refund: unsettled after a final block past the deadline
	NoPayer        Basis = "unpayable" // reclaim: no pool can pay
)

// An Alert is for the operator. Chain is where it concerns a whole chain.
type Alert struct {
	Name  string
	Page  bool // wakes a person; otherwise a ticket
	Stop  bool // payments from Chain must stop: its Tag is Broken until an operator says otherwise
	Chain swap.ChainID
}

// Remedy is the command that ends the alert, if there is one.
func (a Alert) Remedy() string {
	switch {
	case a.Stop:
		return fmt.Sprintf("look at the chain, then: settler retry --chain %d", a.Chain)
	case a.Name == PaidAndReturned, a.Name == Poisoned:
		return "settler show ORDER, then: settler retry ORDER"
	}
	return ""
}

// The names of alerts, one manual page each.
const (
	Unreleased       = "paid-not-released"
	ReclaimAnnounced = "reclaim-announced"
	PaidAndReturned  = "paid-and-returned"
	PaidNoDeposit    = "paid-without-deposit"
	ReleasedUnpaid   = "released-without-payment"
	FinalityBroken   = "finality-broken"
	FinalityStalled  = "finality-stalled"
	Poisoned         = "order-refused-repeatedly"
)

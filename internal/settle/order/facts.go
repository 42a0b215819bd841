package order

import (
	"time"

	"hubquote/swap"
)

// A Fact is an event in a block.
type Fact struct {
	Chain swap.ChainID
	Tx    Hash
	Block uint64
	Hash  Hash // of the block
	Time  time.Time
	Proof Proof
}

// IsFinal reports whether the fact is there and final.
func (f *Fact) IsFinal() bool { return f != nil && f.Proof >= Final }

// Known is a value read from a contract by enough endpoints, or not known.
type Known[T any] struct {
	Value T
	OK    bool
	Block uint64 // the block it was read at, near the head
}

// A Deposit is the source's own record of an order.
type Deposit int

// The records of a source.
const (
	NotHeld   Deposit = iota // released, refunded, reclaimed, or never there
	Held                     // held for the order
	Announced                // held; a caller announced that it will be reclaimed
)

// A Settlement is the destination's own record of an order.
type Settlement int

// The records of a destination.
const (
	Unsettled Settlement = iota
	SettledPaid
	SettledCancelled
)

// A Task is one transaction's worth of work for an order.
type Task struct {
	Kind     Kind
	Progress Progress
}

// A Refusal is what became of the last payment that the contract refused.
type Refusal struct {
	Why     Reason
	ForGood bool // the same call can never succeed
	At      time.Time
	Times   int
}

// A Memory is the order's state as the journal has it.
type Memory struct {
	State  State
	Reason Reason
	Since  time.Time // when the order came into this state
}

// Facts are all that is known about an order. A nil fact has not happened, or
// was reorganised away.
type Facts struct {
	Opened, Paid, Cancelled, Refunded, Released, Reclaimed, Credited, Claimed *Fact

	Held       Known[Deposit]
	Settlement Known[Settlement]

	Fell     swap.ChainID // the chain that reorganised a final fact away, or 0
	Unminted bool         // the refund burned the deposit back, and the mint is not final
	Tasks    []Task
	Skipped  *Refusal
	Wish     Verb
	Was      Memory
}

// Forget drops every fact with less proof, but for the deposit, whose own proof
// is looked at.
func (f *Facts) Forget(below Proof) {
	for _, at := range []**Fact{&f.Paid, &f.Cancelled, &f.Refunded, &f.Released, &f.Reclaimed, &f.Credited, &f.Claimed} {
		if *at != nil && (*at).Proof < below {
			*at = nil
		}
	}
}

// WasPaid reports whether the order is paid by either record: the event, or
// what the destination says.
func (f *Facts) WasPaid() bool {
	return f.Paid != nil || f.Settlement.OK && f.Settlement.Value == SettledPaid
}

// Count returns how many tasks of that kind are in one of these states.
func (f *Facts) Count(k Kind, in ...Progress) int {
	n := 0
	for _, t := range f.Tasks {
		for _, p := range in {
			if t.Kind == k && t.Progress == p {
				n++
			}
		}
	}
	return n
}

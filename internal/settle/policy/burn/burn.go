// Package burn decides what happens next to an issuer's burn that one of our
// contracts sent or receives. The issuer's signature is its proof, so no rule
// here asks for finality; none spends gas on a burn that is not ours.
package burn

import (
	"time"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/world"
)

// A Way is where a burn goes.
type Way string

// The ways.
const (
	In   Way = "in"   // to a receiver of ours: becomes an order
	Out  Way = "out"  // from a payment of ours
	Back Way = "back" // from a refund or reclaim of ours
)

// A State is where a burn is.
type State string

// The states.
const (
	Seen       State = "seen"
	Ignored    State = "ignored" // not ours, or too small to carry
	Asking     State = "asking"
	Attested   State = "attested"
	Reattest   State = "reattest" // the attestation expires before it can be used
	Delivering State = "delivering"
	Delivered  State = "delivered"
)

// A Burn is all that is known about one.
type Burn struct {
	Way       Way
	To        order.Pool // the contract that is called to deliver it
	Authentic order.Known[bool]
	TooSmall  bool      // below what a receiver accepts: its owner can relay it
	Unpayable bool      // becomes an order that no pool can pay
	Mined     time.Time // when the burn was
	Usual     time.Duration
	Doubted   bool      // one endpoint alone gave it
	Asked     int       // questions so far
	LastAsked time.Time // the last one
	Attested  bool      // the issuer signed it
	Expires   uint64    // the last block of To's chain that takes it, or 0
	InFlight  bool
	Received  bool // minted, by any sender
}

// A Step is the next one for a burn.
type Step struct {
	State  State
	Reason order.Reason
	Ask    bool // ask the issuer now; in state [Reattest]: for a new attestation
	Send   order.Kind
	Until  time.Time
}

// Rules bound the questions to the issuer.
type Rules struct {
	First, Last time.Duration // between two questions: doubles from First up to Last
	Old, Rare   time.Duration // a burn that is Old and not attested is asked about only so rarely
	Drop        time.Duration // one that endpoints do not agree on is given up when it is so old, and was asked about so long
	Margin      uint64        // blocks before Expires at which a new attestation is asked for
}

// Standard are the rules of the published design. The slowest network takes 32
// hours to finality. No order is open for longer than fifteen days.
func Standard() Rules {
	return Rules{First: 5 * time.Second, Last: time.Minute, Old: 48 * time.Hour, Rare: time.Hour, Drop: 15 * 24 * time.Hour, Margin: 300}
}

// Signed is the basis of tasks for burns: the issuer's signature is the proof.
const Signed = "signed"

// Next returns the next step for a burn. Head is the head of To's chain, or 0
// when it is unknown.
func Next(now time.Time, b Burn, head uint64, w world.World, r Rules) Step {
	switch {
	case b.Received:
		return Step{State: Delivered}
	case !b.Authentic.OK:
		return Step{State: Seen, Reason: order.Chain}
	case !b.Authentic.Value || b.TooSmall:
		return Step{State: Ignored}
	case !b.Attested && r.drops(now, b):
		return Step{State: Ignored}
	case !b.Attested:
		return ask(now, Asking, b, r)
	case b.InFlight:
		return Step{State: Delivering, Reason: order.InFlight}
	case b.Expires != 0 && head == 0:
		return Step{State: Attested, Reason: order.Chain}
	case b.Expires != 0 && head+r.Margin >= b.Expires:
		return ask(now, Reattest, b, r)
	}
	return deliver(b, &w)
}

// ask waits for the usual time of an attestation first, then backs off.
func ask(now time.Time, s State, b Burn, r Rules) Step {
	next := b.Mined.Add(b.Usual)
	if b.Asked > 0 {
		next = b.LastAsked.Add(r.gap(now, b))
	}
	if now.Before(next) {
		return Step{State: s, Reason: order.Issuer, Until: next}
	}
	return Step{State: s, Reason: order.Issuer, Ask: true}
}

// drops reports whether a burn is given up. Its age alone does not say that it was
// asked about: the settler may have been down.
func (r Rules) drops(now time.Time, b Burn) bool {
	return b.Doubted && r.Rare > 0 && now.Sub(b.Mined) > r.Drop && b.Asked >= int(r.Drop/r.Rare)
}

// gap is how long to wait after the last question.
func (r Rules) gap(now time.Time, b Burn) time.Duration {
	if now.Sub(b.Mined) > r.Old && !b.Attested {
		return r.Rare
	}
	return min(r.First<<min(b.Asked-1, 16), r.Last)
}

// deliver calls the contract that mints. A burn that only its owner profits
// from is paid for from the daily budget.
func deliver(b Burn, w *world.World) Step {
	needs := []world.Need{world.Call(b.To.Chain)}
	if b.Unpayable {
		needs = append(needs, world.Loss(b.To.Chain))
	}
	why := w.Gas(b.To.Chain)
	if why == "" {
		why = w.Lacks(needs...)
	}
	if why != "" {
		return Step{State: Delivering, Reason: why}
	}
	return Step{State: Delivering, Send: kinds[b.Way]}
}

var kinds = map[Way]order.Kind{In: order.Relay, Out: order.Deliver, Back: order.Deliver}

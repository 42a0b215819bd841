// Package status says where an order is, in the words of [swap.Status], from the
// journal's rows alone. It is pure: it sees no database and no clock.
//
// (revision, step) never falls. The journal raises an order's revision whenever
// its state goes back, so the step follows from the state, and of the facts only
// from final ones: a fact that may still vanish moves no step.
package status

import (
	"time"

	"hubquote/internal/record"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// An Account is all that the journal has about one order.
type Account struct {
	Order journal.Order
	Facts []journal.Fact
	Burns []journal.Burn // empty for an order without any
}

// An Atlas is what the catalog knows and the journal does not.
type Atlas struct {
	// Domains has the networks of the issuer's domains.
	Domains map[swap.Domain]swap.ChainID
	// Transmitter is the issuer's contract that mints, on every network.
	Transmitter swap.Address

	// Usual is how long a swap usually takes from its deposit on; zero when it
	// is unknown. Nil means that it always is.
	Usual func(*swap.Order) time.Duration

	// Carried is how long a swap usually takes from a fast or a standard burn
	// on, by the domain of the burn. Nil means that it is unknown.
	Carried func(source swap.Domain, fast bool) time.Duration
}

// The steps. A path leaves some out and never goes back.
const (
	stepNone       = iota // the deposit is gone
	stepBurned            // burned at the source
	stepOpened            // the order is in a block
	stepDue               // the deposit is final enough, and the payment is due
	stepPaid              // the payment is in a block
	stepSettled           // the payment is final, and not with the recipient yet
	stepUnpayable         // the order will never be paid
	stepReturned          // the deposit is on its way back, in a block
	stepEnd               // final
	lateAfter      = 3    // times the usual duration
	announceableIn = 5 * 24 * time.Hour
)

// Of returns the status of an order.
func Of(now time.Time, a Account, atlas *Atlas) (swap.Status, error) {
	body, err := record.Decode(a.Order.Body)
	if err != nil {
		return swap.Status{}, err
	}
	v := newView(&a, body)
	stage, step := v.stage()
	s := swap.Status{
		ID: swap.Hash(a.Order.ID), Order: body, Stage: stage, Reason: v.reason(stage),
		Mark:  swap.Mark{Revision: uint64(a.Order.Revision), Step: step}, // counts from zero
		Since: a.Order.Since, Deposited: a.Order.Amount, Pays: a.Order.Pays, Legs: v.legs(atlas),
	}
	if !stage.Final() {
		s.Action = v.action(stage, atlas)
		v.estimate(now, &s, atlas)
	}
	return s, nil
}

// Burns reports whether an order can have burns: it came from one, or is paid by
// one. Of an order that cannot be read it is assumed.
func Burns(o *journal.Order) bool {
	body, err := record.Decode(o.Body)
	return err != nil || o.Burn || (&view{o: o, body: body}).burnsOut()
}

// A view is an account sorted by kind of fact.
type view struct {
	o    *journal.Order
	body *swap.Order

	opened, paid, cancelled, refunded, reclaimed fact
	credited, claimed                            fact // at the paying pool
	owedBack, claimedBack                        fact // at the source
	in, out, back                                *journal.Burn
}

// A fact is the present one of a kind, and whether there was a final one, which
// may be gone.
type fact struct {
	*journal.Fact
	wasFinal bool
}

func (f fact) isFinal() bool { return f.Fact != nil && f.Proof >= order.Final }

func newView(a *Account, body *swap.Order) *view {
	v := &view{o: &a.Order, body: body}
	for i := range a.Facts {
		row := &a.Facts[i]
		if row.Proof < order.Agreed && row.Event != order.EventOpened {
			continue // one endpoint's word moves nothing that was shown
		}
		if f := v.of(row); f != nil {
			f.add(row)
		}
	}
	for i := range a.Burns {
		switch b := &a.Burns[i]; b.Way {
		case "in":
			v.in = further(v.in, b)
		case "out":
			v.out = further(v.out, b)
		case "back":
			v.back = further(v.back, b)
		}
	}
	return v
}

// further returns the burn of one way that came further, or else the later: one that
// the issuer did not sign may be another name of the one that it did.
func further(a, b *journal.Burn) *journal.Burn {
	came := func(b *journal.Burn) int {
		switch {
		case b.Arrived():
			return 2
		case len(b.Nonce) > 0:
			return 1
		}
		return 0
	}
	if a != nil && came(a) > came(b) {
		return a
	}
	return b
}

// of returns where a fact belongs. A claim is at the paying pool or at the
// source, by what is owed; where both are on one chain, an order that went back
// can only be owed by its source.
func (v *view) of(f *journal.Fact) *fact {
	back := f.Chain == v.o.Src.Chain && (f.Chain != v.o.Dst.Chain || v.o.State.Step() >= order.Refunded.Step())
	switch f.Event {
	case order.EventOpened:
		return &v.opened
	case order.EventPaid:
		return &v.paid
	case order.EventCancelled:
		return &v.cancelled
	case order.EventRefunded:
		return &v.refunded
	case order.EventReclaimed:
		return &v.reclaimed
	case order.EventCredited:
		return choose(back, &v.owedBack, &v.credited)
	case order.EventClaimed:
		return choose(back, &v.claimedBack, &v.claimed)
	}
	return nil
}

func choose(first bool, a, b *fact) *fact {
	if first {
		return a
	}
	return b
}

// add keeps the best proved of several facts of one kind.
func (f *fact) add(row *journal.Fact) {
	f.wasFinal = f.wasFinal || row.Proof >= order.Final
	if !row.Gone && (f.Fact == nil || row.Proof > f.Proof) {
		f.Fact = row
	}
}

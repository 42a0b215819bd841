package status

import (
	"strings"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/swap"
)

// stage returns where the order is and how far that is. A payment that was final
// counts before everything else: its recipient has the money, whatever happened
// to the deposit.
func (v *view) stage() (swap.Stage, uint64) {
	floor := v.floor()
	switch {
	case v.paid.isFinal():
		return v.settled(), max(floor, v.settledStep())
	case v.paid.wasFinal && floor >= stepPaid: // the journal has not decided on its loss yet
		return swap.StagePaying, max(floor, v.settledStep())
	case v.o.State == order.Closed:
		return v.returned()
	case v.o.State == order.Gone && v.o.Burn:
		return swap.StageAttesting, floor
	}
	return stages[v.o.State], floor
}

// floor is the step that follows from the state. An order whose deposit came back
// keeps the step of that, also when a payment is found afterwards.
func (v *view) floor() uint64 {
	if v.o.State == order.Closed && v.isBack() {
		_, step := v.returned()
		return step
	}
	return floors[v.o.State]
}

func (v *view) isBack() bool { return v.refunded.isFinal() || v.reclaimed.isFinal() }

// stages are those of an order without a final payment. One that is settled was
// released, and no payment is known.
var stages = map[order.State]swap.Stage{
	order.Gone: swap.StageUnknown, order.Seen: swap.StageConfirming, order.Proved: swap.StageConfirming,
	order.Waiting: swap.StagePaying, order.Parked: swap.StagePaying, order.Paying: swap.StagePaying, order.Cancelling: swap.StagePaying,
	order.Paid: swap.StagePaid, order.Claimable: swap.StagePaying, order.Settled: swap.StagePaying,
	order.Cancelled: swap.StageRefunding, order.Refunding: swap.StageRefunding, order.Refunded: swap.StageRefunding,
}

// floors are the steps that follow from the state alone.
var floors = map[order.State]uint64{
	order.Gone: stepNone, order.Seen: stepOpened, order.Proved: stepOpened,
	order.Waiting: stepDue, order.Parked: stepDue, order.Paying: stepDue, order.Cancelling: stepDue, order.Paid: stepPaid,
	order.Claimable: stepSettled, order.Settled: stepSettled,
	order.Cancelled: stepUnpayable, order.Refunding: stepUnpayable,
	order.Refunded: stepReturned, order.Closed: stepReturned,
}

func (v *view) settled() swap.Stage {
	switch {
	case v.credited.Fact != nil && !v.claimed.isFinal():
		return swap.StageClaimable
	case v.burnsOut() && !arrived(v.out):
		return swap.StageDelivering
	}
	return swap.StageDone
}

func (v *view) settledStep() uint64 {
	owed := v.credited.Fact != nil && !v.claimed.wasFinal
	if owed || v.burnsOut() && !arrived(v.out) {
		return stepSettled
	}
	return stepEnd
}

// returned handles a deposit that is back. A payment beside it, which only a fault
// can cause, counts once it is final: before, it may still vanish.
func (v *view) returned() (swap.Stage, uint64) {
	owed := v.owedBack.Fact != nil
	switch {
	case v.back != nil && !arrived(v.back):
		return swap.StageRefunding, stepReturned
	case owed && !v.claimedBack.wasFinal:
		return swap.StageClaimable, stepReturned
	case !v.isBack() || owed && !v.claimedBack.isFinal():
		return swap.StageRefunding, stepEnd
	}
	return swap.StageRefunded, stepEnd
}

// burnsOut reports whether the paying pool pays by burning: the place is another
// network than its own, and no privacy pool on that.
func (v *view) burnsOut() bool {
	return v.body.RecipientType != swap.ToPrivate && (!v.body.DstPlace.IsUint64() || v.body.DstPlace.Uint64() != uint64(v.o.Dst.Chain))
}

// reason is the journal's word for why the order does not move. The end needs
// none.
func (v *view) reason(s swap.Stage) string {
	switch {
	case s.Final():
		return ""
	case s == swap.StageUnknown || v.paid.wasFinal && !v.paid.isFinal():
		return swap.WhyReorganised
	case s == swap.StageDelivering && v.out != nil:
		return carried(v.out)
	case s == swap.StageDelivering:
		return string(order.Undelivered)
	case s == swap.StageClaimable:
		return string(order.Unclaimed)
	case s == swap.StageRefunding && minted(v.back):
		return carried(v.back)
	}
	return word(v.o.Reason)
}

// carried says why a burn is not minted for good.
func carried(b *journal.Burn) string {
	switch {
	case minted(b):
		return string(order.Finality)
	case b.Attestation == nil:
		return string(order.Issuer)
	case b.Reason != "":
		return word(b.Reason)
	}
	return string(order.Undelivered)
}

// word spells a reason as one word.
func word(r order.Reason) string { return strings.ReplaceAll(string(r), " ", "_") }

// estimate says when the swap is usually done, and whether it is late or waits
// for something that time alone does not bring.
func (v *view) estimate(now time.Time, s *swap.Status, atlas *Atlas) {
	switch v.o.State {
	case order.Waiting, order.Parked, order.Cancelling, order.Cancelled, order.Refunding, order.Refunded:
		s.Delayed = true
	}
	switch in := v.in; {
	case s.Stage == swap.StageRefunding || s.Stage == swap.StageClaimable:
	case v.opened.Fact != nil && atlas.Usual != nil:
		expect(now, s, v.opened.Time, atlas.Usual(v.body))
	case s.Stage == swap.StageAttesting && in != nil: // its relay was reorganised away
		again := Burned(now, in, atlas)
		s.ETA, s.Delayed = again.ETA, s.Delayed || again.Delayed
	}
}

// expect sets when a swap that began is usually done. A time that has come says
// nothing any more, nor does one of a swap that waits for more than time; both are
// left out.
func expect(now time.Time, s *swap.Status, began time.Time, usual time.Duration) {
	if usual <= 0 {
		return
	}
	s.Delayed = s.Delayed || now.After(began.Add(lateAfter*usual))
	if eta := began.Add(usual); eta.After(now) && !s.Delayed {
		s.ETA = eta
	}
}

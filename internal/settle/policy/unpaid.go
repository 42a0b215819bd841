package policy

import (
	"time"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/payment"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/world"
)

// unpaid handles an order that is neither paid nor cancelled nor returned. Its
// step ends no later than the next of its three times, so that it needs no news
// to be cancelled or refunded.
func (c *view) unpaid() step.Step {
	s := c.decide()
	last := c.o.Deadline.Add(-c.r.CancelBefore)
	s.Until = c.earliest(s.Until, last, c.o.Deadline, c.o.Deadline.Add(c.r.RefundAfter))
	return s
}

func (c *view) decide() step.Step {
	switch {
	case c.f.Opened.Proof < order.Agreed:
		return wait(order.Seen, order.Finality)
	case c.o.Unpayable():
		return c.reclaim()
	case c.expired():
		return c.refund(step.Task{Basis: step.Expired, Tag: c.w.Tags[c.o.Dst.Chain].FinalTime})
	case !c.now.Before(c.o.Deadline):
		return wait(c.stay(order.Waiting), order.Deadline)
	case c.f.Settlement.OK && c.f.Settlement.Value == order.SettledCancelled:
		return wait(order.Cancelling, order.Finality)
	case c.hopeless():
		return c.cancel()
	case c.parked():
		return c.park()
	}
	return c.pay()
}

// stay keeps a cancellation what it is, since a payment may not follow it.
func (c *view) stay(s order.State) order.State {
	if c.f.Was.State == order.Cancelling {
		return order.Cancelling
	}
	return s
}

// expired reports whether the destination can no longer pay: its final block is
// later than the deadline, and a block that is not before it shows no payment.
func (c *view) expired() bool {
	tag, known := c.w.Tags[c.o.Dst.Chain]
	s := c.f.Settlement
	past := known && !tag.Broken && !tag.FinalTime.Before(c.o.Deadline.Add(c.r.RefundAfter))
	return past && s.OK && s.Value == order.Unsettled && s.Block >= tag.Final
}

// hopeless reports whether the order is to be cancelled whatever the state of
// its pool is. One that waits for the gas budget is not: a cancellation costs
// as much as the payment, and the refund after the deadline needs none.
func (c *view) hopeless() bool {
	f := c.f
	begun := f.Was.State == order.Cancelling || f.Count(order.Cancel, order.Ready, order.Sent, order.Done) > 0
	asked := f.Wish == order.WishCancel || f.Wish == order.WishRefund
	refused := f.Skipped != nil && f.Skipped.ForGood && f.Wish != order.WishRetry
	late := !c.now.Before(c.o.Deadline.Add(-c.r.CancelBefore))
	saving := c.w.Cheap(c.o) && c.w.Lacks(world.Loss(c.o.Dst.Chain)) == order.Budget
	return begun || asked || refused || c.w.Contracts[c.o.Dst].Removed || late && !saving
}

func (c *view) cancel() step.Step {
	why := c.w.Gas(c.o.Dst.Chain)
	switch {
	case c.f.Count(order.Cancel, order.Sent) > 0:
		return wait(order.Cancelling, order.InFlight)
	case why != "":
		return wait(c.stay(order.Waiting), why)
	}
	return c.send(order.Cancelling, step.Task{Kind: order.Cancel, At: c.o.Dst, Basis: step.NeverPaid, Needs: call(c.o.Dst)})
}

func (c *view) parked() bool {
	f := c.f
	poisoned := f.Skipped != nil && f.Skipped.Times >= c.r.Refusals
	return f.Wish == order.WishPark || f.Wish != order.WishRetry && (f.Was.State == order.Parked || poisoned)
}

func (c *view) park() step.Step {
	why := order.Operator
	switch {
	case c.f.Was.State == order.Parked:
		why = c.f.Was.Reason
	case c.f.Wish != order.WishPark:
		why = order.Refused
	}
	c.alert(why == order.Refused, step.Alert{Name: step.Poisoned, Page: true})
	end := c.patience(order.Parked, why)
	if !end.IsZero() && !c.now.Before(end) {
		return c.cancel()
	}
	return step.Step{Do: step.Park, State: order.Parked, Reason: why, Until: end}
}

// patience returns when an order that waits for this reason is cancelled, or
// zero when time alone does not do that. A change of reason starts no new wait.
func (c *view) patience(s order.State, why order.Reason) time.Time {
	limit, bounded := c.r.WaitFor[why]
	switch {
	case !bounded:
		return time.Time{}
	case c.f.Was.State == s:
		return c.f.Was.Since.Add(limit)
	}
	return c.now.Add(limit)
}

func (c *view) pay() step.Step {
	c.alert(c.w.Tags[c.o.Src.Chain].Stalled, step.Alert{Name: step.FinalityStalled, Page: true, Chain: c.o.Src.Chain})
	if c.f.Count(order.Pay, order.Sent) > 0 {
		return wait(order.Paying, order.InFlight)
	}
	t, why := payment.Of(c.now, c.o, c.f, c.w, c.r)
	if why == "" {
		return c.send(order.Paying, t)
	}
	if why == order.Finality && c.f.Was.State.Step() < order.Waiting.Step() {
		return wait(order.Proved, why)
	}
	end := c.patience(order.Waiting, why)
	if !end.IsZero() && !c.now.Before(end) {
		return c.cancel()
	}
	return step.Step{State: order.Waiting, Reason: why, Until: end}
}

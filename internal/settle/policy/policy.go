// Package policy decides what happens next to an order, from facts alone. It is
// pure: it sees no endpoint, no error and no clock, and what is unknown is a
// value. An order whose payment is not known to be impossible is never
// refunded, and an order that is refunded or cancelled is never paid.
package policy

import (
	"time"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/rules"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/world"
)

// Next returns the next step for an order. What one endpoint alone tells decides
// nothing: the contracts are asked before anything is sent, and an endpoint with
// wrong answers must delay no order.
func Next(now time.Time, o order.Order, f order.Facts, w world.World, r rules.Rules) step.Step {
	f.Forget(order.Agreed)
	c := &view{now, &o, &f, &w, &r, nil}
	c.watch()
	s := c.next()
	s.Alerts = c.alerts
	return s
}

// A view is an order and all there is to decide by.
type view struct {
	now    time.Time
	o      *order.Order
	f      *order.Facts
	w      *world.World
	r      *rules.Rules
	alerts []step.Alert
}

func (c *view) next() step.Step {
	switch {
	case c.f.Refunded != nil || c.f.Reclaimed != nil:
		return c.returned()
	case c.f.WasPaid() || c.f.Released != nil:
		return c.paid()
	case c.f.Opened == nil:
		return wait(order.Gone, order.Reorganised)
	case c.f.Cancelled != nil:
		return c.cancelled()
	}
	return c.unpaid()
}

// watch raises the alerts that no step depends on.
func (c *view) watch() {
	f := c.f
	c.alert(f.Fell != 0, step.Alert{Name: step.FinalityBroken, Page: true, Stop: true, Chain: f.Fell})
	c.alert(f.WasPaid() && (f.Refunded != nil || f.Reclaimed != nil), step.Alert{Name: step.PaidAndReturned, Page: true})
	c.alert(f.WasPaid() && f.Opened == nil, step.Alert{Name: step.PaidNoDeposit, Page: true, Stop: true, Chain: c.o.Src.Chain})
	c.alert(f.Released != nil && !f.WasPaid(), step.Alert{Name: step.ReleasedUnpaid, Page: true, Stop: true, Chain: c.o.Dst.Chain})
	c.alert(c.announced(), step.Alert{Name: step.ReclaimAnnounced, Page: true})
}

func (c *view) alert(raise bool, a step.Alert) {
	if raise {
		c.alerts = append(c.alerts, a)
	}
}

func (c *view) returned() step.Step {
	back := c.f.Refunded
	if back == nil {
		back = c.f.Reclaimed
	}
	switch {
	case !back.IsFinal():
		return wait(order.Refunded, order.Finality)
	case c.f.Unminted:
		return wait(order.Refunded, order.Undelivered)
	}
	return step.Step{Do: step.Done, State: order.Closed}
}

// paid handles every order that has a payment, or a release that says so.
func (c *view) paid() step.Step {
	f := c.f
	c.overdue()
	switch {
	case !f.WasPaid():
		return wait(order.Settled, order.Inconsistent)
	case f.Opened == nil:
		return wait(order.Paid, order.Reorganised)
	case !f.Paid.IsFinal():
		return wait(order.Paid, order.Finality)
	case f.Released == nil && f.Count(order.Release, order.Sent) == 0:
		return c.release()
	case f.Credited != nil && !f.Claimed.IsFinal():
		return c.claim()
	case !f.Released.IsFinal():
		return wait(order.Settled, order.Finality)
	}
	return step.Step{Do: step.Done, State: order.Closed}
}

// release frees the deposit. It is due work: past its time any caller can take
// the deposit of a paid order back, so an announced one goes out at any fee.
func (c *view) release() step.Step {
	paid := c.f.Paid.Time
	s := c.freeing()
	s.Until = c.earliest(paid.Add(c.r.Ticket), paid.Add(c.r.Page), c.o.Deadline.Add(c.r.Announceable))
	return s
}

// overdue raises the alert about a paid deposit that is not released, also while
// a release is under way or the payment is not final: its owner can have both.
func (c *view) overdue() {
	if c.f.Paid == nil || c.f.Released != nil {
		return
	}
	age := c.now.Sub(c.f.Paid.Time)
	late := age >= c.r.Page || !c.now.Before(c.o.Deadline.Add(c.r.Announceable))
	c.alert(late || age >= c.r.Ticket, step.Alert{Name: step.Unreleased, Page: late})
}

func (c *view) freeing() step.Step {
	if c.f.Held.OK && c.f.Held.Value == order.NotHeld {
		return wait(order.Settled, order.Finality)
	}
	if why := c.w.Gas(c.o.Src.Chain); why != "" && (why != order.Fee || !c.announced()) {
		return wait(order.Settled, why)
	}
	needs := append(call(c.o.Src), c.uses(world.Releases))
	if why := c.w.Lacks(needs...); why != "" {
		return wait(order.Settled, why)
	}
	return c.send(order.Settled, step.Task{Kind: order.Release, At: c.o.Src, Basis: step.FinalPayment, Urgent: c.announced(), Needs: needs})
}

// claim pushes a claim once at once and once more later. After that only its
// owner, or any other caller, moves it.
func (c *view) claim() step.Step {
	again := c.f.Credited.Time.Add(c.r.ClaimAgain)
	done := c.f.Count(order.Claim, order.Done)
	switch why := c.w.Gas(c.o.Dst.Chain); {
	case c.f.Count(order.Claim, order.Sent) > 0:
		return wait(order.Claimable, order.InFlight)
	case done > 1:
		return wait(order.Claimable, order.Unclaimed)
	case done == 1 && c.now.Before(again):
		return step.Step{State: order.Claimable, Reason: order.Unclaimed, Until: again}
	case why != "":
		return wait(order.Claimable, why)
	}
	return c.send(order.Claimable, step.Task{Kind: order.Claim, At: c.o.Dst, Basis: step.FinalPayment, Needs: call(c.o.Dst)})
}

func (c *view) cancelled() step.Step {
	if !c.f.Cancelled.IsFinal() {
		return wait(order.Cancelled, order.Finality)
	}
	return c.refund(step.Task{Basis: step.FinalCancel})
}

func (c *view) refund(t step.Task) step.Step {
	t.Kind, t.At, t.Urgent = order.Refund, c.o.Src, c.announced()
	t.Needs = append(call(c.o.Src), c.uses(world.Refunds))
	source, known := c.w.Contracts[c.o.Src]
	why := c.w.Gas(c.o.Src.Chain)
	if why == "" {
		why = c.w.Lacks(t.Needs...)
	}
	switch {
	case c.f.Held.OK && c.f.Held.Value == order.NotHeld:
		return wait(order.Refunding, order.Finality)
	case c.f.Count(order.Refund, order.Sent) > 0:
		return wait(order.Refunding, order.InFlight)
	case !known:
		return wait(order.Refunding, order.Chain)
	case source.Paused:
		return wait(order.Refunding, order.Paused)
	case why != "":
		return wait(order.Refunding, why)
	}
	return c.send(order.Refunding, t)
}

// reclaim gives back a deposit that no pool can pay for. Strangers can make
// such orders, so each is paid for from the daily budget.
func (c *view) reclaim() step.Step {
	needs := append(call(c.o.Src), world.Loss(c.o.Src.Chain))
	why := c.w.Gas(c.o.Src.Chain)
	if why == "" {
		why = c.w.Lacks(needs...)
	}
	switch {
	case c.f.Count(order.Reclaim, order.Sent) > 0:
		return wait(order.Refunding, order.InFlight)
	case c.f.Held.OK && c.f.Held.Value == order.NotHeld:
		return wait(order.Refunding, order.Finality)
	case why != "":
		return wait(order.Refunding, why)
	}
	return c.send(order.Refunding, step.Task{Kind: order.Reclaim, At: c.o.Src, Basis: step.NoPayer, Needs: needs})
}

// announced reports whether a caller announced to take the deposit. Unpayable
// orders are opened that way.
func (c *view) announced() bool {
	return c.f.Held.OK && c.f.Held.Value == order.Announced && !c.o.Unpayable()
}

// call is the need of every transaction, alone.
func call(at order.Pool) []world.Need { return []world.Need{world.Call(at.Chain)} }

// uses is the deposit as a need of one of its source's caps.
func (c *view) uses(l world.Limit) world.Need {
	return world.Need{Budget: world.Budget{Limit: l, Pool: c.o.Src}, Amount: c.o.Amount}
}

func wait(s order.State, why order.Reason) step.Step { return step.Step{State: s, Reason: why} }

func (c *view) send(s order.State, t step.Task) step.Step {
	t.Order, t.Due = c.o.ID, c.o.Deadline
	return step.Step{Do: step.Send, State: s, Send: &t}
}

// earliest returns the first of these times that is still to come, or zero.
func (c *view) earliest(times ...time.Time) (first time.Time) {
	for _, t := range times {
		if t.After(c.now) && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	return first
}

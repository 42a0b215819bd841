// Package payment says whether an order can be paid now. It answers with a task
// that names its proof and everything it uses up, or with a reason, never with
// both.
package payment

import (
	"time"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/rules"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/world"
)

// Of returns the task that pays the order, or why it cannot be made now.
func Of(now time.Time, o *order.Order, f *order.Facts, w *world.World, r *rules.Rules) (step.Task, order.Reason) {
	early, why := proof(o, f, w, r)
	if why == "" {
		why = refusal(now, o, f, w, r)
	}
	if why != "" {
		return step.Task{}, why
	}
	t := step.Task{Kind: order.Pay, At: o.Dst, Basis: step.FinalDeposit, Needs: needs(o, w)}
	t.Alone = f.Skipped != nil && f.Skipped.Why == order.Recipient
	if early {
		t.Basis, t.Reproof = step.WithinExposure, true
		t.Needs = append(t.Needs, exposure(o))
	}
	if why := w.Lacks(t.Needs...); why != "" {
		return step.Task{}, why
	}
	return t, ""
}

func needs(o *order.Order, w *world.World) []world.Need {
	all := []world.Need{
		{Budget: world.Budget{Limit: world.Liquidity, Pool: o.Dst}, Amount: o.Pays},
		{Budget: world.Budget{Limit: world.Payments, Pool: o.Dst}, Amount: o.Pays},
		{Budget: world.Budget{Limit: world.ForSource, Pool: o.Dst, From: world.SourceOf(o)}, Amount: o.Pays},
		{Budget: world.Budget{Limit: world.Unfreed, Pool: o.Src}, Amount: o.Amount},
		world.Call(o.Dst.Chain),
	}
	if w.Cheap(o) {
		all = append(all, world.Loss(o.Dst.Chain))
	}
	return all
}

func exposure(o *order.Order) world.Need {
	token := order.Pool{Chain: o.Src.Chain, Address: o.Asset}
	return world.Need{Budget: world.Budget{Limit: world.Early, Pool: token}, Amount: o.Amount}
}

// proof reports whether the deposit is proved well enough to pay, and whether
// that is earlier than final and must be reserved. A final deposit stays final
// when the tag stalls; after a final block was lost, no deposit counts.
func proof(o *order.Order, f *order.Facts, w *world.World, r *rules.Rules) (early bool, why order.Reason) {
	src, known := w.Tags[o.Src.Chain]
	switch have := f.Opened.Proof; {
	case !known || src.Broken || w.Tags[o.Dst.Chain].Broken:
		return false, order.Chain
	case have >= order.Final:
		return false, ""
	case src.Stalled:
		return false, order.Chain
	case have < least(o, r):
		return false, order.Finality
	}
	return true, ""
}

// least is the proof from which an order may be paid within the exposure. A
// relay that is reorganised away can be made again with the same order ID, so
// orders of the receiver need no tag.
func least(o *order.Order, r *rules.Rules) order.Proof {
	switch {
	case o.Burn:
		return order.Agreed
	case r.Early[o.Src.Chain]:
		return order.Safe
	}
	return order.Final
}

// refusal returns why the paying pool would not pay, or is not asked again yet.
func refusal(now time.Time, o *order.Order, f *order.Facts, w *world.World, r *rules.Rules) order.Reason {
	payer, known := w.Contracts[o.Dst]
	skip := f.Skipped
	switch {
	case !known, left(f):
		return order.Chain
	case payer.Paused:
		return order.Paused
	case payer.Shut[world.SourceOf(o)]:
		return order.Shut
	case skip != nil && f.Wish != order.WishRetry && now.Before(skip.At.Add(r.RetryAfter)):
		return skip.Why
	}
	return w.Gas(o.Dst.Chain)
}

// left reports whether the source says that it does not hold the deposit, at a
// block that had it. It went back, or the chain lost it, and the logs do not say
// so yet.
func left(f *order.Facts) bool {
	return f.Held.OK && f.Held.Value == order.NotHeld && f.Held.Block >= f.Opened.Block
}

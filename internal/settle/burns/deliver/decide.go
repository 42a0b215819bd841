package deliver

import (
	"context"
	"time"

	"hubquote/internal/settle/burns/row"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// How long until a burn is looked at again. Whatever it waits for, it is looked at
// less often the longer it waits, so that many which wait cost few calls.
const (
	retry   = 5 * time.Second  // after a network did not answer, or a delivery failed
	wait    = 15 * time.Second // at least, when gas is expensive or a purse is empty; at most, for a transaction
	rarely  = 10 * time.Minute // at most, and when today's budget is used up
	longest = time.Hour        // after a delivery that the contract refused, and for the event of a final mint
)

// later is a quarter of how long something has lasted, within bounds.
func later(lasted, least, most time.Duration) time.Duration {
	return min(max(lasted/4, least), max(least, most))
}

// decide records the next step of a burn, and reports whether it made a task.
func (d *Deliverer) decide(ctx context.Context, tx journal.Tx, w *world.World, s *sight) (sent bool, err error) {
	now := time.Now()
	if s.err != nil {
		d.opts.Log.Warn("looking at a burn's destination", "chain", s.To.Chain, "burn", s.Key, "err", s.err)
		return false, row.Change(ctx, tx, s.Key, func(b *journal.Burn) {
			b.NextAsk = now.Add(retry)
			if b.Status != string(burn.Delivered) { // a mint stays as it was known
				b.Reason = order.Chain
			}
		})
	}
	if s.tasks, err = tx.Tasks(ctx, s.Key); err != nil { // as they are now: a lane may have sent one
		return false, err
	}
	if s.minted {
		return false, d.arrived(ctx, tx, now, s)
	}
	for _, id := range s.failed {
		if err := tx.EndTask(ctx, id, order.Void); err != nil {
			return false, err
		}
	}
	s.step = d.step(now, w, s)
	if s.step.Send != "" {
		err = d.make(ctx, tx, now, w, s)
	}
	if err == nil {
		err = row.Change(ctx, tx, s.Key, func(b *journal.Burn) {
			row.Enter(b, now, s.step, d.next(now, s))
			b.MintTx, b.MintBlock = order.Hash{}, 0
		})
	}
	return s.step.Send != "", err
}

// step returns the policy's step. After a delivery that failed it waits.
func (d *Deliverer) step(now time.Time, w *world.World, s *sight) burn.Step {
	if len(s.failed) > 0 {
		return burn.Step{State: burn.Delivering, Reason: order.Refused, Until: now.Add(patience(s.tasks, s.Asked))}
	}
	s.Facts.InFlight = s.inFlight()
	return burn.Next(now, s.Facts, s.head, *w, d.opts.Rules)
}

// make adds the task of a step, and uses up what it needs, so that the next
// decision knows.
func (d *Deliverer) make(ctx context.Context, tx journal.Tx, now time.Time, w *world.World, s *sight) error {
	needs := []world.Need{world.Call(s.To.Chain)}
	if s.Facts.Unpayable {
		needs = append(needs, world.Loss(s.To.Chain))
	}
	for _, n := range needs {
		left := w.Left[n.Budget]
		w.Left[n.Budget] = *new(swap.Amount).Sub(&left, &n.Amount)
	}
	_, err := tx.AddTask(ctx, journal.Task{Subject: s.Key, Kind: s.step.Send, Chain: s.To.Chain, Basis: burn.Signed, Made: now, Loss: s.Facts.Unpayable})
	return err
}

// arrived records a mint, and ends the tasks that it makes unnecessary.
func (d *Deliverer) arrived(ctx context.Context, tx journal.Tx, now time.Time, s *sight) error {
	ends := map[order.Progress]order.Progress{order.Ready: order.Void, order.Sent: order.Done}
	for _, t := range s.tasks {
		if as := ends[t.Progress]; as != "" {
			if err := tx.EndTask(ctx, t.ID, as); err != nil {
				return err
			}
		}
	}
	step, next := burn.Step{State: burn.Delivered, Reason: order.Finality}, now.Add(d.opts.Poll)
	switch {
	case s.final:
		step.Reason, next = "", d.again(now, s)
	case s.Status == string(burn.Delivered):
		next = now.Add(later(now.Sub(s.Since), d.opts.Poll, rarely))
	}
	if !s.Order.IsZero() { // the mint is news about a payment or refund
		if err := tx.Due(ctx, s.Order); err != nil {
			return err
		}
	}
	return row.Change(ctx, tx, s.Key, func(b *journal.Burn) {
		row.Enter(b, now, step, next)
		b.MintTx, b.MintBlock = s.event.Tx, s.event.Block
		if !s.event.Order.IsZero() {
			b.Order = s.event.Order
		}
	})
}

// How often, and for how long, a final mint is looked at again where one endpoint
// alone says that it is, or too few say where: as long as an order can be open.
const (
	daily  = 24 * time.Hour
	recent = 15 * 24 * time.Hour
)

// again returns when to look at a final mint again: never, if enough endpoints say
// that it is, and where.
func (d *Deliverer) again(now time.Time, s *sight) time.Time {
	known, several := s.Status == string(burn.Delivered), d.opts.Chains[s.To.Chain].K > 1
	found := s.event.Tx != (order.Hash{})
	switch {
	case several && found, known && now.Sub(s.Since) > recent:
		return time.Time{}
	case several:
		return now.Add(longest)
	}
	return now.Add(daily)
}

// next returns when to look at a burn again.
func (d *Deliverer) next(now time.Time, s *sight) time.Time {
	switch {
	case !s.step.Until.IsZero():
		return s.step.Until
	case s.step.State == burn.Ignored:
		return time.Time{}
	case s.step.Ask:
		return now // the answer moves it
	case s.step.Send != "":
		return now.Add(d.opts.Poll)
	case s.step.Reason == order.InFlight:
		return now.Add(later(now.Sub(s.tasks[len(s.tasks)-1].Made), d.opts.Poll, wait))
	case s.step.Reason == order.Budget:
		return now.Add(rarely)
	}
	return now.Add(later(now.Sub(s.Since), wait, rarely))
}

// patience doubles with every delivery that failed since the issuer was asked last:
// that the signature was about to expire may have been the reason.
func patience(tasks []journal.Task, asked time.Time) time.Duration {
	failed := 0
	for _, t := range tasks {
		if t.Progress == order.Void && !t.Made.Before(asked) {
			failed++
		}
	}
	return min(retry<<min(failed, 10), longest)
}

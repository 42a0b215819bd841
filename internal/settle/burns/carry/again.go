package carry

import (
	"context"
	"errors"
	"slices"
	"time"

	"hubquote/internal/settle/attest"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
)

// How long until a burn is looked at again.
const (
	retry    = 5 * time.Second  // after a network did not answer
	wait     = 15 * time.Second // when gas is dear or the purse is empty
	tomorrow = 10 * time.Minute // when today's budget is used up
	slow     = 15 * time.Second // while a transaction is under way for long
	watch    = 30 * time.Second // until a mint is final
	longest  = time.Hour        // between two deliveries that the contract refuses
)

// next returns when to look at a burn again.
func (c *Carrier) next(now time.Time, s *sight) time.Time {
	switch {
	case !s.step.Until.IsZero():
		return s.step.Until
	case s.step.State == burn.Ignored:
		return time.Time{}
	case s.step.Send != "":
		return now.Add(c.opts.Poll)
	case s.step.Reason == order.InFlight:
		return now.Add(min(max(c.opts.Poll, now.Sub(s.last().Made)/4), max(slow, c.opts.Poll)))
	case s.step.Reason == order.Budget:
		return now.Add(tomorrow)
	case s.step.Ask:
		return now // the answer moves it
	}
	return now.Add(wait)
}

// inFlight reports whether a task is ready or sent, and not known to have failed.
func (s *sight) inFlight() bool {
	return slices.ContainsFunc(s.tasks, func(t journal.Task) bool {
		return t.Progress == order.Ready || t.Progress == order.Sent && !slices.Contains(s.failed, t.ID)
	})
}

// last returns the newest task.
func (s *sight) last() (t journal.Task) {
	if len(s.tasks) > 0 {
		t = s.tasks[len(s.tasks)-1]
	}
	return t
}

// patience doubles with every delivery that failed.
func (s *sight) patience() time.Duration { return patience(s.tasks) }

func patience(tasks []journal.Task) time.Duration {
	failed := 0
	for _, t := range tasks {
		if t.Progress == order.Void {
			failed++
		}
	}
	return min(retry<<min(failed, 10), longest)
}

// Refused records that a task was not sent, because its call would revert. It is
// tried again later: another sender may have delivered the burn, or the message
// may have expired, which the next look finds out.
func (c *Carrier) Refused(ctx context.Context, t journal.Task, why string) error {
	c.opts.Log.Warn("a delivery would revert", "chain", t.Chain, "burn", t.Subject, "task", t.ID, "why", why)
	return c.opts.Write(ctx, func(tx journal.Tx) error {
		if err := tx.EndTask(ctx, t.ID, order.Void); err != nil {
			return err
		}
		tasks, err := tx.Tasks(ctx, t.Subject)
		if err != nil {
			return err
		}
		now := time.Now()
		return change(ctx, tx, t.Subject, func(b *journal.Burn) {
			enter(b, now, burn.Step{State: burn.Delivering, Reason: order.Refused}, now.Add(patience(tasks)))
		})
	})
}

// reattest asks for new signatures of the messages that are about to expire.
func (c *Carrier) reattest(ctx context.Context, sights []sight) error {
	var errs []error
	for i := range sights {
		if s := &sights[i]; s.step.State == burn.Reattest && s.step.Ask {
			errs = append(errs, c.renew(ctx, s))
		}
	}
	return errors.Join(errs...)
}

// renew takes the new signature if there is one, and asks for one otherwise. The
// old one is returned until the new one is made.
func (c *Carrier) renew(ctx context.Context, s *sight) error {
	entries, err := c.opts.Issuer.Ask(ctx, s.Domain, s.Tx)
	if errors.Is(err, attest.ErrBusy) || ctx.Err() != nil {
		return ctx.Err()
	}
	newer := attest.Match([]attest.Sent{{Message: s.sent, Nonce: nonceOf(s.Burn)}}, entries)[0]
	if newer != nil && newer.Message.Expires() == s.Expires {
		newer = nil
	}
	if newer == nil {
		err = errors.Join(err, c.opts.Issuer.Reattest(ctx, nonceOf(s.Burn)))
	}
	if err != nil {
		c.opts.Log.Warn("asking the issuer for a new signature", "burn", s.Key, "err", err)
	}
	return c.opts.Write(ctx, func(tx journal.Tx) error {
		now := time.Now()
		return change(ctx, tx, s.Key, func(b *journal.Burn) {
			b.Asks, b.Asked = b.Asks+1, now
			if newer != nil {
				sign(b, newer)
				enter(b, now, burn.Step{State: burn.Attested}, now)
				return
			}
			b.NextAsk = now.Add(c.opts.Rules.First)
		})
	})
}

package carry

import (
	"context"
	"errors"
	"maps"
	"time"

	"hubquote/internal/settle/burns/mint"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// Deliver looks at the signed burns that are due and makes tasks for those that
// can be delivered.
func (c *Carrier) Deliver(ctx context.Context) error {
	due, err := c.opts.Journal.BurnsSigned(ctx, time.Now(), most)
	if err != nil || len(due) == 0 {
		return err
	}
	w, err := c.opts.World(ctx)
	if err != nil {
		return err
	}
	w.Left = maps.Clone(w.Left)
	look := mint.NewLook(ctx, c.opts.Terms, c.opts.Chains)
	sights := make([]sight, len(due))
	inParallel(len(due), seeing, func(i int) { sights[i] = c.see(ctx, look, due[i]) })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return c.settle(ctx, w, sights)
}

// A sight is all that is known about a signed burn.
type sight struct {
	view
	head   uint64 // of the destination, 0 when it is unknown
	minted bool
	event  mint.Event // when it was minted
	final  bool       // and the mint is
	tasks  []journal.Task
	failed []int64 // tasks whose transaction is mined and minted nothing
	step   burn.Step
	err    error
}

// see reads what the destination and the journal say about a burn.
func (c *Carrier) see(ctx context.Context, look *mint.Look, b journal.Burn) (s sight) {
	s.view = c.view(b)
	if s.tasks, s.err = c.opts.Journal.Tasks(ctx, b.Key); s.err != nil || !s.facts.Authentic.Value {
		return s
	}
	to := s.verdict.To
	if s.minted, s.err = look.Used(ctx, to.Chain, nonceOf(b)); s.err != nil {
		return s
	}
	head, _ := look.Head(to.Chain)
	s.head = head.Number
	if s.minted {
		s.event = mint.Event{Tx: b.MintTx, Block: b.MintBlock, Order: b.Order}
		if b.MintBlock == 0 {
			s.event, s.err = look.Find(ctx, to, nonceOf(b))
		}
		s.final = c.isFinal(look, &s)
		return s
	}
	s.failed, s.err = c.failures(ctx, &s)
	if s.err == nil && s.verdict.Way == burn.Back {
		s.facts.Unpayable, s.err = c.wasUnpayable(ctx, b.Order)
	}
	return s
}

// settled is after how long a mint is taken for final on a network that does not
// say what is.
const settled = time.Hour

func (c *Carrier) isFinal(look *mint.Look, s *sight) bool {
	final, err := look.Final(s.verdict.To.Chain, s.event.Block)
	waited := s.Status == string(burn.Delivered) && time.Since(s.Since) > settled
	return final || err != nil && waited
}

// failures returns the tasks that are sent and whose nonce is mined, although the
// burn is not minted at a later block.
func (c *Carrier) failures(ctx context.Context, s *sight) (failed []int64, err error) {
	for _, t := range s.tasks {
		if t.Progress != order.Sent {
			continue
		}
		nonces, err := c.opts.Journal.NoncesOf(ctx, t.ID)
		if err != nil {
			return nil, err
		}
		for _, n := range nonces {
			if n.State != journal.NonceSent && n.Block <= s.head {
				failed = append(failed, t.ID)
				break
			}
		}
	}
	return failed, nil
}

// wasUnpayable reports whether a deposit that was burned back belonged to an
// order that no pool could pay. Opening such orders costs a stranger little. An
// order that is not known is taken for one.
func (c *Carrier) wasUnpayable(ctx context.Context, id order.ID) (bool, error) {
	o, found, err := c.opts.Journal.Order(ctx, id)
	return !found || o.Unpayable(), err
}

// settle decides about burns, one after the other, and records it.
func (c *Carrier) settle(ctx context.Context, w world.World, sights []sight) error {
	made := false
	err := c.opts.Write(ctx, func(tx journal.Tx) error {
		for i := range sights {
			sent, err := c.decide(ctx, tx, &w, &sights[i])
			if err != nil {
				return err
			}
			made = made || sent
		}
		return nil
	})
	if err == nil && made && c.opts.Changed != nil {
		c.opts.Changed()
	}
	return errors.Join(err, c.reattest(ctx, sights))
}

// decide records the next step of a burn, and reports whether it made a task.
func (c *Carrier) decide(ctx context.Context, tx journal.Tx, w *world.World, s *sight) (sent bool, err error) {
	now := time.Now()
	if s.err != nil {
		c.opts.Log.Warn("looking at a burn's destination", "chain", s.verdict.To.Chain, "burn", s.Key, "err", s.err)
		return false, change(ctx, tx, s.Key, func(b *journal.Burn) { b.Reason, b.NextAsk = order.Chain, now.Add(retry) })
	}
	if s.tasks, err = tx.Tasks(ctx, s.Key); err != nil { // as they are now: a lane may have sent one
		return false, err
	}
	if s.minted {
		return false, c.arrived(ctx, tx, now, s)
	}
	if err := end(ctx, tx, s.failed, order.Void); err != nil {
		return false, err
	}
	s.facts.InFlight = s.inFlight()
	s.step = burn.Next(now, s.facts, s.head, *w, c.opts.Rules)
	if len(s.failed) > 0 {
		s.step = burn.Step{State: burn.Delivering, Reason: order.Refused, Until: now.Add(s.patience())}
	}
	if s.step.Send != "" {
		draw(w, &s.facts)
		_, err = tx.AddTask(ctx, journal.Task{Subject: s.Key, Kind: s.step.Send, Chain: s.verdict.To.Chain, Basis: s.facts.Basis(), Made: now})
	}
	if err == nil {
		err = change(ctx, tx, s.Key, func(b *journal.Burn) {
			enter(b, now, s.step, c.next(now, s))
			b.MintTx, b.MintBlock = order.Hash{}, 0
		})
	}
	return s.step.Send != "", err
}

// draw uses up what a delivery needs, so that the next decision knows.
func draw(w *world.World, b *burn.Burn) {
	needs := []world.Need{world.Call(b.To.Chain)}
	if b.Unpayable {
		needs = append(needs, world.Loss(b.To.Chain))
	}
	for _, n := range needs {
		left := w.Left[n.Budget]
		w.Left[n.Budget] = *new(swap.Amount).Sub(&left, &n.Amount)
	}
}

// arrived records a mint, and ends the tasks that it makes unnecessary.
func (c *Carrier) arrived(ctx context.Context, tx journal.Tx, now time.Time, s *sight) error {
	for _, t := range s.tasks {
		as := map[order.Progress]order.Progress{order.Ready: order.Void, order.Sent: order.Done}[t.Progress]
		if as == "" {
			continue
		}
		if err := tx.EndTask(ctx, t.ID, as); err != nil {
			return err
		}
	}
	return change(ctx, tx, s.Key, func(b *journal.Burn) {
		next := now.Add(watch)
		if s.final {
			next = time.Time{}
		}
		enter(b, now, burn.Step{State: burn.Delivered}, next)
		b.MintTx, b.MintBlock = s.event.Tx, s.event.Block
		if !s.event.Order.IsZero() {
			b.Order = s.event.Order
		}
	})
}

func end(ctx context.Context, tx journal.Tx, tasks []int64, as order.Progress) error {
	for _, id := range tasks {
		if err := tx.EndTask(ctx, id, as); err != nil {
			return err
		}
	}
	return nil
}

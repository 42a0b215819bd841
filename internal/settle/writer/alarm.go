package writer

import (
	"context"
	"fmt"
	"time"

	"hubquote/internal/settle/alert"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/wish"
)

// An alarm is an alert that outlives this settler: one that stops a chain, or one
// of an order that is not looked at again. The journal has it, so that a restart
// or a takeover neither forgets to page nor pays.

// alarms reads them, obeys operators who accept those of a chain, and shows the
// others.
func (w *Writer) alarms(ctx context.Context) error {
	if err := w.trust(ctx); err != nil {
		return err
	}
	all, err := w.opts.Journal.Alarms(ctx)
	if err != nil {
		return err
	}
	w.kept = map[order.ID][]journal.Alarm{}
	var up []alert.Alarm
	for _, a := range all {
		w.kept[a.Subject] = append(w.kept[a.Subject], a)
		if a.Accepted.IsZero() {
			shown := step.Alert{Name: a.Name, Page: true, Stop: a.Chain != 0, Chain: a.Chain}
			up = append(up, alert.Alarm{Alert: shown, Subject: a.Subject, Since: a.Since})
		}
	}
	w.opts.Alerts.Keep(up)
	return nil
}

// trust accepts all alarms of the chains that operators trust again.
func (w *Writer) trust(ctx context.Context) error {
	open, err := w.opts.Journal.WishesOpen(ctx)
	for _, x := range open {
		if x.Verb == order.WishTrust && err == nil {
			err = w.opts.Write(ctx, func(tx journal.Tx) error { return w.accept(ctx, tx, x) })
		}
	}
	return err
}

func (w *Writer) accept(ctx context.Context, tx journal.Tx, x journal.Wish) error {
	all, err := tx.Alarms(ctx)
	if err != nil {
		return err
	}
	n, now, chain := 0, w.opts.Now(), wish.ChainOf(x.Subject)
	for _, a := range all {
		if a.Chain != chain || !a.Accepted.IsZero() {
			continue
		}
		n++
		a.Accepted = now
		if err := tx.PutAlarm(ctx, a); err != nil {
			return err
		}
	}
	return tx.EndWish(ctx, x.ID, now, fmt.Sprintf("%d alarms of chain %d accepted", n, chain))
}

// keeps reports whether an alert of a step must outlive this settler.
func keeps(s *step.Step, a step.Alert) bool { return a.Stop || a.Page && s.Do == step.Done }

// keep writes the alarms of an order, forgets those whose cause is gone, and
// accepts all when an operator wants the order to be tried again.
func (w *Writer) keep(ctx context.Context, tx journal.Tx, now time.Time, t *item) error {
	raised := map[journal.Alarm]bool{}
	for _, a := range t.step.Alerts {
		if keeps(&t.step, a) {
			raised[journal.Alarm{Chain: a.Chain, Name: a.Name, Subject: t.o.ID}] = true
		}
	}
	for _, have := range w.kept[t.o.ID] {
		key := journal.Alarm{Chain: have.Chain, Name: have.Name, Subject: have.Subject}
		var err error
		switch {
		case !raised[key]:
			err = tx.EndAlarm(ctx, have)
		case t.f.Wish == order.WishRetry && have.Accepted.IsZero():
			have.Accepted = now
			err = tx.PutAlarm(ctx, have)
		}
		if err != nil {
			return err
		}
		delete(raised, key)
	}
	for a := range raised {
		a.Since = now
		if err := tx.PutAlarm(ctx, a); err != nil {
			return err
		}
		t.alarmed = true
	}
	return nil
}

// again makes what would have been sent due at once.
func (w *Writer) again(ctx context.Context, items []*item) error {
	return w.opts.Write(ctx, func(tx journal.Tx) error {
		for _, t := range items {
			if t.step.Do == step.Send {
				if err := tx.Due(ctx, t.o.ID); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

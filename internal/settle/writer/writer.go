// Package writer is the loop of the one settler that holds the journal: it reads
// the orders that are due, lets policy decide about each, records what was
// decided, and gives what is to be sent to the lanes.
//
// Nothing waits for a single order or chain: what cannot be decided or sent now
// is looked at again later.
package writer

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"hubquote/internal/settle/alert"
	"hubquote/internal/settle/budget"
	"hubquote/internal/settle/dispatch"
	"hubquote/internal/settle/finish"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/rules"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// A Watcher knows the chains, as watch.Watcher does.
type Watcher interface {
	finish.Watcher
	Tags(into *world.World)
	World(ctx context.Context, into *world.World, pools ...order.Pool) error
	Reprove(ctx context.Context, orders []journal.Order) (map[order.ID]bool, error)
}

// A Dispatcher gives calls to lanes, as dispatch.Dispatcher does.
type Dispatcher interface {
	World(w *world.World)
	Free() map[swap.ChainID]int
	Has(task int64) bool
	Do(j dispatch.Job) bool
}

// Options configure a [Writer]. All but Every, Again, Now and Log are required.
type Options struct {
	Journal journal.Reader
	Write   func(ctx context.Context, fn func(journal.Tx) error) error
	Watch   Watcher
	Lanes   Dispatcher
	Roster  roster.Roster
	Rules   rules.Rules
	Limits  budget.Limits
	Alerts  *alert.Board

	// Every is the longest time between two rounds and Gap the shortest, so that
	// one round serves many orders. Again is the shortest time before an order
	// that waits for a pool or a chain is looked at again. Zero means 1 s,
	// 200 ms and 5 s.
	Every, Gap, Again time.Duration

	Now func() time.Time // the clock; nil means the system's
	Log *slog.Logger
}

// A Writer decides about orders.
type Writer struct {
	opts Options
	news chan struct{}
	kept map[order.ID][]journal.Alarm // as the round found them
	full int                          // rounds in a row that had as many orders as one may have

	heard map[order.Hash]bool // wishes that were decided about

	mu     sync.Mutex
	single map[order.ID]bool // orders whose batch was refused: each is tried alone
}

// How many orders one round looks at: more when the last one left some, since
// much of a round costs the same for few and for many.
const (
	most  = 500
	crowd = 2000
)

// room is how many orders this round looks at.
func (w *Writer) room() int {
	if w.full > 0 {
		return crowd
	}
	return most
}

// New returns a writer.
func New(o Options) *Writer {
	if o.Every == 0 {
		o.Every = time.Second
	}
	if o.Gap == 0 {
		o.Gap = 200 * time.Millisecond
	}
	if o.Again == 0 {
		o.Again = 5 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Writer{opts: o, news: make(chan struct{}, 1), single: map[order.ID]bool{}, heard: map[order.Hash]bool{}}
}

// Changed begins the next round now. The orders are read from the journal.
func (w *Writer) Changed(...order.ID) {
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// Run works until ctx ends or the journal is lost. Every other failure is
// logged, and the next round tries again.
func (w *Writer) Run(ctx context.Context) error {
	every := time.NewTicker(w.opts.Every)
	defer every.Stop()
	for ctx.Err() == nil {
		gap := time.NewTimer(w.opts.Gap)
		err := w.Round(ctx)
		switch {
		case errors.Is(err, journal.ErrLost):
			return err
		case err != nil && ctx.Err() == nil:
			w.opts.Log.Warn("a round ended early", "err", err)
		}
		select {
		case <-ctx.Done():
			gap.Stop()
			return nil
		case <-gap.C:
		}
		select {
		case <-ctx.Done():
		case <-w.news:
		case <-every.C:
		}
	}
	return nil
}

// Round ends what is done, decides about what is due, and sends what can be
// sent.
func (w *Writer) Round(ctx context.Context) error {
	if _, err := finish.Round(ctx, w.opts.Journal, w.opts.Write, w.opts.Watch); err != nil {
		return err
	}
	if err := w.alarms(ctx); err != nil {
		return err
	}
	room := w.room()
	cases, err := w.due(ctx, room)
	if len(cases) < room {
		w.full = 0
	}
	if err != nil || len(cases) == 0 {
		return err
	}
	if len(cases) >= room {
		w.full++
		w.Changed() // there may be more
	}
	around, err := w.look(ctx, cases)
	if err != nil {
		return err
	}
	w.decide(ctx, cases, around)
	if err := w.record(ctx, cases); err != nil {
		return err
	}
	if slices.ContainsFunc(cases, func(t *item) bool { return t.alarmed }) {
		w.Changed()
		return w.again(ctx, cases) // what was decided did not know of the alarm
	}
	return w.send(ctx, cases, around)
}

// Package term is one term of office of a settler: from the moment it holds the
// journal until another takes it over or it is told to stop. Everything that
// writes is made anew for each term, so that nothing of an earlier one is left.
package term

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"hubquote/internal/deployment"
	"hubquote/internal/settle/alert"
	"hubquote/internal/settle/attest"
	"hubquote/internal/settle/budget"
	"hubquote/internal/settle/burns"
	"hubquote/internal/settle/dispatch"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/policy/burn"
	"hubquote/internal/settle/policy/rules"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/send"
	"hubquote/internal/settle/sign"
	"hubquote/internal/settle/watch"
	"hubquote/internal/settle/writer"
	"hubquote/internal/settler/network"
	"hubquote/swap"
)

// Options are what a term works with. All but Pace and Usual are required.
type Options struct {
	Plans    []*deployment.Plan // of every generation, the oldest first
	Networks map[swap.ChainID]*network.Network
	Signers  []*sign.Signer // each is a lane on every chain
	FeeCaps  map[swap.ChainID]swap.Amount
	Limits   budget.Limits
	Rules    rules.Rules
	Issuer   *attest.Client
	Journal  journal.Reader
	Alerts   *alert.Board
	Log      *slog.Logger

	// Pace is how often things are looked at.
	Pace Pace

	// Usual is how long the issuer takes on a network. Nil means no time.
	Usual func(swap.ChainID) burns.Usual
}

// A Pace is how often things are looked at. Zero means the pace for public
// chains.
type Pace struct {
	Watch  time.Duration // at the head of a chain with contracts
	Source time.Duration // for burns on the other networks
	Lane   time.Duration // at transactions under way
	Round  time.Duration // at the journal without news
	Gap    time.Duration // at the journal with news, at the most often
	Again  time.Duration // at an order that waits for a pool or a chain
	Issue  burn.Rules    // between questions to the issuer
	Sweep  time.Duration // at what a receiver has freed
	Reread time.Duration // at the burns of the last hour, at a second endpoint
	Local  bool          // finality is a matter of blocks, not of minutes: local chains
}

// A Term is a settler that holds the journal.
type Term struct {
	opts   Options
	roster roster.Roster
	held   journal.Writer
	stop   context.CancelCauseFunc
	ready  chan struct{} // burns made tasks

	Watcher    *watch.Watcher
	Lanes      map[swap.ChainID][]*send.Lane
	Burns      *burns.Burns
	Writer     *writer.Writer
	dispatcher *dispatch.Dispatcher
}

// New puts a term together. It asks no chain.
func New(ctx context.Context, o Options, held journal.Writer) (*Term, error) {
	t := &Term{opts: o, roster: roster.Of(o.Plans...), held: held, ready: make(chan struct{}, 1), Lanes: map[swap.ChainID][]*send.Lane{}}
	for _, step := range []func(context.Context) error{t.newWatcher, t.newLanes, t.newWriter, t.newBurns} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// write is a write of this term. One that comes too late ends it.
func (t *Term) write(ctx context.Context, fn func(journal.Tx) error) error {
	err := t.held.Write(ctx, fn)
	if errors.Is(err, journal.ErrLost) && t.stop != nil {
		t.stop(err)
	}
	return err
}

// renewal is how often the lease is renewed: three times in its life.
const renewal = 3 * time.Second

// Run works until ctx ends, which is no error, or the journal is lost.
func (t *Term) Run(ctx context.Context) error {
	ctx, t.stop = context.WithCancelCause(ctx)
	defer t.stop(nil)
	var working sync.WaitGroup
	for _, part := range []func(context.Context) error{
		t.Watcher.Run, t.Writer.Run, t.Burns.Run, t.renew, t.carry, t.sweep,
		func(ctx context.Context) error { t.dispatcher.Run(ctx); return nil },
	} {
		working.Go(func() {
			if err := part(ctx); errors.Is(err, journal.ErrLost) {
				t.stop(err)
			}
		})
	}
	working.Wait()
	for _, lanes := range t.Lanes {
		for _, l := range lanes {
			l.Close()
		}
	}
	if cause := context.Cause(ctx); errors.Is(cause, journal.ErrLost) {
		return cause
	}
	return nil
}

// renew keeps the lease. A database that does not answer is not a lost lease:
// no write succeeds meanwhile, and the first that does shows who holds it.
func (t *Term) renew(ctx context.Context) error {
	return every(ctx, renewal, nil, func() error {
		err := t.held.Renew(ctx)
		if err != nil && ctx.Err() == nil && !errors.Is(err, journal.ErrLost) {
			t.opts.Log.Warn("cannot renew the lease", "err", err)
		}
		return err
	})
}

// every does something again and again until ctx ends or the journal is lost.
func every(ctx context.Context, pause time.Duration, now <-chan struct{}, do func() error) error {
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for ctx.Err() == nil {
		if err := do(); errors.Is(err, journal.ErrLost) {
			return err
		}
		select {
		case <-ctx.Done():
		case <-now:
		case <-ticker.C:
		}
	}
	return nil
}

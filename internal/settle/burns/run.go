package burns

import (
	"context"
	"errors"
	"sync"
	"time"

	"hubquote/internal/settle/journal"
)

// Run carries burns until ctx ends or the journal is lost.
func (b *Burns) Run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	var running sync.WaitGroup
	loop := func(every time.Duration, what string, do func(context.Context) error) {
		running.Go(func() { b.loop(ctx, stop, every, what, do) })
	}
	loop(b.opts.Tick, "asking the issuer", b.asker.Round)
	loop(b.opts.Tick, "delivering burns", b.deliver)
	for _, c := range b.opts.Chains {
		loop(or(c.Poll, defaultPoll), "looking for burns", b.sources[c.ID].Round)
		loop(b.opts.Sweep, "sweeping for burns", b.sources[c.ID].Sweep)
	}
	running.Wait()
	return context.Cause(ctx)
}

// loop does something again and again. Only a journal that is lost ends it: what
// fails otherwise is tried again.
func (b *Burns) loop(ctx context.Context, stop context.CancelCauseFunc, every time.Duration, what string, do func(context.Context) error) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		err := do(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case errors.Is(err, journal.ErrLost):
			stop(err)
			return
		case err != nil:
			b.opts.Log.Warn(what, "err", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// deliver makes tasks, and renews the signatures that are about to expire.
func (b *Burns) deliver(ctx context.Context) error {
	expiring, err := b.deliverer.Round(ctx)
	return errors.Join(err, b.asker.Renew(ctx, expiring))
}

// Round does everything but sweeping once: it reads each network, asks the
// issuer, and makes tasks.
func (b *Burns) Round(ctx context.Context) error {
	var errs []error
	for _, c := range b.opts.Chains {
		errs = append(errs, b.sources[c.ID].Round(ctx))
	}
	return errors.Join(append(errs, b.asker.Round(ctx), b.deliver(ctx))...)
}

// Sweep reads the last hour of each network again, at a second endpoint.
func (b *Burns) Sweep(ctx context.Context) error {
	var errs []error
	for _, c := range b.opts.Chains {
		errs = append(errs, b.sources[c.ID].Sweep(ctx))
	}
	return errors.Join(errs...)
}

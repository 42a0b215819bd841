package burns

import (
	"context"
	"errors"
	"sync"
	"time"

	"hubquote/internal/settle/burns/source"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/pace"
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
		loop(or(c.Poll, pace.Source), "looking for burns", b.sources[c.ID].Round)
		loop(b.opts.Sweep/60, "sweeping for burns", b.hourly(b.sources[c.ID]))
	}
	running.Wait()
	return context.Cause(ctx)
}

// hourly sweeps a source when it has read something and a sweep is due: soon after
// the start, since the last one may be long ago.
func (b *Burns) hourly(s *source.Source) func(context.Context) error {
	var last time.Time
	return func(ctx context.Context) error {
		if s.Cursor() == 0 || time.Since(last) < b.opts.Sweep {
			return nil
		}
		err := s.Sweep(ctx)
		if err == nil {
			last = time.Now()
		}
		return err
	}
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

// Sweep reads the last hours of each network again, at the next endpoint.
func (b *Burns) Sweep(ctx context.Context) error {
	var errs []error
	for _, c := range b.opts.Chains {
		errs = append(errs, b.sources[c.ID].Sweep(ctx))
	}
	return errors.Join(errs...)
}

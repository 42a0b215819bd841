package source

import (
	"context"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/burns/chain"
	"hubquote/internal/settle/journal"
)

// resume finds where to begin: after the last block that the journal says was
// read, or at the first that may matter.
func (s *Source) resume(ctx context.Context, head uint64) error {
	if s.known {
		return s.pullBack(ctx, head)
	}
	cursors, err := s.opts.Journal.Cursors(ctx)
	if err != nil {
		return err
	}
	for _, c := range cursors {
		if c.Chain == s.opts.Chain.ID && c.Pass == pass {
			s.cursor.Store(c.Number)
			s.kept, s.known = c.Number, true
			return s.pullBack(ctx, head)
		}
	}
	from := s.opts.First
	if from == 0 {
		if from, err = s.begin(ctx, head); err != nil {
			return err
		}
	}
	s.cursor.Store(from - min(from, 1))
	s.known, s.floor = true, from
	return nil
}

// record keeps the cursor, unless it moved so little that reading again is
// cheaper.
func (s *Source) record(ctx context.Context) error {
	last := s.cursor.Load()
	if last-s.kept < keepEvery && s.kept != 0 {
		return nil
	}
	err := s.opts.Write(ctx, func(tx journal.Tx) error {
		return tx.SetCursor(ctx, journal.Cursor{Chain: s.opts.Chain.ID, Pass: pass, Number: last})
	})
	if err == nil {
		s.kept = last
	}
	return err
}

// stale is how old a head may be: the endpoints are behind otherwise, and the cursor
// may be right.
const stale = 75 * time.Minute

// pullBack moves a cursor that is far above the head, which an endpoint named that
// is not there. Where it was wrong first is not known, so all that may matter is
// read again. It takes two endpoints to say so, or the only one there is.
func (s *Source) pullBack(ctx context.Context, head uint64) error {
	last := s.cursor.Load()
	if last <= head+overlap {
		return nil
	}
	at, agreed, err := s.opts.Chain.Time(ctx, head)
	if err != nil {
		return err
	}
	if !s.two || !agreed || time.Since(at) > stale {
		return node.OutOfStep
	}
	from, err := s.begin(ctx, head)
	if err != nil {
		return err
	}
	s.opts.Log.Warn("blocks were noted as read that are not there: reading all that may matter again", "chain", s.opts.Chain.ID, "cursor", last, "head", head, "from", from)
	s.cursor.Store(from - min(from, 1))
	s.kept, s.came, s.floor = 0, 0, min(s.floor, from)
	return nil
}

// begin returns the first block that may matter.
func (s *Source) begin(ctx context.Context, head uint64) (uint64, error) {
	return ago(ctx, s.opts.Chain, head, lookBack)
}

// ago returns the first block that is not older than that, as seen from the head.
// Blocks are not equally far apart, so that the time between recent ones says
// nothing about two weeks. It looks back in growing steps, so that an hour costs
// few questions, and halves the last of them. A head that would be later than now is
// now: what is recent must not seem old.
func ago(ctx context.Context, c *chain.Chain, head uint64, d time.Duration) (uint64, error) {
	last, _, err := c.Time(ctx, head)
	if err != nil {
		return 0, err
	}
	if now := time.Now(); last.After(now) {
		last = now
	}
	older := func(number uint64) (bool, error) {
		at, _, err := c.Time(ctx, number)
		return at.Before(last.Add(-d)), err
	}
	low, high := uint64(0), head
	for step := uint64(sample); high > 0; step *= 2 {
		before := high - min(high, step)
		past, err := older(before)
		if err != nil {
			return 0, err
		}
		if past {
			low = before + 1
			break
		}
		high = before
	}
	return halve(low, high, older)
}

// halve returns the first block of a range that is not older. The last is not.
func halve(low, high uint64, older func(uint64) (bool, error)) (uint64, error) {
	for low < high {
		middle := low + (high-low)/2
		past, err := older(middle)
		switch {
		case err != nil:
			return 0, err
		case past:
			low = middle + 1
		default:
			high = middle
		}
	}
	return low, nil
}

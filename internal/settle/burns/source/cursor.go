package source

import (
	"context"
	"time"

	"hubquote/internal/settle/journal"
)

// resume finds where to begin: after the last block that the journal says was
// read, or at the first that may matter.
func (s *Source) resume(ctx context.Context, head uint64) error {
	if s.known {
		return nil
	}
	cursors, err := s.opts.Journal.Cursors(ctx)
	if err != nil {
		return err
	}
	for _, c := range cursors {
		if c.Chain == s.opts.Chain.ID && c.Pass == pass {
			s.cursor.Store(c.Number)
			s.kept, s.known = c.Number, true
			return nil
		}
	}
	from := s.opts.First
	if from == 0 {
		if from, err = s.ago(ctx, head, lookBack); err != nil {
			return err
		}
	}
	s.cursor.Store(from - min(from, 1))
	s.known = true
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

// ago returns about the block that was the head so long ago. It takes the time
// between recent blocks for that of all.
func (s *Source) ago(ctx context.Context, head uint64, d time.Duration) (uint64, error) {
	before := head - min(head, sample)
	if before == head {
		return 0, nil
	}
	from, err := s.opts.Chain.Time(ctx, before)
	if err != nil {
		return 0, err
	}
	to, err := s.opts.Chain.Time(ctx, head)
	if err != nil {
		return 0, err
	}
	took := max(to.Sub(from), time.Second)
	blocks := uint64(float64(d) / float64(took) * float64(head-before))
	return head - min(head, blocks), nil
}

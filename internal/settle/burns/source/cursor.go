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

// pullBack moves a cursor that is far above the head, which an endpoint named that
// is not there. Where it was wrong first is not known, so all that may matter is
// read again.
func (s *Source) pullBack(ctx context.Context, head uint64) error {
	last := s.cursor.Load()
	if last <= head+overlap {
		return nil
	}
	from, err := s.begin(ctx, head)
	if err != nil {
		return err
	}
	at, err := s.opts.Chain.Time(ctx, head)
	if err != nil {
		return err
	}
	if time.Since(at) > swept { // the endpoint is behind, and the cursor may be right
		return node.OutOfStep
	}
	s.opts.Log.Warn("blocks were noted as read that are not there: reading all that may matter again", "chain", s.opts.Chain.ID, "cursor", last, "head", head, "from", from)
	s.cursor.Store(from - min(from, 1))
	s.kept, s.came = 0, 0
	return nil
}

// begin returns the first block that may matter, as the endpoint says that goes
// further back.
func (s *Source) begin(ctx context.Context, head uint64) (uint64, error) {
	from, err := ago(ctx, s.first.chain, head, lookBack)
	if s.second == nil {
		return from, err
	}
	other, failed := ago(ctx, s.second.chain, head, lookBack)
	switch {
	case err != nil:
		return other, failed
	case failed != nil:
		return from, nil
	}
	return min(from, other), nil
}

// ago returns about the block that was the head so long ago. It takes the time
// between recent blocks for that of all.
func ago(ctx context.Context, c *chain.Chain, head uint64, d time.Duration) (uint64, error) {
	before := head - min(head, sample)
	if before == head {
		return 0, nil
	}
	from, err := c.Time(ctx, before)
	if err != nil {
		return 0, err
	}
	to, err := c.Time(ctx, head)
	if err != nil {
		return 0, err
	}
	took := max(to.Sub(from), time.Second)
	blocks := uint64(float64(d) / float64(took) * float64(head-before))
	return head - min(head, blocks), nil
}

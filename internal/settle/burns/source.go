package burns

import (
	"context"
	"errors"
	"sync"
	"time"

	"hubquote/internal/settle/burns/chain"
	"hubquote/internal/settle/burns/scan"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
)

const (
	defaultRange = 2000
	defaultPoll  = 20 * time.Second
	lookBack     = 15 * 24 * time.Hour
	swept        = 75 * time.Minute // what a sweep covers: the hour, and the time that the last one took
	overlap      = 64               // blocks that are read again: they may have been reorganised, or come late
	keepEvery    = 256              // blocks after which a cursor is recorded although nothing was found
	sample       = 1000             // blocks over which the time between blocks is measured
)

// A source is a network that burns are read from.
type source struct {
	burns   *Burns
	poll    time.Duration
	first   uint64
	chain   *chain.Chain
	scanner *scan.Scanner
	second  *scan.Scanner // at another endpoint; nil if there is none

	mu     sync.Mutex
	known  bool   // whether the cursor was read from the journal
	cursor uint64 // the last block that was read
	kept   uint64 // the cursor in the journal
	span   uint64 // blocks of one question for logs
	most   uint64 // the most of them
}

func (b *Burns) newSource(c Chain) (*source, error) {
	if _, known := b.opts.Terms.Domains[c.ID]; !known {
		return nil, errors.New("the issuer does not burn on this network")
	}
	net, err := chain.New(c.ID, c.Nodes...)
	if err != nil {
		return nil, err
	}
	if c.Range == 0 {
		c.Range = defaultRange
	}
	s := &source{burns: b, poll: or(c.Poll, defaultPoll), first: c.First, chain: net, scanner: scan.New(net, b.opts.Terms), span: c.Range, most: c.Range}
	if other, ok := net.Second(); ok {
		s.second = scan.New(other, b.opts.Terms)
	}
	b.sources, b.byID[c.ID] = append(b.sources, s), s
	return s, nil
}

// round reads what is new.
func (s *source) round(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	head, err := s.chain.Head(ctx)
	if err != nil {
		return err
	}
	if err := s.resume(ctx, head.Number); err != nil {
		return err
	}
	for s.cursor < head.Number {
		from := s.cursor + 1 - min(s.cursor, overlap)
		to, err := s.read(ctx, s.scanner, from, head.Number)
		if err != nil {
			return err
		}
		s.cursor = to
	}
	return s.record(ctx)
}

// read looks for burns in as many blocks as one question may have, and returns
// the last of them. A question that every endpoint refuses is made smaller.
func (s *source) read(ctx context.Context, at *scan.Scanner, from, head uint64) (uint64, error) {
	for {
		to := min(from+s.span-1, head)
		txs, err := at.Range(ctx, from, to)
		if err == nil {
			s.span = min(s.span*2, s.most)
			return to, s.keep(ctx, txs, at)
		}
		if ctx.Err() != nil || s.span <= 2*overlap {
			return 0, err
		}
		s.span = max(s.span/2, 2*overlap)
	}
}

// keep records the burns of transactions that are not known yet.
func (s *source) keep(ctx context.Context, txs []order.Hash, at *scan.Scanner) error {
	for _, tx := range txs {
		found, err := at.Tx(ctx, tx)
		if err != nil {
			return err
		}
		if err := s.put(ctx, found); err != nil {
			return err
		}
	}
	return nil
}

// put adds the burns that are new. Those that are known have a life of their own.
func (s *source) put(ctx context.Context, found []journal.Burn) error {
	var fresh []journal.Burn
	for _, b := range found {
		_, known, err := s.burns.opts.Journal.Burn(ctx, b.Key)
		if err != nil {
			return err
		}
		if !known {
			fresh = append(fresh, b)
		}
	}
	if fresh == nil {
		return nil
	}
	now := time.Now()
	return s.burns.opts.Write(ctx, func(tx journal.Tx) error {
		for _, b := range fresh {
			b.Since, b.NextAsk = now, now
			if _, known, err := tx.Burn(ctx, b.Key); err != nil || known {
				return err
			}
			if err := tx.PutBurn(ctx, b); err != nil {
				return err
			}
		}
		return nil
	})
}

// resume finds where to begin: after the last block that the journal says was
// read, or at the first that may matter.
func (s *source) resume(ctx context.Context, head uint64) error {
	if s.known {
		return nil
	}
	cursors, err := s.burns.opts.Journal.Cursors(ctx)
	if err != nil {
		return err
	}
	for _, c := range cursors {
		if c.Chain == s.chain.ID && c.Pass == pass {
			s.cursor, s.kept, s.known = c.Number, c.Number, true
			return nil
		}
	}
	from := s.first
	if from == 0 {
		if from, err = s.ago(ctx, head, lookBack); err != nil {
			return err
		}
	}
	s.cursor, s.known = from-min(from, 1), true
	return nil
}

const pass = "burn"

// record keeps the cursor, unless it moved so little that reading again is
// cheaper.
func (s *source) record(ctx context.Context) error {
	if s.cursor-s.kept < keepEvery && s.kept != 0 {
		return nil
	}
	err := s.burns.opts.Write(ctx, func(tx journal.Tx) error {
		return tx.SetCursor(ctx, journal.Cursor{Chain: s.chain.ID, Pass: pass, Number: s.cursor})
	})
	if err == nil {
		s.kept = s.cursor
	}
	return err
}

// ago returns about the block that was the head so long ago. It takes the time
// between recent blocks for that of all.
func (s *source) ago(ctx context.Context, head uint64, d time.Duration) (uint64, error) {
	before := head - min(head, sample)
	if before == head {
		return 0, nil
	}
	from, err := s.chain.Time(ctx, before)
	if err != nil {
		return 0, err
	}
	to, err := s.chain.Time(ctx, head)
	if err != nil {
		return 0, err
	}
	took := max(to.Sub(from), time.Second)
	blocks := uint64(float64(d) / float64(took) * float64(head-before))
	return head - min(head, blocks), nil
}

// sweep reads the last hour again at another endpoint.
func (s *source) sweep(ctx context.Context) error {
	if s.second == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	head := s.cursor
	from, err := s.ago(ctx, head, swept)
	for err == nil && from <= head && head > 0 {
		var to uint64
		if to, err = s.read(ctx, s.second, from, head); err == nil {
			from = to + 1
		}
	}
	return err
}

// Package source reads the burns of one network into the journal: what is new at
// one endpoint, and what that one left out at a second. How far it came is in the
// journal; blocks are read again rather than left out.
package source

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"hubquote/internal/settle/burns/chain"
	"hubquote/internal/settle/burns/scan"
	"hubquote/internal/settle/burns/terms"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
)

// Options configure a [Source]. All but First and Range are required.
type Options struct {
	Chain   *chain.Chain
	Terms   *terms.Terms
	First   uint64 // the block to begin at without a cursor; zero means fifteen days ago
	Range   uint64 // the most blocks of one question for logs; zero means 2,000
	Journal journal.Reader
	Write   func(context.Context, func(journal.Tx) error) error
}

const (
	pass         = "burn" // of the cursor
	defaultRange = 2000
	lookBack     = 15 * 24 * time.Hour
	swept        = 75 * time.Minute // what a sweep covers: the hour, and the time that the last one took
	overlap      = 64               // blocks that are read again: they may have been reorganised, or come late
	least        = 8                // blocks of one question
	keepEvery    = 256              // blocks after which a cursor is recorded although nothing was found
	sample       = 1000             // blocks over which the time between blocks is measured
)

// A Source is a network that burns are read from.
type Source struct {
	opts   Options
	first  reader
	second *reader // at another endpoint; nil if there is none

	cursor atomic.Uint64 // the last block that was read
	known  bool          // whether the cursor was read from the journal
	kept   uint64        // the cursor in the journal
}

// A reader reads ranges of blocks. It is used by one goroutine at a time.
type reader struct {
	mu      sync.Mutex
	scanner *scan.Scanner
	span    uint64 // blocks of one question for logs
	most    uint64
}

// New returns a source that has read nothing yet.
func New(opts Options) (*Source, error) {
	if _, known := opts.Terms.Domains[opts.Chain.ID]; !known {
		return nil, errors.New("the issuer does not burn on this network")
	}
	if opts.Range == 0 {
		opts.Range = defaultRange
	}
	s := &Source{opts: opts, first: reader{scanner: scan.New(opts.Chain, opts.Terms), span: opts.Range, most: opts.Range}}
	if other, ok := opts.Chain.Second(); ok {
		s.second = &reader{scanner: scan.New(other, opts.Terms), span: opts.Range, most: opts.Range}
	}
	return s, nil
}

// Cursor returns the last block that was read.
func (s *Source) Cursor() uint64 { return s.cursor.Load() }

// Round reads what is new.
func (s *Source) Round(ctx context.Context) error {
	s.first.mu.Lock()
	defer s.first.mu.Unlock()
	head, err := s.opts.Chain.Head(ctx)
	if err != nil {
		return err
	}
	if err := s.resume(ctx, head.Number); err != nil {
		return err
	}
	last := s.cursor.Load()
	if last >= head.Number {
		return nil
	}
	for from := last + 1 - min(last, overlap); from <= head.Number; from = last + 1 {
		if last, err = s.read(ctx, &s.first, from, head.Number); err != nil {
			return err
		}
		s.cursor.Store(max(last, s.cursor.Load()))
	}
	return s.record(ctx)
}

// Sweep reads the last hour again at another endpoint, if there is one.
func (s *Source) Sweep(ctx context.Context) error {
	last := s.cursor.Load()
	if s.second == nil || last == 0 {
		return nil
	}
	s.second.mu.Lock()
	defer s.second.mu.Unlock()
	from, err := s.ago(ctx, last, swept)
	for err == nil && from <= last {
		from, err = s.read(ctx, s.second, from, last)
		from++
	}
	return err
}

// read looks for burns in as many blocks as one question may have, and returns
// the last of them. A question that every endpoint refuses is made smaller.
func (s *Source) read(ctx context.Context, r *reader, from, head uint64) (uint64, error) {
	for {
		to := min(from+r.span-1, head)
		txs, err := r.scanner.Range(ctx, from, to)
		if err == nil {
			r.span = min(r.span*2, r.most)
			return to, s.keep(ctx, txs, r.scanner)
		}
		if ctx.Err() != nil || r.span <= least {
			return 0, err
		}
		r.span = max(r.span/2, least)
	}
}

// Hint reads a transaction now, instead of with its block.
func (s *Source) Hint(ctx context.Context, tx order.Hash) error {
	return s.keep(ctx, []order.Hash{tx}, s.first.scanner)
}

// keep records the burns of transactions that are not known yet.
func (s *Source) keep(ctx context.Context, txs []order.Hash, at *scan.Scanner) error {
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
func (s *Source) put(ctx context.Context, found []journal.Burn) error {
	var fresh []journal.Burn
	for _, b := range found {
		_, known, err := s.opts.Journal.Burn(ctx, b.Key)
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
	return s.opts.Write(ctx, func(tx journal.Tx) error {
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

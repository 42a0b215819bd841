// Package source reads the burns of one network into the journal: what is new at
// one endpoint, and what that one left out at a second. How far it came is in the
// journal, as far as two endpoints have the blocks; blocks are read again rather
// than left out.
package source

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"hubquote/internal/settle/burns/chain"
	"hubquote/internal/settle/burns/scan"
	"hubquote/internal/settle/burns/terms"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/pace"
	"hubquote/internal/upstream"
)

// Options configure a [Source]. All but First and Range are required.
type Options struct {
	Chain   *chain.Chain
	Terms   *terms.Terms
	First   uint64 // the block to begin at without a cursor; zero means fifteen days ago
	Range   uint64 // the most blocks of one question for logs; zero means 2,000
	Journal journal.Reader
	Write   func(context.Context, func(journal.Tx) error) error
	Log     *slog.Logger
}

const (
	pass         = "burn" // of the cursor
	defaultRange = 2000
	lookBack     = 15 * 24 * time.Hour
	swept        = 75 * time.Minute // what a sweep covers: the hour, and the time that the last one took
	overlap      = 512              // blocks that are read again: they may have been reorganised, or come late
	slack        = overlap / 2      // blocks that the cursor may be ahead of what two endpoints have
	ahead        = 1024             // blocks that a head may be ahead of that before all endpoints are asked
	round        = 1000             // questions for logs in one round: the head may be one that is not there
	keepEvery    = 256              // blocks after which a cursor is recorded although nothing was found
	doubts       = 100              // burns of one endpoint that are looked at again in a sweep
	sample       = 1000             // blocks of the first step back in time
)

// A Source is a network that burns are read from.
type Source struct {
	opts   Options
	first  *reader
	second *reader // at another endpoint; nil if there is none

	cursor atomic.Uint64 // the last block that was read, as far as two endpoints have it
	came   uint64        // the last block that was read
	known  bool          // whether the cursor was read from the journal
	kept   uint64        // the cursor in the journal
	floor  uint64        // the block that was begun with; zero when the journal had a cursor

	confirmed uint64    // the highest block that two endpoints have
	asked     time.Time // when they were asked for it
}

// A reader reads ranges of blocks. It is used by one goroutine at a time.
type reader struct {
	mu      sync.Mutex
	chain   *chain.Chain
	scanner *scan.Scanner
	span    uint64 // blocks of one question for logs
	most    uint64
	done    map[scan.Hint]uint64 // transactions that were read, and up to which block
	large   map[uint64]bool      // blocks that are too large to be read
}

// New returns a source that has read nothing yet.
func New(opts Options) (*Source, error) {
	if _, known := opts.Terms.Domains[opts.Chain.ID]; !known {
		return nil, errors.New("the issuer does not burn on this network")
	}
	if opts.Range == 0 {
		opts.Range = defaultRange
	}
	s := &Source{opts: opts, first: newReader(opts.Chain, &opts)}
	if other, ok := opts.Chain.Second(); ok {
		s.second = newReader(other, &opts)
	}
	return s, nil
}

func newReader(c *chain.Chain, o *Options) *reader {
	return &reader{chain: c, scanner: scan.New(c, o.Terms), span: o.Range, most: o.Range, done: map[scan.Hint]uint64{}, large: map[uint64]bool{}}
}

// Cursor returns the last block that was read.
func (s *Source) Cursor() uint64 { return s.cursor.Load() }

// Round reads what is new. It reads up to the head that one endpoint names, and
// notes only what two have as read.
func (s *Source) Round(ctx context.Context) error {
	s.first.mu.Lock()
	defer s.first.mu.Unlock()
	head, err := s.head(ctx)
	if err != nil {
		return err
	}
	if err := s.resume(ctx, head); err != nil {
		return err
	}
	if head == s.came {
		return nil
	}
	last := min(s.cursor.Load(), head)
	from := max(last+1-min(last, overlap), s.floor)
	for questions := 0; from <= head && questions < round; questions++ {
		if last, err = s.read(ctx, s.first, from, head); err != nil {
			s.asked = time.Time{} // perhaps the head is not there
			return err
		}
		s.cursor.Store(max(min(last, s.confirmed+slack), s.cursor.Load()))
		from, s.came = last+1, last
	}
	s.first.forget(s.cursor.Load() - min(s.cursor.Load(), overlap))
	return s.record(ctx)
}

// head returns the latest block. An endpoint that is far ahead of all others, or
// far behind, is not believed.
func (s *Source) head(ctx context.Context) (uint64, error) {
	head, err := s.opts.Chain.Head(ctx)
	if err != nil {
		return 0, err
	}
	if head.Number <= s.confirmed+ahead && time.Since(s.asked) < pace.Confirmed {
		return head.Number, nil
	}
	confirmed, read, err := s.opts.Chain.Confirmed(ctx)
	if err != nil { // one endpoint is left: what it has is read, and not noted as read
		s.asked = time.Now()
		return head.Number, nil
	}
	s.confirmed, s.asked = confirmed, time.Now()
	return read, nil
}

// Sweep reads the last hour again at another endpoint, if there is one, and what
// endpoints did not agree on before.
func (s *Source) Sweep(ctx context.Context) error {
	last := s.cursor.Load()
	if s.second == nil || last == 0 {
		return nil
	}
	s.second.mu.Lock()
	defer s.second.mu.Unlock()
	if err := s.confirm(ctx); err != nil {
		return err
	}
	from, err := ago(ctx, s.second.chain, last, swept)
	s.second.forget(from)
	for err == nil && from <= last {
		from, err = s.read(ctx, s.second, from, last)
		from++
	}
	return err
}

// read looks for burns in as many blocks as one question may have, and returns
// the last of them. A question that every endpoint refuses is made smaller.
func (s *Source) read(ctx context.Context, r *reader, from, head uint64) (uint64, error) {
	for !r.large[from] {
		to := r.reach(from, head)
		hints, err := r.scanner.Range(ctx, from, to)
		if err == nil {
			r.span = min(r.span*2, r.most)
			return to, s.keep(ctx, hints, to, r)
		}
		if ctx.Err() != nil {
			return 0, err
		}
		if r.span == 1 {
			r.large[from] = upstream.FaultOf(err) == upstream.TooLarge
			return from, s.leftOut(err, "block", from)
		}
		r.span = max(r.span/2, 1)
	}
	return from, nil
}

// reach returns the last block of a question, which is before one that is too large
// to be read.
func (r *reader) reach(from, head uint64) uint64 {
	to := min(from+r.span-1, head)
	for block := range r.large {
		if from < block && block <= to {
			to = block - 1
		}
	}
	return to
}

// leftOut decides about what no endpoint gives. What is too large to be read is
// left out: a stranger can make it so for little money, and it must not keep all
// that follows from being read. Its owner can name the burn, or relay it.
func (s *Source) leftOut(err error, what string, which any) error {
	if upstream.FaultOf(err) != upstream.TooLarge {
		return err
	}
	s.opts.Log.Error("too large to be read, and left out: burns in it are carried only if their owner asks", "chain", s.opts.Chain.ID, what, which)
	return nil
}

// Hint reads a transaction now, instead of with its block.
func (s *Source) Hint(ctx context.Context, tx order.Hash) error {
	found, _, err := s.first.scanner.Tx(ctx, tx)
	if err != nil {
		return err
	}
	return s.put(ctx, found)
}

// keep records the burns of transactions that are not known yet. One that was read
// in the same block is not read again.
func (s *Source) keep(ctx context.Context, hints []scan.Hint, block uint64, r *reader) error {
	for _, h := range hints {
		if _, done := r.done[h]; done {
			continue
		}
		found, complete, err := r.scanner.Tx(ctx, h.Tx)
		if err != nil {
			err = s.leftOut(err, "tx", h.Tx)
			complete = err == nil
		}
		if err == nil {
			err = s.put(ctx, found)
		}
		if err != nil {
			return err
		}
		if complete {
			r.done[h] = block
		}
	}
	return nil
}

// forget drops the transactions that are not read again.
func (r *reader) forget(before uint64) {
	maps.DeleteFunc(r.done, func(_ scan.Hint, block uint64) bool { return block < before })
	maps.DeleteFunc(r.large, func(block uint64, _ bool) bool { return block < before })
}

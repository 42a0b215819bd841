// Package source reads the burns of one network into the journal: what is new at
// one endpoint, and what that one left out at each of the others in turn. How far it
// came is in the journal, as far as two endpoints have the blocks; blocks are read
// again rather than left out.
package source

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"hubquote/internal/settle/burns/chain"
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
	overlap      = 512         // blocks that are read again: they may have been reorganised, or come late
	slack        = overlap / 2 // blocks that the cursor may be ahead of what two endpoints have
	ahead        = 1024        // blocks that a head may be ahead of that before all endpoints are asked
	round        = 1000        // questions for logs in one round: the head may be one that is not there
	keepEvery    = 256         // blocks after which a cursor is recorded although nothing was found
	sample       = 1000        // blocks of the first step back in time
)

// A Source is a network that burns are read from.
type Source struct {
	opts   Options
	first  *reader
	second []*reader // one for each endpoint, for what no sweep reads; none if there is only one
	sweeps

	cursor atomic.Uint64 // the last block that was read, as far as two endpoints have it
	came   uint64        // the last block that was read
	known  bool          // whether the cursor was read from the journal
	kept   uint64        // the cursor in the journal
	floor  uint64        // the block that was begun with; zero when the journal had a cursor

	alone     ration    // burns that one endpoint alone gave
	confirmed uint64    // the highest block that two endpoints have
	two       bool      // whether two endpoints answered when they were asked for it
	asked     time.Time // when they were
}

// New returns a source that has read nothing yet.
func New(opts Options) (*Source, error) {
	if _, known := opts.Terms.Domains[opts.Chain.ID]; !known {
		return nil, errors.New("the issuer does not burn on this network")
	}
	if opts.Range == 0 {
		opts.Range = defaultRange
	}
	s := &Source{opts: opts, first: newReader(opts.Chain, &opts), sweeps: sweeps{doubted: map[bool]order.Hash{}}}
	if n := opts.Chain.Endpoints(); n > 1 {
		for i := range n {
			s.at = append(s.at, newReader(opts.Chain.From(i), &opts))
			s.second = append(s.second, newReader(opts.Chain.From(i), &opts))
		}
	}
	return s, nil
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
	last := s.cursor.Load()
	if !s.two { // the cursor stands still until there is a second endpoint again
		last = max(last, s.came)
	}
	last = min(last, head)
	from := max(last+1-min(last, overlap), s.floor)
	s.first.begin()
	old, err := s.unswept(ctx, from, head)
	if err != nil {
		return err
	}
	for questions := 0; from <= head && questions < round; questions++ {
		if last, err = s.read(ctx, s.first, from, head); err != nil {
			s.asked = time.Time{} // perhaps the head is not there
			return err
		}
		if from < old {
			s.readTwice(ctx, from, last)
		}
		s.cursor.Store(max(min(last, s.confirmed+slack), s.cursor.Load()))
		from, s.came = last+1, last
	}
	s.first.forget(s.cursor.Load() - min(s.cursor.Load(), overlap))
	return s.record(ctx)
}

// head returns the latest block. An endpoint that is far ahead of all others, or
// far behind, does not count.
func (s *Source) head(ctx context.Context) (uint64, error) {
	head, err := s.opts.Chain.Head(ctx)
	if err != nil {
		return 0, err
	}
	near := head.Number <= s.confirmed+ahead && s.cursor.Load() <= head.Number+overlap
	if near && time.Since(s.asked) < pace.Confirmed {
		return head.Number, nil
	}
	confirmed, read, err := s.opts.Chain.Confirmed(ctx)
	s.asked = time.Now()
	if err != nil { // one endpoint is left: what it has is read, and not noted as read
		s.two = false
		return head.Number, nil
	}
	if !s.two { // what one endpoint alone had is read again
		s.came = 0
	}
	s.confirmed, s.two = confirmed, true
	return read, nil
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

// leftOut decides about what no endpoint gives. What is too large to be read is
// left out: any account can make it so for little money, and it must not keep all
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

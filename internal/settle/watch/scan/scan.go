// Package scan reads ranges of blocks at one endpoint, and records what it tells
// with the cursor of the pass.
package scan

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/event"
	"hubquote/internal/settle/watch/peer"
	"hubquote/internal/settle/watch/record"
	"hubquote/internal/upstream"
)

// A Spot is where a log is.
type Spot struct {
	Tx   order.Hash
	Log  uint64
	Hash order.Hash // of the block
}

// A Scanner reads the logs of one chain.
type Scanner struct {
	Filter peer.Filter
	Reader event.Reader
	Range  uint64 // blocks to ask for at once
	Write  func(ctx context.Context, fn func(*record.Book) error) error
	Log    *slog.Logger

	size uint64 // blocks to ask for next; zero: Range
	left int    // questions that this scan may still ask
	cut  bool   // the last scan took all that it may before its end
}

// A Pass is a range of blocks to read at one endpoint.
type Pass struct {
	From, To uint64

	// Save says, for the last block of each part and whether anything was found
	// in it, which cursor to write; nil writes none.
	Save func(last uint64, found bool) *journal.Cursor

	// There returns a block up to which other endpoints have the chain too. It is
	// asked when there is an event at a number: what is above is left for later.
	// Nil: all of the range is there.
	There func(ctx context.Context, number uint64) (uint64, error)

	Check Check
}

// A Check is called with the events of each part before they are written. Those of
// a part that it fails for are not.
type Check func(ctx context.Context, events []event.Event) error

// What one scan may take. An endpoint that answers little at a time, or late, must
// not keep the rest of a round waiting: the next one goes on.
const (
	questions = 128
	soon      = 4 * time.Second  // after this no further part is begun
	late      = 30 * time.Second // after this a part is given up
)

// Scan reads a range, or as much of it as one scan may, and records what the
// endpoint tells. It returns where the logs are, and the last block that was read.
func (s *Scanner) Scan(ctx context.Context, p *peer.Peer, pass Pass) (seen map[Spot]bool, last uint64, err error) {
	seen, last = map[Spot]bool{}, pass.From-min(1, pass.From)
	s.left, s.cut = questions, false
	timed, cancel := context.WithTimeout(ctx, late)
	defer cancel()
	for began, from := time.Now(), pass.From; from <= pass.To; from = last + 1 {
		if s.cut = s.left <= 0 || time.Since(began) > soon; s.cut {
			break
		}
		end, events, err := s.part(timed, p, from, pass.To)
		if err != nil {
			return nil, last, err
		}
		there, events, err := pass.there(ctx, end, events)
		if err != nil || there < from {
			return seen, last, err
		}
		if err := pass.Check(ctx, events); err != nil {
			return nil, last, err
		}
		if err := s.record(ctx, events, pass.Save(there, len(events) > 0)); err != nil {
			return nil, last, err
		}
		for _, e := range events {
			seen[Spot{e.Tx, e.Log, e.Hash}] = true
		}
		if last = there; there < end {
			break
		}
	}
	return seen, last, nil
}

// Cut reports whether the last scan took all that one may before its end.
func (s *Scanner) Cut() bool { return s.cut }

// there leaves out the events that are above what is there, and returns the last
// block of what remains.
func (pass Pass) there(ctx context.Context, last uint64, events []event.Event) (uint64, []event.Event, error) {
	if pass.There == nil || len(events) == 0 {
		return last, events, nil
	}
	there, err := pass.There(ctx, events[len(events)-1].Block)
	if err != nil || there >= last || there >= events[len(events)-1].Block {
		return last, events, err
	}
	return there, slices.DeleteFunc(events, func(e event.Event) bool { return e.Block > there }), nil
}

// part reads as many blocks as the endpoint answers for: half as many each time
// it refuses, and twice as many when it does not.
func (s *Scanner) part(ctx context.Context, p *peer.Peer, from, to uint64) (last uint64, events []event.Event, err error) {
	for size := cmp.Or(s.size, s.Range); ; size = (last - from + 1) / 2 {
		last = min(from+size-1, to)
		s.left--
		logs, err := p.Logs(ctx, s.Filter, from, last)
		if err == nil {
			s.size = min(2*size, s.Range)
			events, err = s.read(ctx, p, logs)
			return last, events, err
		}
		if from == last || !halves(err) {
			return 0, nil, err
		}
	}
}

// halves reports whether an endpoint may answer a shorter range.
func halves(err error) bool {
	return errors.Is(err, node.Refused) || errors.Is(err, upstream.TooLarge) || errors.Is(err, upstream.Timeout)
}

// read reads logs. One that cannot be read is reported and left out: it must
// not hold up the others.
func (s *Scanner) read(ctx context.Context, p *peer.Peer, logs []types.Log) (list []event.Event, err error) {
	times := map[uint64]time.Time{}
	for i := range logs {
		events, err := s.Reader.Read(&logs[i])
		if err != nil {
			s.Log.Warn("a log cannot be read", "chain", s.Reader.Chain, "err", err)
			continue
		}
		for _, e := range events {
			if at, known := times[e.Block]; known {
				e.Time = at
			} else if e.Time.IsZero() {
				b, err := p.At(ctx, e.Block)
				if err != nil {
					return nil, err
				}
				e.Time = b.Time
			}
			times[e.Block] = e.Time
			list = append(list, e)
		}
	}
	return list, nil
}

// atOnce is how many events one transaction writes, so that payments of other orders
// need not wait for long while much is read.
const atOnce = 500

// record writes events, and the cursor with the last of them: what was written
// before it is read again when this is cut short, and changes nothing.
func (s *Scanner) record(ctx context.Context, events []event.Event, c *journal.Cursor) error {
	for len(events) > atOnce {
		if err := s.write(ctx, events[:atOnce], nil); err != nil {
			return err
		}
		events = events[atOnce:]
	}
	if len(events) == 0 && c == nil {
		return nil
	}
	return s.write(ctx, events, c)
}

func (s *Scanner) write(ctx context.Context, events []event.Event, c *journal.Cursor) error {
	return s.Write(ctx, func(b *record.Book) error {
		if err := b.Expect(ctx, events); err != nil {
			return err
		}
		for _, e := range events {
			if err := b.Put(ctx, e, order.Told); err != nil {
				return err
			}
		}
		if c == nil {
			return nil
		}
		return b.Tx.SetCursor(ctx, *c)
	})
}

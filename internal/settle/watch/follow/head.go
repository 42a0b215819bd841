package follow

import (
	"context"
	"errors"
	"fmt"
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

// The passes, as the journal names their cursors.
const (
	headPass  = "head"
	finalPass = "final"
)

const (
	// overlap is how many blocks are read again with every look, so that a
	// short reorganisation is seen without asking for it.
	overlap = 32

	// slack is how many blocks an endpoint may be behind what was read before
	// another is tried.
	slack = 16

	// bored is after how many looks at an unmoved head another endpoint tells.
	bored = 12

	// saveEvery is how far the head cursor moves before it is written when
	// nothing else is.
	saveEvery = 512
)

// look reads the logs up to the head at one endpoint. It returns the blocks of
// facts that were in that range before and are not there any more.
func (f *Follower) look(ctx context.Context) (suspects map[order.Hash]bool, err error) {
	p, head, err := f.tell(ctx)
	if err != nil {
		return nil, err
	}
	passed := min(f.State().Passed, head.Number)
	from := max(f.opts.First, passed+1-min(overlap, passed+1))
	open, err := f.opts.Journal.FactsOpen(ctx, f.opts.Chain)
	if err != nil {
		return nil, err
	}
	seen, err := f.scan(ctx, p, from, head.Number, func(to uint64) journal.Cursor {
		return journal.Cursor{Chain: f.opts.Chain, Pass: headPass, Number: to}
	})
	if err != nil {
		f.teller++
		return nil, fmt.Errorf("head: %w", err)
	}
	f.set(func(s *State) { s.Passed = head.Number })
	suspects = map[order.Hash]bool{}
	for _, o := range open {
		if from <= o.Block && !seen[spot{o.Tx, o.Log, o.Hash}] {
			suspects[o.Hash] = true
		}
	}
	return suspects, nil
}

// tell returns the endpoint that tells the head: the one of last time, unless
// it fails, is behind, or has not moved for long.
func (f *Follower) tell(ctx context.Context) (*peer.Peer, peer.Block, error) {
	var best *peer.Peer
	var head peer.Block
	var errs []error
	for range f.opts.Peers {
		p := f.opts.Peers[f.teller%len(f.opts.Peers)]
		b, err := p.Block(ctx, peer.Latest)
		if err != nil {
			errs = append(errs, err)
		} else if best == nil || b.Number > head.Number {
			best, head = p, b
		}
		if err == nil && b.Number+slack >= f.State().Passed {
			break
		}
		f.teller++
	}
	if best == nil {
		return nil, head, fmt.Errorf("head: %w", errors.Join(errs...))
	}
	if f.quiet++; head.Number != f.State().Passed {
		f.quiet = 0
	} else if f.quiet >= bored {
		f.quiet, f.teller = 0, f.teller+1
	}
	return best, head, nil
}

// A spot is where a log is.
type spot struct {
	tx   order.Hash
	log  uint64
	hash order.Hash
}

// scan reads a range at one endpoint and records what it tells.
func (f *Follower) scan(ctx context.Context, p *peer.Peer, from, to uint64, cursor func(uint64) journal.Cursor) (map[spot]bool, error) {
	seen := map[spot]bool{}
	for from <= to {
		last := min(from+f.size-1, to)
		logs, err := p.Logs(ctx, f.filter, from, last)
		if err != nil && from < last && halves(err) {
			f.size = max(1, (last-from+1)/2)
			continue
		}
		if err != nil {
			return nil, err
		}
		events, err := f.read(ctx, p, logs)
		if err != nil {
			return nil, err
		}
		if err := f.save(ctx, events, cursor(last), last == to); err != nil {
			return nil, err
		}
		for _, e := range events {
			seen[spot{e.Tx, e.Log, e.Hash}] = true
		}
		from, f.size = last+1, min(2*f.size, f.opts.Range)
	}
	return seen, nil
}

// halves reports whether an endpoint may answer a shorter range.
func halves(err error) bool {
	return errors.Is(err, node.Refused) || errors.Is(err, upstream.TooLarge) || errors.Is(err, upstream.Timeout)
}

// read reads logs. One that cannot be read is reported and left out: it must
// not hold up the others.
func (f *Follower) read(ctx context.Context, p *peer.Peer, logs []types.Log) (list []event.Event, err error) {
	times := map[uint64]time.Time{}
	for i := range logs {
		events, err := f.reader.Read(&logs[i])
		if err != nil {
			f.opts.Log.Warn("a log cannot be read", "chain", f.opts.Chain, "err", err)
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

// save records events as told, and how far the pass has come. A pass that found
// nothing is written now and then only.
func (f *Follower) save(ctx context.Context, events []event.Event, c journal.Cursor, last bool) error {
	head := c.Pass == headPass
	if len(events) == 0 && head && c.Number < f.saved+saveEvery {
		return nil
	}
	if !head && len(events) == 0 && !last {
		return nil
	}
	err := f.write(ctx, func(b *record.Book) error {
		for _, e := range events {
			if err := b.Put(ctx, e, order.Told); err != nil {
				return err
			}
		}
		return b.Tx.SetCursor(ctx, c)
	})
	if err == nil && head {
		f.saved = c.Number
	}
	return err
}

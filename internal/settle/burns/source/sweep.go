package source

import (
	"context"
	"errors"
	"sync"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/pace"
)

const (
	late   = 15 * time.Minute // what the last sweep may have taken
	doubts = 100              // burns of one endpoint that are looked at again in a sweep, signed ones and others
)

// sweeps are what was done about what an endpoint left out.
type sweeps struct {
	sweeping sync.Mutex
	at       []*reader // one for each endpoint, which it asks first; none if there is only one
	turn     int       // sweeps so far

	doubted map[bool]order.Hash // the last burn that was looked at again: of those that are signed, and of the others
}

// Sweep reads again what endpoints did not agree on, and the last hours at the next
// endpoint, if there is more than one: as many hours as there are endpoints, so that
// each is asked about every block, whichever is in use.
func (s *Source) Sweep(ctx context.Context) error {
	s.sweeping.Lock()
	defer s.sweeping.Unlock()
	last := s.cursor.Load()
	if last == 0 {
		return nil
	}
	err := errors.Join(s.confirm(ctx), s.doubt(ctx))
	if len(s.at) == 0 || ctx.Err() != nil {
		return err
	}
	s.turn++
	return errors.Join(err, s.sweep(ctx, s.at[s.turn%len(s.at)], last))
}

// sweep reads the last hours, and no more than a round has: the times of blocks may
// be one endpoint's word.
func (s *Source) sweep(ctx context.Context, r *reader, last uint64) error {
	from, err := ago(ctx, r.chain, last, time.Duration(len(s.at))*pace.Resweep+late)
	from = max(from, last-min(last, round*r.most-1))
	if r.swept > 0 { // the last sweep may be long ago, or have come to no end
		from = min(from, r.swept+1)
	}
	r.forget(from)
	r.begin()
	for questions := 0; err == nil && from <= last && questions < round; questions++ {
		if from, err = s.read(ctx, r, from, last); err == nil {
			r.swept = max(r.swept, from)
		}
		from++
	}
	return err
}

// confirm reads transactions again of which one endpoint alone gave a burn: first
// those that the issuer signed, which no endpoint can invent.
func (s *Source) confirm(ctx context.Context) error {
	read := map[order.Hash]bool{}
	return errors.Join(s.confirmSome(ctx, true, read), s.confirmSome(ctx, false, read))
}

// confirmSome goes on after the last burn that it came to, and begins again at the end.
func (s *Source) confirmSome(ctx context.Context, signed bool, read map[order.Hash]bool) error {
	some := journal.Doubted{Domain: s.opts.Terms.Domains[s.opts.Chain.ID], Signed: signed, Since: time.Now().Add(-lookBack), After: s.doubted[signed]}
	list, err := s.opts.Journal.BurnsDoubted(ctx, some, doubts)
	if err != nil {
		return err
	}
	for _, b := range list {
		if some.After = b.Key; read[b.Tx] {
			continue
		}
		read[b.Tx] = true
		found, _, err := s.first.scanner.Tx(ctx, b.Tx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil { // it holds up no other
			s.opts.Log.Warn("reading a transaction again", "chain", s.opts.Chain.ID, "tx", b.Tx, "err", err)
			continue
		}
		if err := s.put(ctx, found); err != nil {
			return err
		}
	}
	if len(list) < doubts {
		some.After = order.Hash{}
	}
	s.doubted[signed] = some.After
	return nil
}

package source

import (
	"context"
	"errors"
	"sync"
	"time"

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

// many is how many new blocks suggest that none was read for long.
const many = 900

// unswept returns the first block that each endpoint is asked about by a sweep. What
// is older, as after the settler was down, one endpoint alone could leave out for good.
func (s *Source) unswept(ctx context.Context, from, head uint64) (uint64, error) {
	if len(s.second) == 0 || !s.two || head < from+overlap+many {
		return 0, nil
	}
	return ago(ctx, s.opts.Chain, head, pace.Resweep)
}

// readTwice reads blocks at the endpoint after the one in use. If that one fails, as
// when old logs are pruned, only the answers of the first are used.
func (s *Source) readTwice(ctx context.Context, from, to uint64) {
	r := s.second[(s.opts.Chain.Health().Endpoint+1)%len(s.second)]
	r.looks, r.round, r.again, r.strange = s.first.looks, s.first.round, s.first.again, s.first.strange
	for from <= to {
		last, err := s.read(ctx, r, from, to)
		if err != nil {
			s.opts.Log.Warn("old blocks are read at one endpoint only", "chain", s.opts.Chain.ID, "from", from, "to", to, "err", err)
			return
		}
		from = last + 1
	}
}

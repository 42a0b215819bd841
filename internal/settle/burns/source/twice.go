package source

import (
	"context"

	"hubquote/internal/settle/pace"
)

// many is how many blocks are new when it may be long that none was read.
const many = 900

// unswept returns the first block that each endpoint is asked about by a sweep. What
// is older, as after the settler was down, one endpoint alone could leave out for good.
func (s *Source) unswept(ctx context.Context, from, head uint64) (uint64, error) {
	if len(s.second) == 0 || !s.two || head < from+overlap+many {
		return 0, nil
	}
	return ago(ctx, s.opts.Chain, head, pace.Resweep)
}

// readTwice reads blocks at the endpoint after the one in use. If that cannot, as when
// old logs are pruned, what the first one said has to do.
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

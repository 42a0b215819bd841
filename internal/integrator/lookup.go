package integrator

import (
	"context"
	"errors"
	"sync"
)

// quorum is how many endpoints must agree once quorumFrom are configured. It
// does not depend on how many of them work: whoever can take some endpoints
// down must not thereby make the word of the others count for more.
const (
	quorum     = 2
	quorumFrom = 3
)

var errNoQuorum = errors.New("no two endpoints gave the same answer at the same block")

func (config *Chain) needsQuorum() bool { return len(config.Endpoints) >= quorumFrom }

// failOver lands f with the answer of the first endpoint that has one.
func (c *chain) failOver(ctx context.Context, f *flight) {
	var errs []error
	for _, e := range c.endpoints {
		v, err := e.visit()
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if v.findHead(ctx); v.err == nil {
			v.castVote(ctx, v.head.number, f.id)
		}
		if v.err == nil {
			v.end("")
			c.land(f, v.vote.entry, nil)
			return
		}
		errs = append(errs, v.dismiss())
	}
	c.land(f, entry{}, errors.Join(errs...))
}

// agree lands f as soon as two endpoints agree. It still hears out the others,
// to learn which of them are slow and which say something else.
func (c *chain) agree(ctx context.Context, f *flight) {
	voters, n, errs := c.assemble(ctx)
	var cast []*visit
	var won *vote
	for v := range each(voters, func(v *visit) { v.castVote(ctx, n, f.id) }) {
		if v.err != nil {
			errs = append(errs, v.dismiss())
			continue
		}
		if won == nil && seconded(v, cast) {
			won = &v.vote
			c.land(f, won.entry, nil)
		}
		cast = append(cast, v)
	}
	judge(cast, won)
	if won == nil {
		c.land(f, entry{}, errors.Join(append(errs, errNoQuorum)...))
	}
}

// assemble finds the endpoints that are in step and the block they have in
// common. All others are dismissed, each for its own reason.
func (c *chain) assemble(ctx context.Context) (voters []*visit, n uint64, errs []error) {
	visits, errs := c.visitAll()
	var present []*visit
	var heads []uint64
	for v := range each(visits, func(v *visit) { v.findHead(ctx) }) {
		if v.err != nil {
			errs = append(errs, v.dismiss())
			continue
		}
		present = append(present, v)
		heads = append(heads, v.head.number)
	}
	if len(present) < quorum {
		judge(present, nil)
		return nil, 0, errs
	}
	n = pin(heads)
	for _, v := range present {
		if inStep(v.head.number, n) {
			voters = append(voters, v)
			continue
		}
		v.err = v.named(OutOfStep)
		errs = append(errs, v.dismiss())
	}
	return voters, n, errs
}

func (c *chain) visitAll() (visits []*visit, errs []error) {
	for _, e := range c.endpoints {
		v, err := e.visit()
		if err != nil {
			errs = append(errs, err)
			continue
		}
		visits = append(visits, v)
	}
	return visits, errs
}

// each does something in all visits at once, and yields each when it is done.
func each(visits []*visit, do func(*visit)) <-chan *visit {
	done := make(chan *visit, len(visits))
	var all sync.WaitGroup
	for _, v := range visits {
		all.Go(func() { do(v); done <- v })
	}
	go func() { all.Wait(); close(done) }()
	return done
}

// seconded reports whether an earlier vote is the same as v's.
func seconded(v *visit, cast []*visit) bool {
	for _, other := range cast {
		if other.vote == v.vote {
			return true
		}
	}
	return false
}

// judge ends the visits of all who voted. One that voted alone because nobody
// else came is not at fault.
func judge(cast []*visit, won *vote) {
	for _, v := range cast {
		if len(cast) > 1 && (won == nil || v.vote != *won) {
			v.end(Disagrees)
		} else {
			v.end("")
		}
	}
}

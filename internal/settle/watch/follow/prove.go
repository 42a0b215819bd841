package follow

import (
	"context"
	"errors"
	"slices"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/census"
	"hubquote/internal/settle/watch/head"
	"hubquote/internal/settle/watch/judge"
	"hubquote/internal/settle/watch/record"
	"hubquote/internal/settle/watch/scan"
)

// atOnce is how many blocks are judged before their verdicts are written, and how
// many that only one endpoint has told are judged in a round: it can tell any number.
const atOnce = 256

// prove has every block judged whose facts can have a better proof now, or that
// is suspect.
func (f *Follower) prove(ctx context.Context, open []journal.Fact, suspects map[order.Hash]bool) error {
	due := slices.DeleteFunc(judge.Groups(open), func(g judge.Group) bool { return !suspects[g.Hash] && !f.improves(g) })
	due = few(due, f.head.Common()+head.Jump)
	var errs []error
	asks := f.judge
	asks.Voters = asks.Voters.First(f.final.By())
	for some := range slices.Chunk(due, atOnce) {
		verdicts, err := asks.All(ctx, some)
		errs = append(errs, err, f.write(ctx, func(b *record.Book) error {
			if err := b.Expect(ctx, judge.Events(verdicts)); err != nil {
				return err
			}
			for _, v := range verdicts {
				if err := v.Record(ctx, b, f.final.Reach(v.Number, v.By)); err != nil {
					return err
				}
			}
			return nil
		}))
		if slices.ContainsFunc(verdicts, (*judge.Verdict).Gone) {
			f.set(func(s *State) { s.Gone++ })
		}
		if slices.ContainsFunc(verdicts, (*judge.Verdict).Denied) {
			f.head.Change() // this one invents logs
		}
	}
	return errors.Join(errs...)
}

// few leaves out the blocks of which one endpoint alone tells when there are too
// many of them for a round, or far above the head that several have.
func few(groups []judge.Group, head uint64) []judge.Group {
	n := 0
	return slices.DeleteFunc(groups, func(g judge.Group) bool {
		if slices.ContainsFunc(g.Facts, func(o journal.Fact) bool { return o.Proof >= order.Agreed }) {
			return false
		}
		n++
		return n > atOnce || g.Number > head
	})
}

// improves reports whether a vote can raise the proof of a group. What one
// endpoint tells is judged at once, so that a wrong log is found soon; between
// agreement and finality only deposits are.
func (f *Follower) improves(g judge.Group) bool {
	reach := f.final.Reach(g.Number, f.opts.Peers)
	for _, o := range g.Facts {
		soon := o.Proof < order.Agreed || o.Event == order.EventOpened
		if o.Proof < reach && (soon || reach == order.Final) {
			return f.final.State().Broken.IsZero()
		}
	}
	return false
}

// stalls is how many times the usual time a deposit may wait for finality.
const stalls = 3

// watchTag finds out whether the tag has stalled. A tag that stands still is
// normal where blocks are made only for transactions; what counts is that a
// deposit waits for it.
func (f *Follower) watchTag(open []journal.Fact) {
	stalled := slices.ContainsFunc(open, func(o journal.Fact) bool {
		late := f.opts.Usual > 0 && time.Since(o.Time) > stalls*f.opts.Usual
		return late && o.Event == order.EventOpened && o.Proof >= order.Agreed && o.Block > f.final.State().Block.Number
	})
	f.set(func(s *State) { s.Stalled = stalled })
}

// census finds out whether an endpoint left a log out. Then all of them are
// asked for it. Payments go on, since what is known is proved by itself. One
// difference may be a reorganisation; two in a row are told.
func (f *Follower) census(ctx context.Context) error {
	c, err := census.Take(ctx, f.opts.State, f.opts.Contracts.On(f.opts.Chain))
	if err != nil {
		return err
	}
	if f.head.Passed() > c.At.Number+head.Jump {
		f.head.Change() // this one names blocks that are not there
	}
	f.head.Share(c.At.Number)
	if err := f.catchUp(ctx, c.At.Number); err != nil || f.head.Passed() < c.At.Number {
		return err
	}
	var differ []order.Pool
	open, err := f.opts.Journal.FactsOpen(ctx, f.opts.Chain)
	if err != nil {
		return err
	}
	err = f.write(ctx, func(b *record.Book) error {
		if err := drop(ctx, b, open, c.At.Number+head.Jump); err != nil {
			return err
		}
		differ, err = c.Compare(ctx, b)
		return err
	})
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(slices.Clone(differ), func(p order.Pool) bool { return !slices.Contains(f.differ, p) })
	f.set(func(s *State) { s.Missing = missing })
	if f.differ = differ; len(differ) > 0 {
		return f.readAgain(ctx, c.At.Number)
	}
	f.complete, f.again = c.At.Number, 0
	clear(f.reread)
	return nil
}

// drop gives up what one endpoint told of blocks far above the head that several
// have: no other endpoint could confirm them for a long time.
func drop(ctx context.Context, b *record.Book, open []journal.Fact, head uint64) error {
	for _, o := range open {
		if o.Proof < order.Agreed && o.Block > head {
			if err := b.Gone(ctx, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// catchUp reads up to a block that K endpoints have: at another endpoint when the
// one that tells the head makes no progress.
func (f *Follower) catchUp(ctx context.Context, to uint64) (err error) {
	for range f.opts.Peers {
		before := f.head.Passed()
		if before >= to {
			return nil
		}
		if _, err = f.head.Look(ctx); err == nil && f.head.Passed() == before {
			f.head.Change()
		}
	}
	return err
}

// seldom is how many censuses apart blocks are read again at the most: an hour.
const seldom = 32

// readAgain reads all blocks since the last complete census at every endpoint:
// after one difference, two, four and so on. One that stays, such as a deposit
// from before the first block, must not keep the chain from being followed. What
// is too much for once goes on with the next census.
func (f *Follower) readAgain(ctx context.Context, to uint64) error {
	f.again++
	turn := f.again&(f.again-1) == 0 || f.again%seldom == 0
	var errs []error
	for _, p := range f.opts.Peers {
		from, begun := f.reread[p]
		if !begun && !turn {
			continue
		}
		if !begun {
			from = max(f.opts.First, f.complete)
		}
		_, last, err := f.scanner.Scan(ctx, p, scan.Pass{From: from, To: to, Save: func(uint64, bool) *journal.Cursor { return nil }, Check: f.verified})
		errs = append(errs, err)
		if f.reread[p] = last + 1; last >= to || err != nil {
			delete(f.reread, p)
		}
	}
	return errors.Join(errs...)
}

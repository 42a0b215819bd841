package follow

import (
	"context"
	"errors"
	"slices"
	"sync"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/event"
	"hubquote/internal/settle/watch/peer"
	"hubquote/internal/settle/watch/record"
	"hubquote/internal/settle/watch/vote"
)

// A group is the facts of one block.
type group struct {
	peer.Block
	facts []journal.Fact
}

// A verdict is what K endpoints say about a group.
type verdict struct {
	group
	gone   bool                // another block has its number
	events []event.Event       // that K endpoints have; nil when they were not asked
	denied map[vote.Place]bool // that K endpoints will never have
}

const (
	abreast = 16  // blocks that are judged at the same time
	atOnce  = 256 // blocks whose verdicts are written together
)

// prove has every group judged that can have a better proof now, or is suspect.
func (f *Follower) prove(ctx context.Context, open []journal.Fact, suspects map[order.Hash]bool) error {
	var due []group
	for _, g := range groups(open) {
		if suspects[g.Hash] || f.improves(g) {
			due = append(due, g)
		}
	}
	var errs []error
	for len(due) > 0 {
		some := due[:min(atOnce, len(due))]
		due = due[len(some):]
		errs = append(errs, f.judgeAll(ctx, some))
	}
	return errors.Join(errs...)
}

func groups(open []journal.Fact) (list []group) {
	at := map[order.Hash]int{}
	for _, o := range open {
		i, known := at[o.Hash]
		if !known {
			i = len(list)
			at[o.Hash] = i
			list = append(list, group{Block: peer.Block{Number: o.Block, Hash: o.Hash, Time: o.Time}})
		}
		list[i].facts = append(list[i].facts, o)
	}
	return list
}

// improves reports whether a vote can raise the proof of a group. Deposits and
// refusals need agreement at once, all others only finality.
func (f *Follower) improves(g group) bool {
	reach := f.reach(g.Number)
	for _, o := range g.facts {
		soon := o.Event == order.EventOpened || o.Event == order.EventSkipped
		if o.Proof < reach && (soon || reach == order.Final) {
			return f.State().Broken.IsZero()
		}
	}
	return false
}

// reach is the proof that a canonical block with that number gives.
func (f *Follower) reach(number uint64) order.Proof {
	switch s := f.State(); {
	case !s.Broken.IsZero():
		return order.Agreed
	case number <= s.Final.Number:
		return order.Final
	case f.opts.Safe && number <= s.Safe:
		return order.Safe
	}
	return order.Agreed
}

func (f *Follower) judgeAll(ctx context.Context, due []group) error {
	verdicts, errs := make([]*verdict, len(due)), make([]error, len(due))
	slots := make(chan struct{}, abreast)
	var working sync.WaitGroup
	for i, g := range due {
		slots <- struct{}{}
		working.Go(func() {
			defer func() { <-slots }()
			verdicts[i], errs[i] = f.judge(ctx, g)
		})
	}
	working.Wait()
	err := f.write(ctx, func(b *record.Book) error {
		for _, v := range verdicts {
			if v != nil {
				if err := f.apply(ctx, b, v); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return errors.Join(append(errs, err)...)
}

// judge asks whether the block of a group is canonical, and unless that was
// asked before, which of its logs are there.
func (f *Follower) judge(ctx context.Context, g group) (*verdict, error) {
	b, err := f.voters.Block(ctx, g.Number)
	if err != nil {
		return nil, err
	}
	v := &verdict{group: g, gone: b.Hash != g.Hash}
	var wanted []vote.Place
	for _, o := range g.facts {
		if o.Proof < order.Agreed {
			wanted = append(wanted, vote.Place{Tx: o.Tx, Log: o.Log})
		}
	}
	if v.gone || wanted == nil {
		return v, nil
	}
	v.Block = b
	return v, f.weigh(ctx, v, wanted)
}

func (f *Follower) weigh(ctx context.Context, v *verdict, wanted []vote.Place) error {
	said, err := f.voters.Logs(ctx, f.filter, v.Block, wanted)
	if err != nil {
		return err
	}
	v.denied = said.Denied
	for i := range said.Logs {
		events, err := f.reader.Read(&said.Logs[i])
		if err != nil {
			f.opts.Log.Warn("a log cannot be read", "chain", f.opts.Chain, "err", err)
		}
		for _, e := range events {
			e.Fact.Block, e.Time = v.Number, v.Time
			v.events = append(v.events, e)
		}
	}
	return nil
}

func (f *Follower) apply(ctx context.Context, b *record.Book, v *verdict) error {
	p := f.reach(v.Number)
	for _, e := range v.events {
		if err := b.Put(ctx, e, p); err != nil {
			return err
		}
	}
	for _, o := range v.facts {
		var err error
		switch {
		case v.gone || v.denied[vote.Place{Tx: o.Tx, Log: o.Log}]:
			err = b.Gone(ctx, o)
		case o.Proof >= order.Agreed:
			err = b.Raise(ctx, o, p)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Holds reports which of these facts are in their blocks, by K endpoints, now.
func (f *Follower) Holds(ctx context.Context, facts []journal.Fact) (map[order.ID]bool, error) {
	holds := map[order.ID]bool{}
	var errs []error
	for _, g := range groups(facts) {
		for i := range g.facts {
			g.facts[i].Proof = order.Told
		}
		v, err := f.judge(ctx, g)
		errs = append(errs, err)
		if err != nil {
			continue
		}
		for _, e := range v.events {
			there := func(o journal.Fact) bool {
				return o.Order == e.Fact.Order && o.Event == e.Event && o.Tx == e.Tx && o.Log == e.Log
			}
			if slices.ContainsFunc(g.facts, there) {
				holds[e.Fact.Order] = true
			}
		}
	}
	return holds, errors.Join(errs...)
}

// Package judge has several endpoints say which facts are true: that a block is
// part of the chain, and that a log is in it.
package judge

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/event"
	"hubquote/internal/settle/watch/peer"
	"hubquote/internal/settle/watch/record"
	"hubquote/internal/settle/watch/vote"
)

// A Judge asks the endpoints of one chain.
type Judge struct {
	Voters vote.Voters
	Filter peer.Filter
	Reader event.Reader
	Log    *slog.Logger
}

// A Group is the facts of one block.
type Group struct {
	peer.Block
	Facts []journal.Fact
}

// Groups returns facts by their block, in the order of the first of each.
func Groups(facts []journal.Fact) (list []Group) {
	at := map[order.Hash]int{}
	for _, f := range facts {
		i, known := at[f.Hash]
		if !known {
			i = len(list)
			at[f.Hash] = i
			list = append(list, Group{Block: peer.Block{Number: f.Block, Hash: f.Hash, Time: f.Time}})
		}
		list[i].Facts = append(list[i].Facts, f)
	}
	return list
}

// A Verdict is what K endpoints say about a group.
type Verdict struct {
	Group
	By     []*peer.Peer        // those that say which block has its number
	gone   bool                // another block has its number
	events []event.Event       // that K endpoints have; nil when they were not asked
	taken  map[vote.Place]bool // where they have a log, also one that cannot be read
	denied map[vote.Place]bool // that K endpoints will never have
}

// abreast is how many blocks are judged at the same time.
const abreast = 16

// All judges groups. Verdicts that could not be had are left out, and the error
// says why.
func (j *Judge) All(ctx context.Context, groups []Group) (verdicts []*Verdict, err error) {
	all, errs := make([]*Verdict, len(groups)), make([]error, len(groups))
	slots := make(chan struct{}, abreast)
	var working sync.WaitGroup
	for i, g := range groups {
		slots <- struct{}{}
		working.Go(func() {
			defer func() { <-slots }()
			all[i], errs[i] = j.one(ctx, g)
		})
	}
	working.Wait()
	return slices.DeleteFunc(all, func(v *Verdict) bool { return v == nil }), errors.Join(errs...)
}

// one asks whether the block of a group is part of the chain, and unless that
// was agreed on before, which of its logs are there.
func (j *Judge) one(ctx context.Context, g Group) (*Verdict, error) {
	b, by, err := j.Voters.Block(ctx, g.Number)
	if err != nil {
		return nil, err
	}
	v := &Verdict{Group: g, By: by, gone: b.Hash != g.Hash}
	var wanted []vote.Place
	for _, f := range g.Facts {
		if f.Proof < order.Agreed {
			wanted = append(wanted, placeOf(f))
		}
	}
	if v.gone || wanted == nil {
		return v, nil
	}
	v.Block = b
	return v, j.weigh(ctx, v, wanted)
}

func placeOf(f journal.Fact) vote.Place { return vote.Place{Tx: f.Tx, Log: f.Log} }

func (j *Judge) weigh(ctx context.Context, v *Verdict, wanted []vote.Place) error {
	said, err := j.Voters.Logs(ctx, j.Filter, v.Block, wanted)
	if err != nil {
		return err
	}
	v.denied, v.taken = said.Denied, map[vote.Place]bool{}
	for i := range said.Logs {
		v.taken[vote.PlaceOf(&said.Logs[i])] = true
		events, err := j.Reader.Read(&said.Logs[i])
		if err != nil {
			j.Log.Warn("a log cannot be read", "chain", j.Reader.Chain, "err", err)
		}
		for _, e := range events {
			e.Fact.Block, e.Time = v.Number, v.Time
			v.events = append(v.events, e)
		}
	}
	return nil
}

// Gone reports whether another block has the number of the group's.
func (v *Verdict) Gone() bool { return v.gone }

// Events returns what endpoints agree on in these blocks.
func Events(verdicts []*Verdict) (all []event.Event) {
	for _, v := range verdicts {
		all = append(all, v.events...)
	}
	return all
}

// Denied reports whether the endpoints deny a fact that one of them told.
func (v *Verdict) Denied() bool {
	return slices.ContainsFunc(v.Facts, func(f journal.Fact) bool { return f.Proof < order.Agreed && (v.gone || v.denies(f)) })
}

// denies reports whether a fact is not in its block: too few endpoints have a
// log at its place, or enough have one that says something else.
func (v *Verdict) denies(f journal.Fact) bool {
	said := slices.ContainsFunc(v.events, func(e event.Event) bool { return says(e, f) })
	return v.denied[placeOf(f)] || v.taken[placeOf(f)] && !said
}

// says reports whether an event is a fact. A claim names no order; whose it is
// depends on who is owed.
func says(e event.Event, f journal.Fact) bool {
	named := e.Fact.Order == f.Order || e.Event == order.EventClaimed && e.Fact.Order.IsZero()
	return named && e.Event == f.Event && placeOf(e.Fact) == placeOf(f)
}

// Record writes a verdict: what is there has the proof that its block gives.
func (v *Verdict) Record(ctx context.Context, b *record.Book, p order.Proof) error {
	for _, e := range v.events {
		if err := b.Put(ctx, e, p); err != nil {
			return err
		}
	}
	for _, f := range v.Facts {
		var err error
		switch {
		case v.gone || f.Proof < order.Agreed && v.denies(f):
			err = b.Gone(ctx, f)
		case f.Proof >= order.Agreed:
			err = b.Raise(ctx, f, p)
		case f.Event == order.EventClaimed && v.taken[placeOf(f)]:
			err = b.Unless(ctx, f, order.Agreed)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Hold returns the orders whose facts are in their blocks now.
func (j *Judge) Hold(ctx context.Context, facts []journal.Fact) (map[order.ID]bool, error) {
	for i := range facts {
		facts[i].Proof = order.Told // so that their logs are asked for
	}
	verdicts, err := j.All(ctx, Groups(facts))
	holds := map[order.ID]bool{}
	for _, v := range verdicts {
		for _, e := range v.events {
			if slices.ContainsFunc(v.Facts, func(f journal.Fact) bool { return says(e, f) }) {
				holds[e.Fact.Order] = true
			}
		}
	}
	return holds, err
}

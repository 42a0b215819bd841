package watch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/watch/peer"
	"hubquote/internal/settle/watch/state"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// Passed returns the block up to which the logs of a chain are in the journal,
// as one endpoint tells them.
func (w *Watcher) Passed(id swap.ChainID) uint64 {
	for _, c := range w.chains {
		if c.ID == id {
			return c.Follower.State().Passed
		}
	}
	return 0
}

// World fills in the tags of all chains, and the state and limits of these
// contracts, which it asks for now by quorum near the head. What is not known
// stays absent, and the error says why; the rest is filled in all the same.
func (w *Watcher) World(ctx context.Context, into *world.World, pools ...order.Pool) error {
	w.Tags(into)
	return each(w, func(c *chain) ([]state.Snapshot, error) {
		var here roster.Roster
		for _, p := range pools {
			if listed, ok := w.opts.Contracts.At(p); ok && p.Chain == c.ID {
				here = append(here, *listed)
			}
		}
		if len(here) == 0 {
			return nil, nil
		}
		snapshots, _, err := state.Snapshots(ctx, c.Chain.State, here)
		return snapshots, err
	}, func(snapshots []state.Snapshot) {
		for _, s := range snapshots {
			s.Fill(into)
		}
	})
}

// Tags fills in the tags of all chains that have one, from memory.
func (w *Watcher) Tags(into *world.World) {
	for _, c := range w.chains {
		s := c.Follower.State()
		if !s.Final.Hash.IsZero() || !s.Broken.IsZero() {
			into.Tags[c.ID] = world.Tag{Final: s.Final.Number, FinalTime: s.Final.Time, Stalled: s.Stalled, Broken: !s.Broken.IsZero()}
		}
	}
}

// each asks all chains at once, so that a slow one does not hold up the others
// longer than itself, and joins what went wrong. What ask returns is applied by
// one goroutine.
func each[T any](w *Watcher, ask func(*chain) (T, error), apply func(T)) error {
	answers, errs := make([]T, len(w.chains)), make([]error, len(w.chains))
	var asking sync.WaitGroup
	for i, c := range w.chains {
		asking.Go(func() {
			var err error
			if answers[i], err = ask(c); err != nil {
				errs[i] = fmt.Errorf("chain %d: %w", c.ID, err)
			}
		})
	}
	asking.Wait()
	for _, a := range answers {
		apply(a)
	}
	return errors.Join(errs...)
}

// A Record is what the contracts say about an order.
type Record = state.Record

// Records asks the contracts about orders, by quorum near the head, in one call
// per contract and a hundred orders. What is not known stays so, and the error
// says why.
func (w *Watcher) Records(ctx context.Context, orders []journal.Order) (map[order.ID]Record, error) {
	all := map[order.ID]Record{}
	err := each(w, func(c *chain) (map[order.ID]Record, error) {
		return state.Records(ctx, c.Chain.State, w.opts.Contracts.On(c.ID), orders)
	}, func(some map[order.ID]Record) {
		for id, r := range some {
			all[id] = all[id].And(r)
		}
	})
	return all, err
}

// Reprove asks K endpoints whether the deposits of these orders are still in
// their blocks. It returns those that are; for the others, facts have changed
// or no answer could be had. Payments before finality need it.
func (w *Watcher) Reprove(ctx context.Context, orders []journal.Order) (map[order.ID]bool, error) {
	all := map[order.ID]bool{}
	err := each(w, func(c *chain) (map[order.ID]bool, error) {
		var facts []journal.Fact
		for _, o := range orders {
			if o.Src.Chain == c.ID {
				at := order.Fact{Chain: c.ID, Tx: o.SrcTx, Block: o.SrcBlock, Hash: o.SrcHash}
				facts = append(facts, journal.Fact{Order: o.ID, Event: order.EventOpened, Log: o.SrcLog, Fact: at})
			}
		}
		return c.Holds(ctx, facts)
	}, func(holds map[order.ID]bool) { maps.Copy(all, holds) })
	return all, err
}

// Health is the state of one chain.
type Health struct {
	Chain     swap.ChainID
	Head      uint64 // passed
	Final     uint64
	FinalTime time.Time
	Stalled   bool
	Broken    order.Hash    // the final block that was lost, or zero
	Missing   []order.Pool  // contracts that have orders we do not know
	Endpoints []peer.Health // in the order of the configuration
}

// Health returns the present state, from memory.
func (w *Watcher) Health() (list []Health) {
	for _, c := range w.chains {
		s := c.Follower.State()
		h := Health{c.ID, s.Passed, s.Final.Number, s.Final.Time, s.Stalled, s.Broken, s.Missing, nil}
		for _, p := range c.peers {
			h.Endpoints = append(h.Endpoints, p.Health())
		}
		list = append(list, h)
	}
	return list
}

package watch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/watch/follow"
	"hubquote/internal/settle/watch/peer"
	"hubquote/internal/settle/watch/state"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// Passed returns the block up to which the logs of a chain are in the journal,
// as one endpoint tells them.
func (w *Watcher) Passed(id swap.ChainID) uint64 { return w.state(id).Passed }

// Final returns the final block of a chain, by K endpoints, or zero when none is
// known yet.
func (w *Watcher) Final(id swap.ChainID) uint64 { return w.state(id).Final.Number }

// Gone counts the times that a chain lost blocks with facts.
func (w *Watcher) Gone(id swap.ChainID) uint64 { return w.state(id).Gone }

func (w *Watcher) state(id swap.ChainID) follow.State {
	for _, c := range w.chains {
		if c.ID == id {
			return c.Follower.State()
		}
	}
	return follow.State{}
}

// World fills in the tags of all chains, and the state and limits of these
// contracts, which it asks for now by quorum near the head. What is not known
// stays absent, and the error says why; the rest is filled in all the same.
func (w *Watcher) World(ctx context.Context, into *world.World, pools ...order.Pool) error {
	w.Tags(into)
	var lock sync.Mutex
	return w.each(func(c *chain) error {
		var here roster.Roster
		for _, p := range pools {
			if listed, ok := w.opts.Contracts.At(p); ok && p.Chain == c.ID {
				here = append(here, *listed)
			}
		}
		if len(here) == 0 {
			return nil
		}
		snapshots, _, err := state.Snapshots(ctx, c.Chain.State, here)
		lock.Lock()
		defer lock.Unlock()
		for _, s := range snapshots {
			s.Fill(into)
		}
		return err
	})
}

// Tags fills in the tags of all chains that have one, from memory. One whose
// final block is disputed has none.
func (w *Watcher) Tags(into *world.World) {
	for _, c := range w.chains {
		s := c.Follower.State()
		if !s.Final.Hash.IsZero() && !s.Disputed || !s.Broken.IsZero() {
			into.Tags[c.ID] = world.Tag{Final: s.Final.Number, FinalTime: s.Final.Time, Stalled: s.Stalled, Broken: !s.Broken.IsZero()}
		}
	}
}

// each asks all chains at once, and joins what went wrong.
func (w *Watcher) each(do func(*chain) error) error {
	errs := make([]error, len(w.chains))
	var asking sync.WaitGroup
	for i, c := range w.chains {
		asking.Go(func() {
			if err := do(c); err != nil {
				errs[i] = fmt.Errorf("chain %d: %w", c.ID, err)
			}
		})
	}
	asking.Wait()
	return errors.Join(errs...)
}

// A Record is what the contracts say about an order.
type Record = state.Record

// Records asks the contracts about orders, by quorum near the head, in one call
// per contract and a hundred orders. An order whose source or destination is left
// out is not asked about there. What is not known stays so, and the error says why.
func (w *Watcher) Records(ctx context.Context, orders []journal.Order) (map[order.ID]Record, error) {
	all := map[order.ID]Record{}
	var lock sync.Mutex
	err := w.each(func(c *chain) error {
		return state.Records(ctx, c.Chain.State, w.opts.Contracts.On(c.ID), orders, func(id order.ID, add func(*Record)) {
			lock.Lock()
			defer lock.Unlock()
			r := all[id]
			add(&r)
			all[id] = r
		})
	})
	return all, err
}

// Reprove asks K endpoints whether the deposits of these orders are still in
// their blocks. It returns those that are; for the others, facts have changed
// or no answer could be had. Payments before finality need it.
func (w *Watcher) Reprove(ctx context.Context, orders []journal.Order) (map[order.ID]bool, error) {
	all := map[order.ID]bool{}
	var lock sync.Mutex
	err := w.each(func(c *chain) error {
		var facts []journal.Fact
		for _, o := range orders {
			if o.Src.Chain == c.ID {
				at := order.Fact{Chain: c.ID, Tx: o.SrcTx, Block: o.SrcBlock, Hash: o.SrcHash}
				facts = append(facts, journal.Fact{Order: o.ID, Event: order.EventOpened, Log: o.SrcLog, Fact: at})
			}
		}
		holds, err := c.Holds(ctx, facts)
		lock.Lock()
		defer lock.Unlock()
		for id := range holds {
			all[id] = true
		}
		return err
	})
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
	Down      time.Time     // since when no round succeeds, or zero
	Endpoints []peer.Health // in the order of the configuration
}

// Health returns the present state, from memory.
func (w *Watcher) Health() (list []Health) {
	for _, c := range w.chains {
		s := c.Follower.State()
		h := Health{c.ID, s.Passed, s.Final.Number, s.Final.Time, s.Stalled, s.Broken, s.Missing, time.Time{}, nil}
		if since := c.down.Load(); since != nil {
			h.Down = *since
		}
		for _, p := range c.peers {
			h.Endpoints = append(h.Endpoints, p.Health())
		}
		list = append(list, h)
	}
	return list
}

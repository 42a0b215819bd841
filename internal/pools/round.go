package pools

import (
	"context"
	"sync"
	"time"

	"hubquote/internal/pools/lens"
	"hubquote/internal/pools/level"
	"hubquote/swap"
)

// Start begins to look at the chains, until ctx ends or Close is called. It is
// called once, before Close, and does not wait for the first look.
func (w *Watcher) Start(ctx context.Context) {
	ctx, w.stop = context.WithCancel(ctx)
	for _, c := range w.chains {
		w.running.Go(func() { keep(ctx, func() { w.look(ctx, c) }) })
	}
	if w.opts.Settler != nil {
		w.running.Go(func() { keep(ctx, func() { w.askSettler(ctx) }) })
	}
}

// Close ends the looking and all connections.
func (w *Watcher) Close() {
	w.stop()
	w.running.Wait()
	for _, c := range w.chains {
		c.expire.Stop()
		c.nodes.Close()
	}
}

// keep looks again and again. Each chain has a goroutine of its own, so that no
// other waits for it.
func keep(ctx context.Context, look func()) {
	tick := time.NewTicker(Every)
	defer tick.Stop()
	for {
		look()
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Look looks at every chain once, and returns what is known then.
func (w *Watcher) Look(ctx context.Context) *View {
	var all sync.WaitGroup
	for _, c := range w.chains {
		all.Go(func() { w.look(ctx, c) })
	}
	if w.opts.Settler != nil {
		all.Go(func() { w.askSettler(ctx) })
	}
	all.Wait()
	return w.View()
}

// look looks at a chain, and makes a view of the result. The code behind proxies
// refuses nothing, so that it is looked at when the view is made.
func (w *Watcher) look(ctx context.Context, c *chain) {
	c.looking.Lock()
	defer c.looking.Unlock()
	next := c.ask(ctx)
	if ctx.Err() != nil {
		return
	}
	answers := c.lens == nil || next.sight != nil
	w.mu.Lock()
	if next.sight != nil {
		w.see(next.sight)
		next.sight.Keep(c.known.sight)
	} else {
		next.sight = c.known.sight
	}
	if next.fee == nil {
		next.fee = c.known.fee
	}
	c.known = next
	w.mu.Unlock()
	if next.fault == nil {
		c.expire.Reset(Known)
	}
	w.publish()
	if answers && c.proxies.Look(ctx) {
		w.mu.Lock()
		c.known.changes = c.proxies.Changes()
		w.mu.Unlock()
		w.publish()
	}
}

// see updates what the payers of a chain are said to have.
func (w *Watcher) see(s *lens.Sight) {
	for c, seen := range s.Seen {
		var has swap.Amount
		if seen.Liquidity != nil {
			has.SetFromBig(seen.Liquidity)
		}
		if w.levels[c] == nil {
			w.levels[c] = new(level.Level)
		}
		w.levels[c].See(&has, &c.Largest)
	}
}

// askSettler asks what the pools owe. While the settler does not answer, its last
// word counts as long as what the nodes said.
func (w *Watcher) askSettler(ctx context.Context) {
	at := time.Now()
	pools, err := w.opts.Settler.Owed(ctx)
	w.mu.Lock()
	if w.owed.fault = err; err == nil {
		w.owed = owed{pools: pools, at: at}
	}
	w.mu.Unlock()
	w.publish()
}

// ask asks the nodes of a chain.
func (c *chain) ask(ctx context.Context) (k known) {
	if c.lens != nil {
		k.sight, k.fault = c.lens.Look(ctx)
	}
	k.changes = c.proxies.Changes()
	if c.messenger == nil {
		return k
	}
	at := time.Now()
	rate, err := c.messenger.MinFee(ctx)
	if err != nil {
		k.fault = err
		return k
	}
	k.fee = &minFee{rate, at}
	return k
}

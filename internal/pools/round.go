package pools

import (
	"context"
	"sync"
	"time"
)

// Start begins to look at the chains, until ctx ends or Close is called. It is
// called once, before Close, and does not wait for the first look.
func (w *Watcher) Start(ctx context.Context) {
	ctx, w.stop = context.WithCancel(ctx)
	for _, c := range w.chains {
		w.running.Go(func() { w.keep(ctx, c) })
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

// keep looks at one chain in a goroutine of its own, so that no other waits for
// it.
func (w *Watcher) keep(ctx context.Context, c *chain) {
	tick := time.NewTicker(Every)
	defer tick.Stop()
	for {
		w.look(ctx, c)
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
	all.Wait()
	return w.View()
}

// look looks at a chain, and makes a view of the result.
func (w *Watcher) look(ctx context.Context, c *chain) {
	c.looking.Lock()
	defer c.looking.Unlock()
	next := c.ask(ctx)
	if ctx.Err() != nil {
		return
	}
	w.mu.Lock()
	if next.sight == nil {
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
}

// ask asks the nodes of a chain.
func (c *chain) ask(ctx context.Context) (k known) {
	if c.lens != nil {
		k.sight, k.fault = c.lens.Look(ctx)
	}
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

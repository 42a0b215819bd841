package health

import (
	"context"
	"sync"
	"time"

	"hubquote/swap"
)

const (
	lookEvery = 10 * time.Second // at what is down, and at Redis
	lookAtAll = 6                // of these looks, one is at registries that are well too
)

// Keep asks the registries, Redis and the settler from time to time until ctx ends,
// so that what [Upstreams.Checks] reports is their present state, not that of the last
// request that needed them.
func (u *Upstreams) Keep(ctx context.Context) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-tick.C:
			u.look(ctx, n%lookAtAll == 0)
		case <-ctx.Done():
			return
		}
	}
}

// look asks Redis, the settler while it is down, and the registries that are down or
// all of them.
func (u *Upstreams) look(ctx context.Context, all bool) {
	var asking sync.WaitGroup
	defer asking.Wait()
	if u.Shared != nil {
		u.Shared.Look(ctx, probes()...)
	}
	if u.Settler != nil && !u.Settler.Up() {
		asking.Go(func() { _, _ = u.Settler.Track(ctx, swap.Question{}) })
	}
	if u.Registries == nil {
		return
	}
	for _, h := range u.Registries.Health() {
		if all || !h.Up {
			asking.Go(func() { u.askRegistry(ctx, h.Chain) })
		}
	}
}

// askRegistry asks about an integrator that cannot exist.
func (u *Upstreams) askRegistry(ctx context.Context, chain swap.ChainID) {
	_, _ = u.Registries.Integrator(ctx, chain, swap.IntegratorIDOf(swap.Native))
}

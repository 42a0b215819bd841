package health

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"hubquote/internal/ratelimit"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// probed is the number of clients whose limit is asked for. Their keys are on all
// nodes of a cluster that is not huge.
const probed = 64

// pollInterval is the pause between two reads of what is asked in the background.
const pollInterval = 50 * time.Millisecond

// probes returns clients with addresses that no client has.
func probes() (list []ratelimit.Client) {
	for i := range probed {
		list = append(list, ratelimit.ClientOf(netip.AddrFrom4([4]byte{3: byte(i)})))
	}
	return list
}

// Probe asks every configured upstream once, so that [Upstreams.Checks] reports
// its present state. The content of the answers is not used. All are asked at the
// same time, because each that is down takes its whole timeout.
func (u *Upstreams) Probe(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	for _, id := range u.Catalog.RegistryChains() {
		if u.Registries != nil {
			all.Go(func() { u.askRegistry(ctx, id) })
		}
	}
	if u.Settler != nil {
		all.Go(func() {
			for range upstream.BreakAfter {
				_, _ = u.Settler.Track(ctx, swap.Question{})
			}
		})
	}
	for _, c := range probes() {
		if u.Shared != nil {
			u.Shared.Probe(ctx, c)
		}
	}
	for (!u.issuerAsked() || !u.poolsAsked()) && ctx.Err() == nil {
		time.Sleep(pollInterval)
	}
}

// poolsAsked reports whether every chain was looked at, and the settler asked.
func (u *Upstreams) poolsAsked() bool {
	if u.Pools == nil {
		return true
	}
	v := u.Pools.View()
	if u.Settler != nil && !v.Owed.Known && v.Owed.Fault == nil {
		return false
	}
	for _, c := range v.Chains {
		if c.Oldest().IsZero() && c.Fault == nil {
			return false
		}
	}
	return true
}

// issuerAsked reports whether the issuer was asked about every source.
func (u *Upstreams) issuerAsked() bool {
	if u.Issuer == nil {
		return true
	}
	for _, s := range u.Issuer.Health() {
		if !s.Known && s.Fault == "" {
			return false
		}
	}
	return true
}

// Package health reports the state of the service's upstreams, to clients as
// checks and to Prometheus as gauges.
//
// It answers from memory. Only [Upstreams.Probe] sends requests.
package health

import (
	"fmt"

	"hubquote/internal/api"
	"hubquote/internal/catalog"
	"hubquote/internal/integrator"
	"hubquote/internal/issuer"
	"hubquote/internal/pools"
	"hubquote/internal/quorum"
	"hubquote/internal/ratelimit"
	"hubquote/internal/tracker"
	"hubquote/swap"
)

// Upstreams are the clients of all outside services. A nil field is not
// configured.
type Upstreams struct {
	Catalog    *catalog.Catalog // required
	Registries *integrator.Registries
	Pools      *pools.Watcher
	Issuer     *issuer.Live
	Settler    *tracker.Tracker
	Shared     *ratelimit.Fallback // the limit that replicas share through Redis
}

// Checks returns one check for each upstream.
func (u *Upstreams) Checks() []api.Check {
	return append(append(u.registries(), u.pools()...), u.issuer(), u.limiter(), u.settler())
}

// RegistryName is the name of a chain's registry among the upstreams.
func RegistryName(id swap.ChainID) string { return fmt.Sprintf("registry %d", id) }

func (u *Upstreams) registries() (checks []api.Check) {
	health := map[swap.ChainID]quorum.Health{}
	if u.Registries != nil {
		for _, h := range u.Registries.Health() {
			health[h.Chain] = h
		}
	}
	for _, id := range u.Catalog.RegistryChains() {
		check := api.Check{Name: RegistryName(id), Status: api.CheckOff, Detail: "no RPC endpoint is configured"}
		if h, ok := health[id]; ok {
			check.Status, check.Detail = status(h.Up), answering(h)
		}
		checks = append(checks, check)
	}
	return checks
}

// answering returns how many endpoints answer, including those not asked yet.
func answering(h quorum.Health) string {
	n := 0
	for _, e := range h.Endpoints {
		if e.Fault == "" {
			n++
		}
	}
	return fmt.Sprintf("%d of %d endpoints%s", n, len(h.Endpoints), quorum.Warning(len(h.Endpoints)))
}

func (u *Upstreams) issuer() api.Check {
	if u.Issuer == nil {
		return api.Check{Name: "issuer fee", Status: api.CheckOK, Detail: "published schedule"}
	}
	usable, sources := 0, u.Issuer.Health()
	for _, s := range sources {
		if s.Usable() {
			usable++
		}
	}
	return api.Check{
		Name: "issuer fee", Status: status(usable == len(sources)),
		Detail: fmt.Sprintf("live for %d of %d sources", usable, len(sources)),
	}
}

func (u *Upstreams) limiter() api.Check {
	switch {
	case u.Shared == nil:
		return api.Check{Name: "limiter", Status: api.CheckOK, Detail: "memory"}
	case u.Shared.Degraded():
		return api.Check{Name: "limiter", Status: api.CheckDown, Detail: "Redis is lost; counting alone"}
	default:
		return api.Check{Name: "limiter", Status: api.CheckOK, Detail: "Redis"}
	}
}

func (u *Upstreams) settler() api.Check {
	if u.Settler == nil {
		return api.Check{Name: "settler", Status: api.CheckOff, Detail: "no settler is configured; no status is answered"}
	}
	check := api.Check{Name: "settler", Status: status(u.Settler.Up()), Detail: "asked for the status of swaps"}
	if u.Pools != nil && !u.Pools.View().Owed.Known {
		check.Status, check.Detail = api.CheckDown, "what the pools owe is not known, and not taken off"
	}
	return check
}

func status(up bool) string {
	if up {
		return api.CheckOK
	}
	return api.CheckDown
}

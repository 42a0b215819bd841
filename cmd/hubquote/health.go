package main

import (
	"fmt"

	"hubquote/internal/api"
	"hubquote/internal/quorum"
	"hubquote/swap"
)

// checks tells how the upstreams are, from memory.
func (u *upstreams) checks() []api.Check {
	return append(u.registryChecks(), u.issuerCheck(), u.limiterCheck())
}

func (u *upstreams) registryChecks() []api.Check {
	health := map[swap.ChainID]quorum.Health{}
	if u.registries != nil {
		for _, h := range u.registries.Health() {
			health[h.Chain] = h
		}
	}
	var checks []api.Check
	for _, id := range u.catalog.RegistryChains() {
		check := api.Check{Name: registryName(id), Status: api.CheckOff, Detail: "no RPC endpoint is configured"}
		if h, ok := health[id]; ok {
			check.Status, check.Detail = state(h.Up), endpointsIn(h)
		}
		checks = append(checks, check)
	}
	return checks
}

// endpointsIn counts an endpoint that was not asked yet among those that answer.
func endpointsIn(h quorum.Health) string {
	answer := 0
	for _, e := range h.Endpoints {
		if e.Fault == "" {
			answer++
		}
	}
	return fmt.Sprintf("%d of %d endpoints", answer, len(h.Endpoints))
}

func (u *upstreams) issuerCheck() api.Check {
	if u.live == nil {
		return api.Check{Name: "issuer fee", Status: api.CheckOK, Detail: "published schedule"}
	}
	usable, sources := 0, u.live.Health()
	for _, s := range sources {
		if s.Usable() {
			usable++
		}
	}
	return api.Check{Name: "issuer fee", Status: state(usable == len(sources)), Detail: fmt.Sprintf("live for %d of %d sources", usable, len(sources))}
}

func (u *upstreams) limiterCheck() api.Check {
	switch {
	case u.fallback == nil:
		return api.Check{Name: "limiter", Status: api.CheckOK, Detail: "memory"}
	case u.fallback.Degraded():
		return api.Check{Name: "limiter", Status: api.CheckDown, Detail: "Redis is lost; counting alone"}
	default:
		return api.Check{Name: "limiter", Status: api.CheckOK, Detail: "Redis"}
	}
}

func state(up bool) string {
	if up {
		return api.CheckOK
	}
	return api.CheckDown
}

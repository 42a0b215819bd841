package integrator

import (
	"time"

	"hubquote/internal/upstream"
	"hubquote/swap"
)

// ChainHealth is how asking one chain's registry has gone. It is told from
// memory and holds no URL.
type ChainHealth struct {
	Chain     swap.ChainID
	Up        bool             // enough endpoints did their part when last asked, or were not asked yet
	Endpoints []EndpointHealth // in the order of the configuration
}

// EndpointHealth is how asking one endpoint has gone.
type EndpointHealth struct {
	Fault    upstream.Fault // of its last visit; empty when that went well or none was made
	Answered bool           // a visit went well before
	Age      time.Duration  // since then
	Breaker  BreakerState
}

// Health returns the health of all configured chains, in their order.
func (rs *Registries) Health() []ChainHealth {
	health := make([]ChainHealth, len(rs.order))
	for i, c := range rs.order {
		health[i] = c.health()
	}
	return health
}

func (c *chain) health() ChainHealth {
	h := ChainHealth{Chain: c.ID}
	up, need := 0, 1
	if c.needsQuorum() {
		need = quorum
	}
	for _, e := range c.endpoints {
		eh := e.breaker.health()
		if eh.Fault == "" {
			up++
		}
		h.Endpoints = append(h.Endpoints, eh)
	}
	h.Up = up >= need
	return h
}

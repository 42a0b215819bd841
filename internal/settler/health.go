package settler

import (
	"context"
	"maps"
	"slices"
	"time"

	"hubquote/internal/listen"
	"hubquote/internal/metrics"
	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/track"
	"hubquote/internal/settle/track/look"
	"hubquote/internal/settler/gauge"
	"hubquote/internal/settler/probe"
	"hubquote/internal/settler/term"
	"hubquote/swap"
)

// statusTimeout is longer than a status request may wait.
const statusTimeout = 35 * time.Second

// addServers opens nothing yet. The status comes first: it is drained.
func (s *Settler) addServers(context.Context) error {
	nodes := map[swap.ChainID]*node.Node{}
	for id, n := range s.networks {
		nodes[id] = n.Nodes[0]
	}
	var err error
	s.status, err = track.New(track.Options{
		Journal: s.journal, Catalogs: s.opts.Generations, Look: look.New(nodes, s.contracts()).Look, Health: s.health, Log: s.opts.Log,
		Signing: s.signing,
	})
	if err != nil {
		return err
	}
	m := metrics.Plain()
	m.Watch(gauge.List(gauge.Source{Journal: s.journal, Alerts: s.alerts, Term: s.present, Chains: slices.Sorted(maps.Keys(s.networks)), Keys: s.keys(), Log: s.opts.Log})...)
	s.servers = listen.Servers{
		{Name: "status", Address: s.opts.Listen, HTTP: listen.Public(s.status, s.opts.Log)},
		{Name: "admin", Address: s.opts.Admin, HTTP: listen.Admin(m.Handler(), s.opts.Log)},
	}
	s.servers[0].HTTP.WriteTimeout = statusTimeout
	return nil
}

// signing is how long the issuer usually takes.
func (s *Settler) signing(network swap.ChainID, fast bool) time.Duration {
	if s.opts.Usual == nil {
		return 0
	}
	u := s.opts.Usual(network)
	if fast {
		return u.Fast
	}
	return u.Standard
}

// contracts are ours of all generations, on all chains.
func (s *Settler) contracts() (list []swap.Address) {
	for _, c := range roster.Of(s.plans...) {
		list = append(list, c.Address)
	}
	return list
}

func (s *Settler) present() *term.Term {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.term
}

func (s *Settler) health() track.Health {
	writer, epoch := s.Role()
	h := track.Health{Role: "standby", Epoch: epoch}
	if !writer {
		return h
	}
	h.Role = "writer"
	for _, c := range s.present().Watcher.Health() {
		up := 0
		for _, e := range c.Endpoints {
			if e.Fault == "" {
				up++
			}
		}
		h.Chains = append(h.Chains, track.ChainHealth{ID: c.Chain, Head: c.Head, Final: c.Final, Stalled: c.Stalled, Endpoints: up})
	}
	return h
}

// Check asks everything that this settler depends on once.
func (s *Settler) Check(ctx context.Context) []probe.Finding {
	return probe.All(ctx, s.networks, roster.Of(s.plans...), s.keys())
}

func (s *Settler) keys() (list []swap.Address) {
	for _, signer := range s.signers {
		list = append(list, signer.Address())
	}
	return list
}

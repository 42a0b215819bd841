package service

import (
	"context"
	"time"

	"hubquote/internal/health"
	"hubquote/internal/integrator"
	"hubquote/internal/issuer"
	"hubquote/internal/metrics"
	"hubquote/internal/quorum"
	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/memory"
	"hubquote/internal/ratelimit/redis"
	"hubquote/internal/tracker"
	"hubquote/internal/upstream"
)

func (s *Service) newRegistries() (err error) {
	opts := integrator.Options{Observe: func(r quorum.Report) {
		s.metrics.Upstream(health.RegistryName(r.Chain), string(r.Fault), r.Took)
	}}
	for _, id := range s.opts.Catalog.RegistryChains() {
		if urls := s.opts.RPC[id]; len(urls) > 0 {
			registry, _ := s.opts.Catalog.Registry(id)
			opts.Chains = append(opts.Chains, integrator.Chain{ID: id, Registry: registry, Endpoints: urls, MaxBlockAge: s.opts.MaxBlockAge})
		}
	}
	s.integrators = s.opts.Integrators
	if s.integrators != nil || opts.Chains == nil {
		return nil
	}
	s.upstreams.Registries, err = integrator.New(opts)
	s.integrators = s.upstreams.Registries
	return err
}

func (s *Service) newIssuer() (err error) {
	if s.fees = s.opts.IssuerFees; s.fees != nil {
		return nil
	}
	if s.fees = (issuer.Published{}); s.opts.Issuer.IsZero() {
		return nil
	}
	opts := issuer.Options{URL: s.opts.Issuer, Observe: func(r issuer.Refresh) {
		s.metrics.Upstream("issuer", string(r.Fault), r.Took)
	}}
	for _, r := range s.opts.Catalog.Routes() {
		if r.Burn != nil {
			opts.Burns = append(opts.Burns, r.Burn)
		}
	}
	s.upstreams.Issuer, err = issuer.NewLive(opts)
	s.fees = s.upstreams.Issuer
	return err
}

func (s *Service) newSettler() (err error) {
	if s.opts.Settler.IsZero() {
		return nil
	}
	s.upstreams.Settler, err = tracker.New(tracker.Options{URL: s.opts.Settler, Observe: func(fault upstream.Fault, took time.Duration) {
		s.metrics.Upstream("settler", string(fault), took)
	}})
	return err
}

// statusClients is how many clients the budget for the status knows: a tenth of
// those of the other, so that both fit into the process.
const statusClients = 100_000

// newLimiter makes both budgets. That for the status is each replica's own: it
// protects the replica's waiting room, and the settler bounds the rest.
func (s *Service) newLimiter() error {
	if s.opts.Unlimited {
		return nil
	}
	tracks, err := memory.NewFor(ratelimit.Status(), statusClients)
	if err != nil {
		return err
	}
	s.tracks = tracks
	local, err := memory.New(ratelimit.Standard())
	if err != nil {
		return err
	}
	s.limiter = local
	s.metrics.Watch(metrics.Gauge{
		Name: "hubquote_limiter_clients", Help: "Clients that this replica's memory knows.",
		Read: func() float64 { return float64(local.Clients()) },
	})
	if s.opts.Redis.IsZero() {
		return nil
	}
	return s.newShared(local)
}

// newShared limits requests through Redis, with the limit in memory as fallback.
func (s *Service) newShared(local *memory.Memory) (err error) {
	if s.redis, err = redis.New(s.opts.Redis, ratelimit.Standard()); err != nil {
		return err
	}
	s.upstreams.Shared, err = ratelimit.NewFallback(ratelimit.FallbackOptions{
		Remote: s.redis, Local: local, Alone: s.metrics.Alone,
		Asked: func(took time.Duration, err error) { s.metrics.Upstream("redis", outcome(err), took) },
		Changed: func(degraded bool, cause error) {
			s.opts.Log.Warn("rate limit", "sharedThroughRedis", !degraded, "err", cause)
		},
	})
	if err == nil {
		s.limiter = s.upstreams.Shared
	}
	return err
}

func outcome(err error) string {
	if err != nil {
		return "failed"
	}
	return ""
}

// Refresh begins to keep the issuer's fees current, in the background. Run does
// it too; a caller that serves the Handler itself calls it once.
func (s *Service) Refresh() {
	s.refreshing.Do(func() {
		if s.upstreams.Issuer != nil {
			s.upstreams.Issuer.Start(context.Background())
		}
	})
}

// Close ends the clients of the upstreams, and the servers if Run has not.
func (s *Service) Close() {
	s.servers.Close()
	if s.upstreams.Registries != nil {
		s.upstreams.Registries.Close()
	}
	if s.upstreams.Issuer != nil {
		s.upstreams.Issuer.Close()
	}
	if s.upstreams.Settler != nil {
		s.upstreams.Settler.Close()
	}
	if s.redis != nil {
		s.redis.Close()
	}
}

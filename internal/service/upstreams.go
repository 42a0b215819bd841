package service

import (
	"context"
	"time"

	"hubquote/internal/health"
	"hubquote/internal/integrator"
	"hubquote/internal/issuer"
	"hubquote/internal/metrics"
	"hubquote/internal/pools"
	"hubquote/internal/quorum"
	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/memory"
	"hubquote/internal/ratelimit/redis"
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

// newPools watches the pools if any chain of theirs can be asked.
func (s *Service) newPools() error {
	if len(s.opts.RPC) == 0 {
		return nil
	}
	if err := s.opts.addReference(); err != nil {
		return err
	}
	w, err := pools.New(pools.Options{
		Catalog: s.opts.Catalog, Endpoints: s.opts.RPC, MaxBlockAge: s.opts.MaxBlockAge, Settings: s.opts.Operator, Require: s.opts.RequirePools,
		Observe: func(r quorum.Report) { s.metrics.Upstream(health.PoolsName(r.Chain), string(r.Fault), r.Took) },
	})
	if err != nil {
		return err
	}
	s.upstreams.Pools, s.pools, s.minFees = w, w, w
	return nil
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

func (s *Service) newLimiter() error {
	if s.opts.Unlimited {
		return nil
	}
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

// Refresh begins to watch all upstreams, in the background. Run does
// it too; a caller that serves the Handler itself calls it once.
func (s *Service) Refresh() {
	s.refreshing.Do(func() {
		if s.upstreams.Issuer != nil {
			s.upstreams.Issuer.Start(context.Background())
		}
		if s.upstreams.Pools != nil {
			s.upstreams.Pools.Start(context.Background())
		}
		var ctx context.Context
		ctx, s.stopLooking = context.WithCancel(context.Background())
		s.looking.Go(func() { s.upstreams.Keep(ctx) })
	})
}

// Close ends the clients of the upstreams, and the servers if Run has not.
func (s *Service) Close() {
	s.servers.Close()
	if s.stopLooking != nil {
		s.stopLooking()
		s.looking.Wait()
	}
	if s.upstreams.Registries != nil {
		s.upstreams.Registries.Close()
	}
	if s.upstreams.Issuer != nil {
		s.upstreams.Issuer.Close()
	}
	if s.upstreams.Pools != nil {
		s.upstreams.Pools.Close()
	}
	if s.redis != nil {
		s.redis.Close()
	}
}

package service

import (
	"context"
	"fmt"
	"time"

	"hubquote/internal/health"
	"hubquote/internal/integrator"
	"hubquote/internal/issuer"
	"hubquote/internal/metrics"
	"hubquote/internal/pools"
	"hubquote/internal/pools/backlog"
	"hubquote/internal/quorum"
	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/budget"
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

// newPools watches the pools if any chain of theirs can be asked.
func (s *Service) newPools() error {
	if len(s.opts.RPC) == 0 {
		return nil
	}
	if err := s.opts.addReference(); err != nil {
		return err
	}
	if err := s.newBacklog(); err != nil {
		return err
	}
	w, err := pools.New(pools.Options{
		Settler: s.backlog, Catalog: s.opts.Catalog, Endpoints: s.opts.RPC, MaxBlockAge: s.opts.MaxBlockAge, Settings: s.opts.Operator, Require: s.opts.RequirePools,
		Observe: func(r quorum.Report) { s.metrics.Upstream(health.PoolsName(r.Chain), string(r.Fault), r.Took) },
	})
	if err != nil {
		return err
	}
	s.upstreams.Pools, s.pools, s.minFees = w, w, w
	return nil
}

// newBacklog asks the settler, if there is one, what the pools owe already.
func (s *Service) newBacklog() (err error) {
	if s.opts.Settler.IsZero() {
		return nil
	}
	s.backlog, err = backlog.New(backlog.Options{URL: s.opts.Settler, Observe: s.observeSettler})
	return err
}

func (s *Service) observeSettler(fault upstream.Fault, took time.Duration) {
	s.metrics.Upstream("settler", string(fault), took)
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
	s.upstreams.Settler, err = tracker.New(tracker.Options{URL: s.opts.Settler, Observe: s.observeSettler})
	return err
}

// statusClients is how many clients the budget for the status knows while all of
// them use it up: 24 MB, so that both budgets fit into the process.
const statusClients = 30_000

// newLimiter limits every client, and those of named networks by budgets of their
// own. The budget for the status is each replica's alone: it protects the
// replica's waiting room, and the settler bounds the rest.
func (s *Service) newLimiter() error {
	tracks, err := memory.NewLargeFor(ratelimit.Status(), statusClients)
	if err != nil {
		return err
	}
	s.tracks = tracks
	rest, err := s.newLimit(s.opts.Limit, true)
	if err != nil {
		return err
	}
	limits := budget.New(s.opts.Limit, rest)
	for _, b := range s.opts.Budgets {
		own, err := s.newLimit(b.Policy, false)
		if err != nil {
			return fmt.Errorf("budget %s: %w", b.Name, err)
		}
		limits.Add(b, own)
	}
	s.limiter = limits
	s.metrics.Watch(metrics.Gauge{
		Name: "hubquote_limiter_clients", Help: "Clients that this replica's memory knows.", Read: s.clients,
	})
	return nil
}

// A local is a limiter in memory.
type local interface {
	ratelimit.Local
	Clients() int
}

func (s *Service) clients() (n float64) {
	for _, l := range s.locals {
		n += float64(l.Clients())
	}
	return n
}

// newLimit limits by one policy. The main one is that of the health check.
func (s *Service) newLimit(p ratelimit.Policy, main bool) (ratelimit.Limiter, error) {
	var own local
	own, err := memory.New(p)
	if err != nil {
		own, err = memory.NewLarge(p)
	}
	if err != nil {
		return nil, err
	}
	s.locals = append(s.locals, own)
	if s.opts.Redis.IsZero() {
		return own, nil
	}
	shared, err := s.newShared(own, p)
	if main {
		s.upstreams.Shared = shared
	}
	return shared, err
}

// newShared limits requests through Redis, with the limit in memory as fallback.
func (s *Service) newShared(own local, p ratelimit.Policy) (*ratelimit.Fallback, error) {
	remote, err := redis.New(s.opts.Redis, p)
	if err != nil {
		return nil, err
	}
	s.redis = append(s.redis, remote)
	return ratelimit.NewFallback(ratelimit.FallbackOptions{
		Remote: remote, Local: own, Alone: s.metrics.Alone,
		Asked: func(took time.Duration, err error) { s.metrics.Upstream("redis", outcome(err), took) },
		Changed: func(degraded bool, cause error) {
			s.opts.Log.Warn("rate limit", "sharedThroughRedis", !degraded, "err", cause)
		},
	})
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
	if s.upstreams.Settler != nil {
		s.upstreams.Settler.Close()
	}
	if s.upstreams.Pools != nil {
		s.upstreams.Pools.Close()
	}
	if s.backlog != nil {
		s.backlog.Close()
	}
	for _, r := range s.redis {
		r.Close()
	}
}

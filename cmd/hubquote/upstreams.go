package main

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"hubquote/internal/catalog"
	"hubquote/internal/integrator"
	"hubquote/internal/issuer"
	"hubquote/internal/metrics"
	"hubquote/internal/quorum"
	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/memory"
	"hubquote/internal/ratelimit/redis"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// upstreams are the clients of everything outside the process. A nil field was
// not configured: without it some quotes are refused or some work is done
// alone, but none of the rest depends on it.
type upstreams struct {
	registries *integrator.Registries
	live       *issuer.Live
	redis      *redis.Redis
	limiter    ratelimit.Limiter
	fallback   *ratelimit.Fallback
	catalog    *catalog.Catalog
}

func (c *settings) connect(cat *catalog.Catalog, m *metrics.Metrics, log *slog.Logger) (*upstreams, error) {
	u := &upstreams{catalog: cat}
	for _, step := range []func(*settings, *metrics.Metrics, *slog.Logger) error{
		u.connectRegistries, u.connectIssuer, u.connectLimiter,
	} {
		if err := step(c, m, log); err != nil {
			u.close()
			return nil, fmt.Errorf("serve: %w", err)
		}
	}
	return u, nil
}

func (u *upstreams) connectRegistries(c *settings, m *metrics.Metrics, _ *slog.Logger) (err error) {
	opts := integrator.Options{Observe: func(r quorum.Report) {
		m.Upstream(registryName(r.Chain), string(r.Fault), r.Took)
	}}
	for _, id := range u.catalog.RegistryChains() {
		if urls := c.rpc.of(id); urls != nil {
			registry, _ := u.catalog.Registry(id)
			opts.Chains = append(opts.Chains, integrator.Chain{ID: id, Registry: registry, Endpoints: urls, MaxBlockAge: c.maxBlockAge})
		}
	}
	if opts.Chains == nil {
		return nil
	}
	if u.registries, err = integrator.New(opts); err != nil {
		return err
	}
	for i, chain := range opts.Chains {
		u.watchRegistry(m, i, chain)
	}
	return nil
}

// watchRegistry adds the gauges of the i-th chain.
func (u *upstreams) watchRegistry(m *metrics.Metrics, i int, c integrator.Chain) {
	chain := fmt.Sprint(c.ID)
	m.Watch(metrics.Gauge{
		Name: "hubquote_registry_up", Help: "Whether enough endpoints of a chain did their part when last asked.",
		Labels: map[string]string{"chain": chain},
		Read:   func() float64 { return number(u.registries.Health()[i].Up) },
	})
	for j := range c.Endpoints {
		m.Watch(metrics.Gauge{
			Name: "hubquote_registry_breaker_open", Help: "Whether an endpoint, counted in the order of the configuration, is being left alone.",
			Labels: map[string]string{"chain": chain, "endpoint": fmt.Sprint(j + 1)},
			Read:   func() float64 { return number(u.registries.Health()[i].Endpoints[j].Breaker != upstream.Closed) },
		})
	}
}

func registryName(id swap.ChainID) string { return fmt.Sprintf("registry %d", id) }

func (u *upstreams) connectIssuer(c *settings, m *metrics.Metrics, _ *slog.Logger) (err error) {
	if c.issuer.IsZero() {
		return nil
	}
	opts := issuer.Options{URL: c.issuer, Observe: func(r issuer.Refresh) {
		m.Upstream("issuer", string(r.Fault), r.Took)
	}}
	for _, r := range u.catalog.Routes() {
		if r.Burn != nil {
			opts.Burns = append(opts.Burns, r.Burn)
		}
	}
	if u.live, err = issuer.NewLive(opts); err != nil {
		return err
	}
	for i, source := range u.live.Health() {
		m.Watch(metrics.Gauge{
			Name: "hubquote_issuer_fee_age_seconds", Help: "How old the issuer's fee for a source domain is; -1 before there is one.",
			Labels: map[string]string{"domain": fmt.Sprint(source.Source)},
			Read:   func() float64 { return feeAge(u.live.Health()[i]) },
		})
	}
	return nil
}

func feeAge(s issuer.SourceHealth) float64 {
	if !s.Known {
		return -1
	}
	return s.Age.Seconds()
}

func (u *upstreams) connectLimiter(c *settings, m *metrics.Metrics, log *slog.Logger) error {
	local, err := memory.New(ratelimit.Standard())
	if err != nil {
		return err
	}
	u.limiter = local
	m.Watch(metrics.Gauge{
		Name: "hubquote_limiter_clients", Help: "Clients that this replica's memory knows.",
		Read: func() float64 { return float64(local.Clients()) },
	})
	if c.redis.IsZero() {
		return nil
	}
	return u.connectRedis(c, local, m, log)
}

func (u *upstreams) connectRedis(c *settings, local *memory.Memory, m *metrics.Metrics, log *slog.Logger) (err error) {
	if u.redis, err = redis.New(c.redis, ratelimit.Standard()); err != nil {
		return err
	}
	u.fallback, err = ratelimit.NewFallback(ratelimit.FallbackOptions{
		Remote: u.redis, Local: local, Alone: m.Alone,
		Asked: func(took time.Duration, err error) { m.Upstream("redis", redisFault(err), took) },
		Changed: func(degraded bool, cause error) {
			log.Warn("rate limit", "sharedThroughRedis", !degraded, "err", cause)
		},
	})
	if err != nil {
		return err
	}
	u.limiter = u.fallback
	m.Watch(metrics.Gauge{
		Name: "hubquote_limiter_degraded", Help: "Whether this replica counts alone because Redis is lost.",
		Read: func() float64 { return number(u.fallback.Degraded()) },
	})
	return nil
}

func redisFault(err error) string {
	if err == nil {
		return ""
	}
	return "failed"
}

// integrators returns an interface that is nil when no registry can be asked.
func (u *upstreams) integrators() swap.Integrators {
	if u.registries == nil {
		return nil
	}
	return u.registries
}

func (u *upstreams) issuerFees() swap.IssuerFees {
	if u.live == nil {
		return issuer.Published{}
	}
	return u.live
}

// start begins what goes on without requests: learning the issuer's fee.
func (u *upstreams) start() {
	if u.live != nil {
		u.live.Start(context.Background())
	}
}

func (u *upstreams) close() {
	if u.registries != nil {
		u.registries.Close()
	}
	if u.live != nil {
		u.live.Close()
	}
	if u.redis != nil {
		u.redis.Close()
	}
}

func number(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

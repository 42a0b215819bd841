// Package service builds the quote service from one [Options]: the catalog, the
// clients of its upstreams, the rate limit, the metrics, the HTTP interface and its
// listeners.
//
// Operators, the devnet, the load tests and the tests of the page and of the
// clients all run a [Service]; nothing else assembles one.
package service

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"

	"hubquote/internal/api"
	"hubquote/internal/health"
	"hubquote/internal/listen"
	"hubquote/internal/metrics"
	"hubquote/internal/pinfile"
	"hubquote/internal/pools/backlog"
	"hubquote/internal/pools/drift"
	"hubquote/internal/quorum"
	"hubquote/internal/quoter"
	"hubquote/internal/ratelimit"
	"hubquote/swap"
)

// A Service answers requests for quotes.
type Service struct {
	opts        Options
	metrics     *metrics.Metrics
	upstreams   health.Upstreams
	redis       []store          // one for each budget; nil unless it is configured
	locals      []local          // the limits in memory, one for each budget
	integrators swap.Integrators // nil when no registry can be asked
	fees        swap.IssuerFees
	backlog     *backlog.Settler  // nil unless a settler and pools can be asked
	pools       swap.Pools        // nil when no chain of theirs can be asked
	minFees     swap.MinFees      // nil likewise
	limiter     ratelimit.Limiter // nil when there is no limit
	tracks      ratelimit.Limiter // for the status
	api         *api.Server
	handler     http.Handler
	servers     listen.Servers
	refreshing  sync.Once
	stopLooking context.CancelFunc // nil before Refresh
	looking     sync.WaitGroup
}

// New returns a service that has sent no request and has no open address yet.
func New(opts Options) (*Service, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	cat := opts.Catalog
	s := &Service{opts: opts, upstreams: health.Upstreams{Catalog: cat}, metrics: metrics.New(metrics.Info{
		Version: opts.Version, Catalog: cat.Digest(), Deployment: cat.Deployment(), Reference: cat.Reference(),
	}, string(swap.Direct), string(swap.CCTPInbound))}
	for _, step := range []func() error{s.newRegistries, s.newPools, s.newIssuer, s.newSettler, s.newLimiter, s.newAPI} {
		if err := step(); err != nil {
			s.Close()
			return nil, err
		}
	}
	s.metrics.Watch(s.upstreams.Gauges()...)
	s.metrics.WatchTables(s.upstreams.Tables()...)
	s.servers = listen.Servers{
		{Name: "public", Address: opts.Listen, Inherited: opts.Sockets["public"], MaxConnections: opts.MaxConnections, Trusted: opts.TrustedProxies, HTTP: listen.Public(s.handler, opts.Log)},
		{Name: "admin", Address: opts.Admin, Inherited: opts.Sockets["admin"], HTTP: listen.Admin(s.metrics.Handler(), opts.Log)},
	}
	return s, nil
}

func (s *Service) newAPI() error {
	q, err := quoter.New(quoter.Options{
		Catalog: s.opts.Catalog, Integrators: s.integrators, IssuerFees: s.fees, Pools: s.pools, MinFees: s.minFees,
	})
	if err != nil {
		return err
	}
	opts := api.Options{
		StatusLimiter: s.tracks, Pins: s.pins(), Quoter: q, Catalog: s.opts.Catalog, Pools: s.pools, Limiter: s.limiter, TrustedProxies: s.opts.TrustedProxies,
		SecurityContact: s.opts.SecurityContact, Version: s.opts.Version, Commit: s.opts.Commit, Checks: s.Checks, Metrics: s.metrics, Log: s.opts.Log,
	}
	if s.upstreams.Settler != nil {
		opts.Tracker = s.upstreams.Settler
	}
	if s.api, err = api.New(opts); err != nil {
		return err
	}
	s.metrics.Watch(metrics.Gauge{
		Name: "hubquote_status_waiting", Help: "Requests that wait for news of a swap.",
		Read: func() float64 { return float64(s.api.Waiting()) },
	})
	s.handler = s.api
	if len(s.opts.Mount) > 0 {
		mux := http.NewServeMux()
		mux.Handle("/", s.api)
		for pattern, h := range s.opts.Mount {
			mux.Handle(pattern, h)
		}
		s.handler = mux
	}
	return nil
}

// maxLiveFee is the highest issuer's fee that the page accepts from a service that
// uses the issuer's API or asks messengers. It is 20 bps, above all published fees.
const maxLiveFee swap.IssuerRate = 20_000_000_000

// pins are the facts that the page compares this service's quotes with.
func (s *Service) pins() []byte {
	var a pinfile.Allowances
	if s.upstreams.Issuer != nil || s.opts.asksMessengers() {
		a.IssuerMax = maxLiveFee
	}
	return pinfile.Of(s.opts.Catalog, a).Text()
}

// Handler is the handler of the public server.
func (s *Service) Handler() http.Handler { return s.handler }

// Checks returns the state of the upstreams, from memory.
func (s *Service) Checks() []api.Check { return append(s.upstreams.Checks(), s.opts.Checks...) }

// Probe asks every upstream once and returns the state of each.
func (s *Service) Probe(ctx context.Context) []api.Check {
	s.Refresh()
	s.upstreams.Probe(ctx)
	checks := s.Checks()
	if len(s.redis) > 0 {
		checks = append(checks, s.redisNodes(ctx))
	}
	return checks
}

// redisNodes asks every node of Redis, also those that are not in use now.
func (s *Service) redisNodes(ctx context.Context) api.Check {
	well, all := s.redis[0].Nodes(ctx)
	check := api.Check{Name: "redis", Status: api.CheckOK, Detail: fmt.Sprintf("%d of %d nodes", well, all)}
	if well < all {
		check.Status = api.CheckDown
	}
	return check
}

// Comparison returns what is known of the contracts beside what it should be; nil
// when nothing is known.
func (s *Service) Comparison() []drift.Row {
	if s.upstreams.Pools == nil {
		return nil
	}
	return s.upstreams.Pools.View().Rows()
}

// Listen opens the addresses. Run does so too; a caller that needs the addresses
// before calls Listen first.
func (s *Service) Listen() error { return s.servers.Open() }

// Addr returns the public address that is open, or nil.
func (s *Service) Addr() net.Addr { return s.servers[0].Addr() }

// Run serves until ctx ends, then drains: the health check says so, and requests
// in progress are finished.
func (s *Service) Run(ctx context.Context) error {
	if s.Addr() == nil {
		if err := s.Listen(); err != nil {
			return err
		}
	}
	s.announce()
	s.Refresh()
	return s.servers.Run(ctx, listen.Drain{Begin: s.api.Drain, Delay: s.opts.DrainDelay}, s.opts.Log)
}

// announce logs the deployment, with warnings when it exists on no public chain and
// when a single endpoint is trusted.
func (s *Service) announce() {
	cat, log := s.opts.Catalog, s.opts.Log
	log.Info("catalog loaded", "digest", cat.Digest(), "deployment", cat.Deployment(), "routes", len(cat.Routes()))
	if cat.Reference() {
		log.Warn("REFERENCE DEPLOYMENT: these contracts exist on a local devnet and on no public chain; use --catalog for your own")
	}
	for _, id := range cat.RegistryChains() {
		if n := len(s.opts.RPC[id]); quorum.Warning(n) != "" {
			log.Warn("FEW ENDPOINTS: an integrator's entry is believed from one endpoint, as there are fewer than three to compare", "chain", id, "endpoints", n)
		}
	}
}

// A store is a limiter that replicas share. It is not named by its type, which would
// have every package that uses a Service compile a part of the client's library.
type store interface {
	ratelimit.Remote
	Nodes(context.Context) (well, all int)
	Close() error
}

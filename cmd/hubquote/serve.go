package main

import (
	"log/slog"
	"runtime/debug"

	"hubquote/internal/api"
	"hubquote/internal/catalog"
	"hubquote/internal/metrics"
	"hubquote/internal/quoter"
	"hubquote/swap"
)

const serveHelp = `hubquote serve answers requests for quotes over HTTP until it is told to stop.

On SIGTERM or Ctrl-C the health check says "draining" for a moment, requests
under way are finished, and the program exits with 0. A second signal ends it at
once.

Settings come from flags, then from the environment, then from the file that
--config names: TOML whose keys are the names of the flags, such as

  listen = "0.0.0.0:8080"
  trusted-proxies = "10.0.0.0/8"

  [rpc]
  369 = ["https://host/key", "https://other/key"]`

func serve(args []string, s std) error {
	var c settings
	f := newFlags("serve", serveHelp, s)
	c.define(f)
	if err := f.parse(args); err != nil {
		return err
	}
	if c.config != "" {
		if err := f.parseFile(c.config, &c.rpc); err != nil {
			return err
		}
	}
	cat, err := c.loadCatalog()
	if err != nil {
		return err
	}
	if err := c.completeRPC(cat, s); err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(s.err, &slog.HandlerOptions{Level: c.logLevel}))
	if c.check || c.reach {
		return c.report(cat, log, s.out)
	}
	tuneCollector(s)
	return c.serve(cat, log)
}

// What the collector is told unless the environment tells it otherwise. A small
// heap may grow to several times its size between collections, which are then
// rare; but one that holds a million clients of the limiter must not even
// double, so that the process stays below 300 MB.
const (
	gcPercent   = 400
	memoryLimit = 280 << 20
)

func tuneCollector(s std) {
	if _, decided := s.env("GOGC"); !decided {
		debug.SetGCPercent(gcPercent)
	}
	if _, decided := s.env("GOMEMLIMIT"); !decided {
		debug.SetMemoryLimit(memoryLimit)
	}
}

func (c *settings) serve(cat *catalog.Catalog, log *slog.Logger) error {
	m := newMetrics(cat)
	u, err := c.connect(cat, m, log)
	if err != nil {
		return err
	}
	defer u.close()
	handler, err := c.handler(u, m, log)
	if err != nil {
		return err
	}
	endpoints := []*endpoint{
		{name: "public", address: c.listen, most: c.maxConnections, server: publicServer(handler, log)},
		{name: "admin", address: c.admin, server: adminServer(m, log)},
	}
	if err := listen(endpoints); err != nil {
		return err
	}
	announce(cat, log)
	u.start()
	return serveUntilSignal(endpoints, handler.Drain, c.drainDelay, log)
}

func newMetrics(cat *catalog.Catalog) *metrics.Metrics {
	return metrics.New(metrics.Info{
		Version: version, Catalog: cat.Digest(), Deployment: cat.Deployment(), Reference: cat.Reference(),
	}, string(swap.Direct), string(swap.CCTPInbound))
}

// handler puts the rooms together.
func (c *settings) handler(u *upstreams, m *metrics.Metrics, log *slog.Logger) (*api.Server, error) {
	q, err := quoter.New(quoter.Options{
		Catalog: u.catalog, Integrators: u.integrators(), IssuerFees: u.issuerFees(),
	})
	if err != nil {
		return nil, err
	}
	pins, err := u.pins()
	if err != nil {
		return nil, err
	}
	return api.New(api.Options{
		Pins: pins.Text(), Quoter: q, Catalog: u.catalog, Limiter: u.limiter, TrustedProxies: c.trustedProxies,
		Version: version, Commit: commit, Checks: u.checks, Metrics: m, Log: log,
	})
}

// announce says what is being quoted, and says it loudly when it is nothing on
// a public chain.
func announce(cat *catalog.Catalog, log *slog.Logger) {
	log.Info("catalog loaded", "digest", cat.Digest(), "deployment", cat.Deployment(), "routes", len(cat.Routes()))
	if cat.Reference() {
		log.Warn("REFERENCE DEPLOYMENT: these contracts exist on a local devnet and on no public chain; use --catalog for your own")
	}
}

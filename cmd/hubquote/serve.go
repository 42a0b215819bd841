package main

import (
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"strings"
	"time"

	"hubquote/internal/api"
	"hubquote/internal/catalog"
	"hubquote/internal/issuer"
	"hubquote/internal/metrics"
	"hubquote/internal/quoter"
	"hubquote/internal/ratelimit"
)

// settings are what an operator decides.
type settings struct {
	listen         string
	admin          string
	trustedProxies prefixes
	catalog        string
	logLevel       slog.Level
	drainDelay     time.Duration
}

const serveHelp = `hubquote serve answers requests for quotes over HTTP until it is told to stop.

On SIGTERM or Ctrl-C the health check says "draining" for a moment, requests
under way are finished, and the program exits with 0. A second signal ends it at
once.`

func serve(args []string, s std) error {
	var c settings
	f := newFlags("serve", serveHelp, s)
	f.StringVar(&c.listen, "listen", "127.0.0.1:8080", "`address` to serve on")
	f.StringVar(&c.admin, "admin", "127.0.0.1:9090", "`address` for Prometheus metrics and profiles; empty for none.\nKeep it private: profiles show the inside of the process")
	f.Var(&c.trustedProxies, "trusted-proxies", "comma-separated `networks` of proxies that may say in X-Forwarded-For\nwhom they speak for, such as 10.0.0.0/8; without it the client is the\nsocket's peer")
	f.StringVar(&c.catalog, "catalog", "", "`directory` of the catalog to serve instead of the built-in one")
	f.TextVar(&c.logLevel, "log-level", slog.LevelInfo, "`level` below which nothing is logged: DEBUG, INFO, WARN or ERROR")
	f.DurationVar(&c.drainDelay, "drain-delay", time.Second, "`time` to go on serving after a signal, so that a load balancer that\npolls the health check notices")
	if err := f.parse(args); err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(s.err, &slog.HandlerOptions{Level: c.logLevel}))
	return c.serve(log)
}

func (c *settings) serve(log *slog.Logger) error {
	cat, err := c.loadCatalog()
	if err != nil {
		return err
	}
	m := metrics.New(metrics.Info{Version: version, Catalog: cat.Digest(), Deployment: cat.Deployment()})
	handler, err := c.wire(cat, m, log)
	if err != nil {
		return err
	}
	announce(cat, log)
	return listenAndServe(handler, []endpoint{
		{"public", c.listen, publicServer(handler, log)},
		{"admin", c.admin, adminServer(m, log)},
	}, c.drainDelay, log)
}

func (c *settings) loadCatalog() (*catalog.Catalog, error) {
	if c.catalog == "" {
		return catalog.Embedded()
	}
	return catalog.Load(os.DirFS(c.catalog))
}

// wire puts the rooms together.
func (c *settings) wire(cat *catalog.Catalog, m *metrics.Metrics, log *slog.Logger) (*api.Server, error) {
	q, err := quoter.New(quoter.Options{Catalog: cat, IssuerFees: issuer.Published{}})
	if err != nil {
		return nil, err
	}
	limiter, err := ratelimit.NewMemory(ratelimit.MemoryOptions{})
	if err != nil {
		return nil, err
	}
	return api.New(api.Options{
		Quoter: q, Catalog: cat, Limiter: limiter, TrustedProxies: c.trustedProxies,
		Version: version, Checks: c.checks, Metrics: m, Log: log,
	})
}

func (c *settings) checks() []api.Check {
	return []api.Check{
		{Name: "integrators", Status: api.CheckOff, Detail: "no RPC endpoint is configured"},
		{Name: "issuer fee", Status: api.CheckOK, Detail: "published schedule"},
		{Name: "limiter", Status: api.CheckOK, Detail: "memory"},
	}
}

// announce says what is being quoted, and says it loudly when it is nothing on
// a public chain.
func announce(cat *catalog.Catalog, log *slog.Logger) {
	log.Info("catalog loaded", "digest", cat.Digest(), "deployment", cat.Deployment(), "routes", len(cat.Routes()))
	if cat.Reference() {
		log.Warn("REFERENCE DEPLOYMENT: these contracts exist on a local devnet and on no public chain; use --catalog for your own")
	}
}

// prefixes is a flag: a comma-separated list of networks.
type prefixes []netip.Prefix

func (p *prefixes) String() string { return strings.Trim(fmt.Sprint([]netip.Prefix(*p)), "[]") }

func (p *prefixes) Set(s string) error {
	*p = nil
	for word := range strings.SplitSeq(s, ",") {
		if word = strings.TrimSpace(word); word == "" {
			continue
		}
		prefix, err := netip.ParsePrefix(word)
		if err != nil {
			return fmt.Errorf("not a network such as 10.0.0.0/8")
		}
		*p = append(*p, prefix.Masked())
	}
	return nil
}

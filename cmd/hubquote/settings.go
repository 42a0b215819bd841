package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"hubquote/internal/catalog"
	"hubquote/internal/upstream"
)

// settings are what an operator decides. Each is a flag, an environment
// variable and a key of the configuration file, in that order of precedence.
type settings struct {
	listen         string
	admin          string
	maxConnections uint
	trustedProxies prefixes
	catalog        string
	rpc            endpoints
	maxBlockAge    time.Duration
	issuer         upstream.URL
	redis          upstream.URL
	logLevel       slog.Level
	drainDelay     time.Duration

	config       string
	check, reach bool
}

// define declares the settings as flags.
func (c *settings) define(f *flags) {
	f.StringVar(&c.listen, "listen", "127.0.0.1:8080", "`address` to serve on")
	f.StringVar(&c.admin, "admin", "127.0.0.1:9090", "`address` for Prometheus metrics and profiles; empty for none.\nKeep it private: profiles show the inside of the process")
	f.UintVar(&c.maxConnections, "max-connections", 8192, "`number` of connections to keep open at most; the next ones wait.\nEach takes about 20 KiB. Zero for as many as the system allows")
	f.Var(&c.trustedProxies, "trusted-proxies", "comma-separated `networks` of proxies that may say in X-Forwarded-For\nwhom they speak for, such as 10.0.0.0/8; without it the client is the\nsocket's peer")
	f.StringVar(&c.catalog, "catalog", "", "`directory` of the catalog to serve instead of the built-in one")
	f.secret(&c.rpc, "rpc", "JSON-RPC endpoint of a registry as `chain=URL`, such as\n369=https://host/key; repeat it for more. With three or more for one\nchain, two must agree. In the environment each chain has a variable\nof its own, such as HUBQUOTE_RPC_369, with URLs separated by spaces")
	f.env["rpc"] = "HUBQUOTE_RPC_<chain>"
	f.DurationVar(&c.maxBlockAge, "rpc-max-block-age", 5*time.Minute, "`time` after which an endpoint's newest block is too old to be believed;\nnegative for chains that make blocks on demand, such as local ones")
	f.secret(urlFlag{&c.issuer}, "issuer", "`URL` of the issuer's API for its current fees; without it the\npublished schedule is used")
	f.secret(urlFlag{&c.redis}, "redis", "`URL` of a Redis that replicas share the rate limit through, such as\nredis://:password@host:6379/0; without it each counts alone")
	f.TextVar(&c.logLevel, "log-level", slog.LevelInfo, "`level` below which nothing is logged: DEBUG, INFO, WARN or ERROR")
	f.DurationVar(&c.drainDelay, "drain-delay", time.Second, "`time` to go on serving after a signal, so that a load balancer that\npolls the health check notices")
	f.StringVar(&c.config, "config", "", "`file` to read settings from that neither flags nor environment give")
	f.BoolVar(&c.check, "check", false, "check the settings and the catalog, print them with secrets hidden,\nand exit")
	f.BoolVar(&c.reach, "check-upstreams", false, "do as --check does, and ask every upstream once")
}

func (c *settings) loadCatalog() (*catalog.Catalog, error) {
	if c.catalog == "" {
		return catalog.Embedded()
	}
	cat, err := catalog.Load(os.DirFS(c.catalog))
	if err != nil {
		return nil, fmt.Errorf("serve: %s: %w", c.catalog, err)
	}
	return cat, nil
}

// completeRPC adds the endpoints that only the environment names, and refuses
// those of chains that have no registry to ask: they would be a mistake.
func (c *settings) completeRPC(cat *catalog.Catalog, s std) error {
	if _, ok := s.env("HUBQUOTE_RPC"); ok {
		return errors.New("serve: HUBQUOTE_RPC in the environment: each chain has a variable of its own, such as HUBQUOTE_RPC_369")
	}
	for _, id := range cat.RegistryChains() {
		value, ok := s.env(fmt.Sprintf("HUBQUOTE_RPC_%d", id))
		if !ok || c.rpc.from(id) == fromFlag {
			continue
		}
		if err := c.rpc.replace(id, strings.Fields(value)); err != nil {
			return fmt.Errorf("serve: HUBQUOTE_RPC_%d in the environment: %w", id, err)
		}
	}
	for _, e := range c.rpc.list {
		if !slices.Contains(cat.RegistryChains(), e.chain) {
			return fmt.Errorf("serve: rpc: chain %d has no integrator registry; those that have are %v", e.chain, cat.RegistryChains())
		}
	}
	return nil
}

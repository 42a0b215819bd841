package main

import (
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"slices"
	"strings"
	"time"

	"hubquote/internal/catalog"
	"hubquote/internal/secret"
	"hubquote/swap"
)

// settings are what an operator decides. Each is a flag, an environment
// variable and a key of the configuration file, in that order of precedence.
type settings struct {
	listen         string
	admin          string
	trustedProxies prefixes
	catalog        string
	rpc            endpoints
	issuer         secret.URL
	redis          secret.URL
	logLevel       slog.Level
	drainDelay     time.Duration

	check, reach bool
}

// define declares the settings as flags.
func (c *settings) define(f *flags) {
	f.StringVar(&c.listen, "listen", "127.0.0.1:8080", "`address` to serve on")
	f.StringVar(&c.admin, "admin", "127.0.0.1:9090", "`address` for Prometheus metrics and profiles; empty for none.\nKeep it private: profiles show the inside of the process")
	f.Var(&c.trustedProxies, "trusted-proxies", "comma-separated `networks` of proxies that may say in X-Forwarded-For\nwhom they speak for, such as 10.0.0.0/8; without it the client is the\nsocket's peer")
	f.StringVar(&c.catalog, "catalog", "", "`directory` of the catalog to serve instead of the built-in one")
	f.secret(&c.rpc, "rpc", "JSON-RPC endpoint of a registry `chain=URL`, such as\n369=https://host/key; repeat it for more. With three or more for one\nchain, two must agree. In the environment each chain has a variable\nof its own, HUBQUOTE_RPC_369, with URLs separated by spaces")
	f.secret(urlFlag{&c.issuer}, "issuer", "`URL` of the issuer's API for its current fees; without it the\npublished schedule is used")
	f.secret(urlFlag{&c.redis}, "redis", "`URL` of a Redis that replicas share the rate limit through, such as\nredis://:password@host:6379/0; without it each counts alone")
	f.TextVar(&c.logLevel, "log-level", slog.LevelInfo, "`level` below which nothing is logged: DEBUG, INFO, WARN or ERROR")
	f.DurationVar(&c.drainDelay, "drain-delay", time.Second, "`time` to go on serving after a signal, so that a load balancer that\npolls the health check notices")
	f.BoolVar(&c.check, "check", false, "check the settings and the catalog, print them with secrets hidden,\nand exit")
	f.BoolVar(&c.reach, "check-upstreams", false, "with --check, also ask every upstream once")
}

func (c *settings) loadCatalog() (*catalog.Catalog, error) {
	if c.catalog == "" {
		return catalog.Embedded()
	}
	return catalog.Load(os.DirFS(c.catalog))
}

// completeRPC adds the endpoints that only the environment names, and refuses
// those of chains that have no registry to ask: they would be a mistake.
func (c *settings) completeRPC(cat *catalog.Catalog, s std) error {
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

// urlFlag is a flag: the address of an upstream.
type urlFlag struct{ *secret.URL }

func (u urlFlag) Set(s string) error { return u.UnmarshalText([]byte(s)) }

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

// endpoints is a flag: JSON-RPC servers by chain.
type endpoints struct{ list []chainEndpoint }

type chainEndpoint struct {
	chain swap.ChainID
	url   secret.URL
	from  origin
}

// An origin is where a setting came from; a larger one wins.
type origin int

const (
	fromNowhere origin = iota
	fromFile
	fromFlag
)

func (e *endpoints) String() string { return "" }

// Set reads one chain=URL of the command line.
func (e *endpoints) Set(s string) error {
	id, url, _ := strings.Cut(s, "=")
	return e.add(id, url, fromFlag)
}

func (e *endpoints) add(id, url string, from origin) error {
	chain, err := swap.ParsePlaceID(id)
	if err != nil {
		return fmt.Errorf("not chain=URL, such as 369=https://host/key")
	}
	parsed, err := secret.Parse(url)
	if err != nil {
		return err
	}
	if !parsed.IsHTTP() {
		return fmt.Errorf("chain %d: not an http or https URL", chain)
	}
	e.list = append(e.list, chainEndpoint{swap.ChainID(chain), parsed, from})
	return nil
}

// from says where the endpoints of a chain came from.
func (e *endpoints) from(id swap.ChainID) (o origin) {
	for _, c := range e.list {
		if c.chain == id {
			o = max(o, c.from)
		}
	}
	return o
}

// replace sets the endpoints of one chain.
func (e *endpoints) replace(id swap.ChainID, urls []string) error {
	e.list = slices.DeleteFunc(e.list, func(c chainEndpoint) bool { return c.chain == id })
	for _, url := range urls {
		if err := e.add(fmt.Sprint(id), url, fromFlag); err != nil {
			return err
		}
	}
	return nil
}

// of returns the URLs of one chain.
func (e *endpoints) of(id swap.ChainID) (urls []secret.URL) {
	for _, c := range e.list {
		if c.chain == id {
			urls = append(urls, c.url)
		}
	}
	return urls
}

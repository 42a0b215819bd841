package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"hubquote/internal/command"
	"hubquote/internal/endpoints"
	"hubquote/internal/flags"
	"hubquote/internal/ratelimit"
	"hubquote/internal/upstream"
)

// settings are the flags of serve. Each is a flag, an environment
// variable and a key of the configuration file, in that order of precedence.
type settings struct {
	listen         string
	admin          string
	maxConnections uint
	trustedProxies flags.Networks
	catalog        string
	rpc            endpoints.Setting
	maxBlockAge    time.Duration
	requirePools   bool
	operator       string
	issuer         upstream.URL
	settler        upstream.URL
	redis          upstream.URL
	limit          ratelimit.Policy
	budgets        string
	logLevel       slog.Level
	drainDelay     time.Duration
	contact        flags.Contact

	config       string
	check, reach bool
}

// define declares the settings as flags.
func (c *settings) define(f *flags.Set) {
	f.StringVar(&c.listen, "listen", "127.0.0.1:8080", "`address` to serve on")
	f.StringVar(&c.admin, "admin", "127.0.0.1:9090", "`address` for Prometheus metrics and profiles; empty for none.\nKeep it private: profiles show the inside of the process")
	f.UintVar(&c.maxConnections, "max-connections", 8192, "`number` of connections to keep open at most; beyond it the one that has\nbeen idle for longest is closed. Each takes about 30 KiB. Zero for as\nmany as the system allows")
	f.Var(&c.trustedProxies, "trusted-proxies", "comma-separated `networks` of proxies that may name their client in\nX-Forwarded-For, such as 10.0.0.0/8; without it the client is the\nsocket's peer")
	f.StringVar(&c.catalog, "catalog", "", "`directory` of the catalog to serve instead of the built-in one")
	c.rpc.Define(f)
	f.DurationVar(&c.maxBlockAge, "rpc-max-block-age", 5*time.Minute, "`time` after which an endpoint's newest block is too old to be believed;\nnegative for chains that make blocks on demand, such as local ones")
	f.BoolVar(&c.requirePools, "require-pools", false, "refuse quotes for routes whose pools, or whose least fee of a burn,\nwere not seen within a minute; without it such quotes are given as if there were nothing to know")
	f.StringVar(&c.operator, "operator", "", "`file` with what the operator of the contracts decided, to compare the\nchains with: TOML with the names of the flags of hubquote plan as keys;\nwithout it roles, caps and bounds are compared for the reference\ndeployment only")
	f.Secret(urlFlag{&c.issuer}, "issuer", "`URL` of the issuer's API for its current fees; without it the\npublished schedule is used")
	f.Secret(urlFlag{&c.settler}, "settler", "`URL` of the settler's read-only interface, such as\nhttp://127.0.0.1:8090; without it /v3/swap/status answers 503")
	f.Secret(urlFlag{&c.redis}, "redis", "`URL` of a Redis that replicas share the rate limit through, such as\nredis://:password@host:6379/0; without it each counts alone")
	f.TextVar(&c.limit, "limit", ratelimit.Standard(), "`requests/window` that each client is allowed, such as 30/60s")
	f.StringVar(&c.budgets, "budgets", "", "`file` with other limits for clients of named networks: TOML with a\ntable for each, of networks and a limit")
	f.TextVar(&c.logLevel, "log-level", slog.LevelInfo, "`level` below which nothing is logged: DEBUG, INFO, WARN or ERROR")
	f.DurationVar(&c.drainDelay, "drain-delay", time.Second, "`time` to go on serving after a signal, so that a load balancer that\npolls the health check notices")
	f.Var(&c.contact, "security-contact", "`URI` for reports of vulnerabilities, such as mailto:security@example.org,\nserved as /.well-known/security.txt; without it there is no such file")
	f.StringVar(&c.config, "config", "", "`file` to read settings from that neither flags nor environment give")
	f.BoolVar(&c.check, "check", false, "check the settings and the catalog, print them with secrets hidden,\nand exit")
	f.BoolVar(&c.reach, "check-upstreams", false, "do as --check does, ask every upstream once, and compare the contracts\non chain with the catalog; exit with 1 if anything differs")
	f.NotInFile("config", "check", "check-upstreams")
}

func readSettings(args []string, s command.Std) (*settings, error) {
	var c settings
	f := s.Flags("serve", serveHelp)
	c.define(f)
	if err := f.Parse(args); err != nil {
		return &c, err
	}
	if err := f.CheckEnv(os.Environ()); err != nil {
		return &c, err
	}
	if c.config != "" {
		if err := f.ParseFile(c.config, c.rpc.Tables()); err != nil {
			return &c, err
		}
	}
	return &c, c.validate()
}

// mostConnections is more than the memory of one machine holds.
const mostConnections = 1 << 24

// validate refuses values that parse and cannot be meant.
func (c *settings) validate() error {
	switch {
	case c.listen == "":
		return errors.New("serve: listen: an empty address serves nothing; write one such as 127.0.0.1:8080")
	case c.maxBlockAge == 0:
		return errors.New("serve: rpc-max-block-age: write a time such as 5m, or a negative one for any age")
	case c.maxConnections > mostConnections:
		return fmt.Errorf("serve: max-connections: write a number up to %d, or zero for as many as the system allows", mostConnections)
	case c.drainDelay < 0:
		return errors.New("serve: drain-delay: write zero or a time such as 1s")
	}
	return nil
}

// urlFlag is a flag: the address of an upstream.
type urlFlag struct{ *upstream.URL }

func (u urlFlag) Set(s string) error { return u.UnmarshalText([]byte(s)) }

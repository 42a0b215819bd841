package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment/operator"
	"hubquote/internal/deployment/planfiles"
	budgets "hubquote/internal/ratelimit/budget"
	"hubquote/internal/service"
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
	c, err := readSettings(args, s)
	if err != nil {
		return err
	}
	opts, err := c.options(s)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	quotes, err := service.New(opts)
	if err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	defer quotes.Close()
	if c.check || c.reach {
		return c.report(quotes, opts, s.out)
	}
	tuneCollector(s)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	context.AfterFunc(ctx, stop) // from the first signal on, a second one ends the program
	if err := quotes.Run(ctx); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// options converts the settings to those of the service.
func (c *settings) options(s std) (service.Options, error) {
	cat, err := catalog.Open(c.catalog)
	if err != nil {
		return service.Options{}, err
	}
	rpc, err := c.rpc.List(service.Chains(cat), s.env)
	if err != nil {
		return service.Options{}, err
	}
	special, err := c.readBudgets()
	if err != nil {
		return service.Options{}, err
	}
	decided, err := c.readOperator(cat)
	if err != nil {
		return service.Options{}, err
	}
	return service.Options{
		Operator: decided, Limit: c.limit, Budgets: special,
		Catalog: cat, RPC: rpc, MaxBlockAge: c.maxBlockAge, RequirePools: c.requirePools, Issuer: c.issuer, Settler: c.settler, Redis: c.redis,
		Listen: c.listen, Admin: c.admin, MaxConnections: c.maxConnections, TrustedProxies: c.trustedProxies,
		DrainDelay: c.drainDelay, SecurityContact: string(c.contact), Version: version, Commit: commit,
		Log: slog.New(slog.NewJSONHandler(s.err, &slog.HandlerOptions{Level: c.logLevel})),
	}, nil
}

// readBudgets reads the file of budgets, if there is one.
func (c *settings) readBudgets() ([]budgets.Budget, error) {
	if c.budgets == "" {
		return nil, nil
	}
	text, err := os.ReadFile(c.budgets)
	if err != nil {
		return nil, err
	}
	return budgets.Parse(string(text))
}

// readOperator reads the file of the operator's decisions, if there is one.
func (c *settings) readOperator(cat *catalog.Catalog) (*operator.Settings, error) {
	if c.operator == "" {
		return nil, nil
	}
	return planfiles.ReadOperator(c.operator, cat)
}

// Settings of the garbage collector, unless the environment has others. A small
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

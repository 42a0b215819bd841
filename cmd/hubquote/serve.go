package main

import (
	"fmt"
	"log/slog"
	"os"
	"time"

	"hubquote/internal/catalog"
	"hubquote/internal/command"
	"hubquote/internal/deployment/planfiles"
	"hubquote/internal/listen"
	"hubquote/internal/logqueue"
	"hubquote/internal/process"
	budgets "hubquote/internal/ratelimit/budget"
	"hubquote/internal/service"
)

const serveHelp = `hubquote serve answers requests for quotes over HTTP until it is told to stop.

On SIGTERM, SIGHUP or Ctrl-C the health check says "draining" for a moment,
requests under way are finished, and the program exits with 0. A second signal
ends it at once. Sockets that systemd opened (LISTEN_FDS) are used instead of
--listen and --admin, in this order.

Settings come from flags, then from the environment, then from the file that
--config names: TOML whose keys are the names of the flags, such as

  listen = "0.0.0.0:8080"
  trusted-proxies = "10.0.0.0/8"

  [rpc]
  369 = ["https://host/key", "https://other/key"]`

func serve(args []string, s command.Std) error {
	c, err := readSettings(args, s)
	if err != nil {
		return err
	}
	log := logqueue.New(s.Err)
	defer log.Close(logTimeout)
	s.Err = log
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
		return c.report(quotes, opts, s.Out)
	}
	process.TuneCollector(s.Env)
	ctx, stop := process.UntilSignal()
	defer stop()
	if err := quotes.Run(ctx); err != nil {
		return fmt.Errorf("serve: %w", err)
	}
	return nil
}

// logTimeout is how long the last lines of the log may take at the end.
const logTimeout = time.Second

// options converts the settings to those of the service.
func (c *settings) options(s command.Std) (service.Options, error) {
	cat, err := catalog.Open(c.catalog)
	if err != nil {
		return service.Options{}, err
	}
	rpc, err := c.rpc.List(service.Chains(cat), s.Env, os.Environ())
	if err != nil {
		return service.Options{}, err
	}
	sockets, err := listen.Inherit(s.Env, os.Getpid(), "public", "admin")
	if err != nil {
		return service.Options{}, err
	}
	special, err := budgets.Read(c.budgets)
	if err != nil {
		return service.Options{}, err
	}
	decided, err := planfiles.ReadOperator(c.operator, cat)
	if err != nil {
		return service.Options{}, err
	}
	return service.Options{
		Operator: decided, Limit: c.limit, Budgets: special, Sockets: sockets,
		Catalog: cat, RPC: rpc, MaxBlockAge: c.maxBlockAge, RequirePools: c.requirePools, Issuer: c.issuer, Settler: c.settler, Redis: c.redis,
		Listen: c.listen, Admin: c.admin, MaxConnections: c.maxConnections, TrustedProxies: c.trustedProxies,
		DrainDelay: c.drainDelay, SecurityContact: string(c.contact), Version: version, Commit: commit,
		Log: slog.New(slog.NewJSONHandler(s.Err, &slog.HandlerOptions{Level: c.logLevel})),
	}, nil
}

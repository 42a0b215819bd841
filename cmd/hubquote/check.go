package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/netip"
	"sync"
	"text/tabwriter"
	"time"

	"hubquote/internal/api"
	"hubquote/internal/catalog"
	"hubquote/internal/ratelimit"
	"hubquote/swap"
)

// report prints the settings as they would be used, secrets hidden, and fails
// if the server could not start with them.
func (c *settings) report(cat *catalog.Catalog, log *slog.Logger, out io.Writer) error {
	u, err := c.connect(cat, newMetrics(cat), log)
	if err != nil {
		return err
	}
	defer u.close()
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name string, value any) { fmt.Fprintf(w, "%s\t%v\n", name, value) }
	row("listen", c.listen)
	row("admin", cmp.Or(c.admin, "none"))
	row("max-connections", c.maxConnections)
	row("trusted-proxies", cmp.Or(c.trustedProxies.String(), "none"))
	row("catalog", cmp.Or(c.catalog, "built in"))
	row("  deployment", cat.Deployment())
	row("  digest", cat.Digest())
	row("  routes", len(cat.Routes()))
	for _, id := range cat.RegistryChains() {
		row(fmt.Sprintf("rpc %d", id), cmp.Or(joined(c.rpc.of(id)), "none"))
	}
	row("rpc-max-block-age", c.maxBlockAge)
	row("issuer", cmp.Or(c.issuer.String(), "none: the published schedule is used"))
	row("redis", cmp.Or(c.redis.String(), "none"))
	row("log-level", c.logLevel)
	row("drain-delay", c.drainDelay)
	if c.reach {
		err = u.reach(row)
	}
	return errors.Join(w.Flush(), err)
}

// reachTime is how long all upstreams together may take to answer.
const reachTime = 5 * time.Second

// redisAttempts is more than the failures it takes to give Redis up.
const redisAttempts = 10

// reach asks every configured upstream once.
func (u *upstreams) reach(row func(string, any)) error {
	u.start()
	ctx, cancel := context.WithTimeout(context.Background(), reachTime)
	defer cancel()
	u.ask(ctx)
	failed := false
	for _, check := range u.checks() {
		row(check.Name, check.Status+", "+check.Detail)
		failed = failed || check.Status == api.CheckDown
	}
	if failed {
		return errors.New("serve: an upstream does not answer as it should")
	}
	return nil
}

// ask makes the upstreams' health known: what an answer says does not matter,
// only that there is one. All are asked at once, as each that is down takes its
// time.
func (u *upstreams) ask(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	for _, id := range u.catalog.RegistryChains() {
		if u.registries != nil {
			all.Go(func() { _, _ = u.registries.Integrator(ctx, id, swap.IntegratorIDOf(swap.Native)) })
		}
	}
	for range redisAttempts {
		if u.fallback != nil {
			u.fallback.Take(ctx, ratelimit.ClientOf(netip.IPv4Unspecified()))
		}
	}
	for !u.issuerTried() && ctx.Err() == nil {
		time.Sleep(50 * time.Millisecond)
	}
}

// issuerTried reports whether the issuer was asked about every source.
func (u *upstreams) issuerTried() bool {
	if u.live == nil {
		return true
	}
	for _, s := range u.live.Health() {
		if !s.Known && s.Fault == "" {
			return false
		}
	}
	return true
}

func joined[T fmt.Stringer](list []T) (s string) {
	for i, v := range list {
		if i > 0 {
			s += ", "
		}
		s += v.String()
	}
	return s
}

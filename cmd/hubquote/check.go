package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"hubquote/internal/api"
	"hubquote/internal/quorum"
	"hubquote/internal/service"
)

// report prints the settings as they would be used, secrets hidden.
func (c *settings) report(s *service.Service, opts service.Options, out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	row := func(name string, value any) { fmt.Fprintf(w, "%s\t%v\n", name, value) }
	cat := opts.Catalog
	row("listen", c.listen)
	row("admin", cmp.Or(c.admin, "none"))
	row("max-connections", c.maxConnections)
	row("trusted-proxies", cmp.Or(c.trustedProxies.String(), "none"))
	row("catalog", cmp.Or(c.catalog, "built in"))
	row("  deployment", cat.Deployment())
	row("  digest", cat.Digest())
	row("  routes", len(cat.Routes()))
	for _, id := range cat.RegistryChains() {
		row(fmt.Sprintf("rpc %d", id), cmp.Or(joined(opts.RPC[id]), "none")+quorum.Warning(len(opts.RPC[id])))
	}
	row("rpc-max-block-age", c.maxBlockAge)
	row("issuer", cmp.Or(c.issuer.String(), "none: the published schedule is used"))
	row("redis", cmp.Or(c.redis.String(), "none"))
	row("log-level", c.logLevel)
	row("drain-delay", c.drainDelay)
	var err error
	if c.reach {
		err = reach(s, row)
	}
	return errors.Join(w.Flush(), err)
}

// reachTimeout is how long all upstreams together may take to answer.
const reachTimeout = 5 * time.Second

// reach asks every configured upstream once.
func reach(s *service.Service, row func(string, any)) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), reachTimeout)
	defer cancel()
	for _, check := range s.Probe(ctx) {
		row(check.Name, check.Status+", "+check.Detail)
		if check.Status == api.CheckDown {
			err = errors.New("serve: an upstream does not answer as it should")
		}
	}
	return err
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

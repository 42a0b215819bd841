package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"hubquote/internal/api"
	"hubquote/internal/pools/drift"
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
	for _, id := range service.Chains(cat) {
		if opts.RPC[id] != nil || slices.Contains(cat.RegistryChains(), id) {
			row(fmt.Sprintf("rpc %d", id), cmp.Or(joined(opts.RPC[id]), "none")+quorum.Warning(len(opts.RPC[id])))
		}
	}
	row("rpc-max-block-age", c.maxBlockAge)
	row("require-pools", c.requirePools)
	row("operator", cmp.Or(c.operator, "none"))
	row("issuer", cmp.Or(c.issuer.String(), "none: the published schedule is used"))
	row("settler", cmp.Or(c.settler.String(), "none"))
	row("redis", cmp.Or(c.redis.String(), "none"))
	row("limit", c.limit)
	row("budgets", cmp.Or(c.budgets, "none"))
	for _, b := range opts.Budgets {
		row("  "+b.Name, fmt.Sprintf("%s for %s", b.Policy, joined(b.Networks)))
	}
	row("log-level", c.logLevel)
	row("drain-delay", c.drainDelay)
	row("security-contact", cmp.Or(c.contact, "none"))
	var err error
	if c.reach {
		err = reach(s, row)
	}
	err = errors.Join(w.Flush(), err)
	if c.reach {
		err = errors.Join(err, compare(s, out))
	}
	return err
}

// compare prints what the chains have beside what they should have, and behind all
// of it once more what differs: a thousand lines hide one.
func compare(s *service.Service, out io.Writer) error {
	rows := s.Comparison()
	if rows == nil {
		return nil
	}
	differ := slices.DeleteFunc(slices.Clone(rows), func(r drift.Row) bool { return !r.Differs() })
	err := printRows(out, fmt.Sprintf("%d fields of the contracts:", len(rows)), rows)
	if len(differ) == 0 {
		return err
	}
	err = errors.Join(err, printRows(out, fmt.Sprintf("%d of these differ:", len(differ)), differ))
	return errors.Join(err, errors.New("serve: the contracts on chain are not as the catalog says"))
}

func printRows(out io.Writer, title string, rows []drift.Row) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\n%s\n\nCHAIN\tCONTRACT\tFIELD\tCATALOG\tON CHAIN\n", title)
	for _, r := range rows {
		mark := ""
		if r.Differs() {
			mark = "\tdiffers"
		}
		if r.Harmful {
			mark += ", and is not quoted"
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s%s\n", r.Network, r.Contract, r.Field, r.Want, r.Got, mark)
	}
	return w.Flush()
}

// reachTimeout is how long all upstreams together may take to answer. The first
// look at a chain fetches the code of each contract, one after the other.
const reachTimeout = 20 * time.Second

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

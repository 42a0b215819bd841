package service

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"hubquote/internal/api"
	"hubquote/internal/catalog"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/operator"
	"hubquote/internal/pools"
	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/budget"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// Options configure a [Service]. Only Catalog is required; the zero value of
// every other field is a working default.
type Options struct {
	// Catalog has the routes, tokens and contracts. Required.
	Catalog *catalog.Catalog

	// RPC are the JSON-RPC endpoints of chains. An integrator of a chain that has
	// none is refused, and nothing is known of its pools; on a chain that burns
	// start from, the messenger's least fee is not known.
	RPC map[swap.ChainID][]upstream.URL

	// Operator is what the operator of the contracts decided, to compare the
	// chains with. Nil means the reference deployment's decisions for its catalog,
	// and none for any other.
	Operator *operator.Settings

	// RequirePools refuses quotes for routes whose pools are not known.
	RequirePools bool

	// MaxBlockAge is how old an endpoint's newest block may be. Zero means five
	// minutes; negative means any age, for local chains.
	MaxBlockAge time.Duration

	// Issuer is the base URL of the issuer's API, for its current fees. Zero
	// means that the catalog's published schedule is used.
	Issuer upstream.URL

	// Settler is the settler's read-only interface, for the status of swaps and
	// for what the pools owe already. Zero means that no status is answered, and
	// that nothing is taken off what the pools have.
	Settler upstream.URL

	// Redis is where replicas share the rate limit. Zero means that each counts
	// in its own memory.
	Redis upstream.URL

	// Limit is the rate limit of a client. Zero means the standard one.
	Limit ratelimit.Policy

	// Budgets are those of clients in named networks, instead of Limit.
	Budgets []budget.Budget

	// TrustedProxies may name the client in X-Forwarded-For.
	TrustedProxies []netip.Prefix

	// Integrators and IssuerFees, if set, are asked instead of RPC and Issuer.
	Integrators swap.Integrators
	IssuerFees  swap.IssuerFees

	// Checks are shown in the health check besides those of the upstreams.
	Checks []api.Check

	// Mount has further handlers, by pattern, on the public address.
	Mount map[string]http.Handler

	// Listen is the address of the public server. Admin is that of the server for
	// metrics and profiles. Empty means none.
	Listen, Admin string

	// Sockets are open already, by the name of the server, public or admin. They
	// are used instead of Listen and Admin.
	Sockets map[string]net.Listener

	// MaxConnections limits the open connections of the public server. Zero means
	// as many as the system allows.
	MaxConnections uint

	// SecurityContact is the URI for reports of vulnerabilities. Empty means that
	// no security.txt is served.
	SecurityContact string

	// DrainDelay is how long to serve after [Service.Run] was told to stop.
	DrainDelay time.Duration

	// Version and Commit of the program, for the health check and the metrics.
	Version, Commit string

	// Log receives events and failures for operators. Nil discards them.
	Log *slog.Logger
}

func (o *Options) check() error {
	if o.Catalog == nil {
		return errors.New("service: Options.Catalog is required")
	}
	chains := pools.Networks(o.Catalog)
	for _, id := range slices.Sorted(maps.Keys(o.RPC)) {
		if !slices.Contains(chains, id) {
			return fmt.Errorf("rpc: nothing is asked on chain %d; the chains that are asked are %v", id, chains)
		}
	}
	for _, id := range o.Catalog.RegistryChains() {
		if o.RequirePools && len(o.RPC[id]) == 0 {
			return fmt.Errorf("require-pools: chain %d has no RPC endpoint, so that routes over it would never be quoted", id)
		}
	}
	if o.Limit == (ratelimit.Policy{}) {
		o.Limit = ratelimit.Standard()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return nil
}

// Chains returns those that endpoints can be given for.
func Chains(cat *catalog.Catalog) []swap.ChainID { return pools.Networks(cat) }

// asksMessengers reports whether the least fee of any burn is read on chain.
func (o *Options) asksMessengers() bool {
	return slices.ContainsFunc(o.Catalog.Routes(), func(r *swap.Route) bool { return r.Burn != nil && len(o.RPC[r.Src.Network]) > 0 })
}

// addReference fills in the decisions behind the reference deployment, which are
// public.
func (o *Options) addReference() error {
	if o.Operator != nil || !o.Catalog.Reference() {
		return nil
	}
	lanes, err := lane.Of(o.Catalog)
	if err != nil {
		return err
	}
	settings := operator.Reference(lanes)
	o.Operator = &settings
	return nil
}

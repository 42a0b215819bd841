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
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// Options configure a [Service]. Only Catalog is required; the zero value of
// every other field is a working default.
type Options struct {
	// Catalog has the routes, tokens and contracts. Required.
	Catalog *catalog.Catalog

	// RPC are the JSON-RPC endpoints of the integrator registries. An integrator
	// of a chain that has none is refused.
	RPC map[swap.ChainID][]upstream.URL

	// MaxBlockAge is how old an endpoint's newest block may be. Zero means five
	// minutes; negative means any age, for local chains.
	MaxBlockAge time.Duration

	// Issuer is the base URL of the issuer's API, for its current fees. Zero
	// means that the catalog's published schedule is used.
	Issuer upstream.URL

	// Redis is where replicas share the rate limit. Zero means that each counts
	// in its own memory.
	Redis upstream.URL

	// Unlimited turns the rate limit off, for tests that send more than a
	// client may.
	Unlimited bool

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
	chains := o.Catalog.RegistryChains()
	for _, id := range slices.Sorted(maps.Keys(o.RPC)) {
		if !slices.Contains(chains, id) {
			return fmt.Errorf("rpc: chain %d has no integrator registry; those that have are %v", id, chains)
		}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return nil
}

package settler

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"time"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment"
	"hubquote/internal/settle/budget"
	"hubquote/internal/settle/burns"
	"hubquote/internal/settle/policy/rules"
	"hubquote/internal/settle/sign"
	"hubquote/internal/settler/term"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// Options configure a [Settler]. Generations, RPC, Keys, Issuer, Journal and
// FeeCaps are required; the zero value of every other field is a working
// default.
type Options struct {
	// Generations are the catalogs of every deployment that may still have
	// orders, the oldest first.
	Generations []*catalog.Catalog

	// RPC are the endpoints of each chain, in order of preference.
	RPC map[swap.ChainID][]upstream.URL

	// TrustOne allows chains with fewer than three endpoints: each is then
	// trusted alone.
	TrustOne bool

	// Some allows a settler that works on some of the chains only. Orders to
	// and from the others wait.
	Some bool

	// MaxBlockAge is how old the newest block may be whose state is used. Zero
	// means five minutes; negative means any age, for local chains. MaxBlockAges
	// are those of chains that make blocks more often or more rarely.
	MaxBlockAge  time.Duration
	MaxBlockAges map[swap.ChainID]time.Duration

	// Issuer is the base URL of the issuer's API. PerSecond is the most
	// questions to it in a second: 10 unless set.
	Issuer    upstream.URL
	PerSecond int

	// Journal is a file, or a postgres:// URL. It may hold a password, and is in
	// no error.
	Journal string

	// Keys sign. Each is a lane on every chain.
	Keys []sign.Key

	// FeeCaps are the most to pay for a unit of gas, in wei, by chain.
	FeeCaps map[swap.ChainID]swap.Amount

	Limits budget.Limits
	Rules  *rules.Rules // nil means the standard
	Pace   term.Pace

	// Usual is how long the issuer takes on a network. Nil means no time, for
	// local chains; see [burns.UsualOf].
	Usual func(swap.ChainID) burns.Usual

	// Listen is the address of the read-only interface, Admin that of metrics
	// and profiles. Empty means none.
	Listen, Admin string

	// Holder names this settler to the others that share its journal.
	Holder string

	Transport       http.RoundTripper // of all endpoints and the issuer; nil means connections of their own
	Version, Commit string
	Log             *slog.Logger
}

// leastEndpoints are how many endpoints a chain with contracts needs, so that
// two can be asked to agree while one is down.
const leastEndpoints = 3

func (o *Options) check() error {
	switch {
	case len(o.Generations) == 0:
		return errors.New("no catalog: there is nothing to settle")
	case len(o.Keys) == 0:
		return errors.New("no key: name a keystore file or a remote signer")
	case o.Journal == "":
		return errors.New("no journal: name a file or a postgres:// URL")
	case o.Issuer.IsZero():
		return errors.New("no issuer: name the base URL of its attestation API")
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Rules == nil {
		standard := rules.Standard()
		o.Rules = &standard
	}
	return nil
}

// checkChains makes sure that every chain that is needed can be asked, and that
// no other is.
func (o *Options) checkChains(plans []*deployment.Plan) error {
	pools, all := needed(plans)
	for _, id := range slices.Sorted(maps.Keys(o.RPC)) {
		if !all[id] {
			return fmt.Errorf("rpc: chain %d has no contract of ours and no burns; those that have are %v", id, slices.Sorted(maps.Keys(all)))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		switch n := len(o.RPC[id]); {
		case n == 0 && !o.Some:
			return fmt.Errorf("rpc: chain %d has no endpoint: add one, or allow a settler for some chains", id)
		case n > 0 && n < leastEndpoints && pools[id] && !o.TrustOne:
			return fmt.Errorf("rpc: chain %d has %d endpoints, want %d of different operators, or trust each alone", id, n, leastEndpoints)
		case n > 0 && o.FeeCaps[id] == swap.Amount{}:
			return fmt.Errorf("fee-cap: chain %d has none", id)
		}
	}
	return nil
}

// needed returns the chains with contracts, and all that orders or burns touch.
func needed(plans []*deployment.Plan) (pools, all map[swap.ChainID]bool) {
	pools, all = map[swap.ChainID]bool{}, map[swap.ChainID]bool{}
	for _, p := range plans {
		for _, c := range p.Contracts {
			pools[c.Network], all[c.Network] = true, true
		}
		for id := range p.Issuer.Domains {
			all[id] = true
		}
	}
	return pools, all
}

// Chains returns every chain that orders or burns of these generations touch.
func Chains(generations []*catalog.Catalog) ([]swap.ChainID, error) {
	var plans []*deployment.Plan
	for _, cat := range generations {
		p, err := deployment.Recorded(cat)
		if err != nil {
			return nil, err
		}
		plans = append(plans, p)
	}
	_, all := needed(plans)
	return slices.Sorted(maps.Keys(all)), nil
}

package api_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"hubquote/internal/api"
	"hubquote/internal/api/dialect"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/internal/ratelimit"
	"hubquote/swap"
	"hubquote/test/fake"
)

// The scenes that examples happen in: what is around the server when it answers.
const (
	sceneRelease    = "release"         // a program with a version and working upstreams
	sceneDraining   = "draining"        // the same, before it stops
	scenePools      = "pools"           // the pools were seen
	sceneIntegrator = "integrator"      // every integrator is registered
	sceneLongQuery  = "a long query"    // the address is longer than the document shows
	sceneAll        = "every parameter" // no request is refused for lack of an upstream
)

// seen is when the pools of a scene were looked at.
var seen = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// refusals are what upstreams say in the scenes named after their codes, and
// where the service has these words.
var refusals = map[swap.Code]struct {
	source string
	err    swap.Error
}{
	swap.IntegratorUnknown:    {"integrator", swap.Error{Param: "integratorId", Message: "no such integrator is registered for this route: check the address, or leave integratorId out"}},
	swap.IntegratorInactive:   {"integrator", swap.Error{Param: "integratorId", Message: "this integrator is switched off for this route: leave integratorId out"}},
	swap.RegistryUnavailable:  {"integrator", swap.Error{Message: "the integrator cannot be verified now: try again in a moment, or leave integratorId out"}},
	swap.IssuerFeeUnavailable: {"issuer", swap.Error{Message: "the issuer's fee for this source chain is not known now: try again in a minute"}},
	swap.PoolPaused:           {"pools/verdict", swap.Error{Message: "a pool of this route is paused: try again later"}},
	swap.PoolUnknown:          {"pools/verdict", swap.Error{Message: "the state of the pools of this route is not known now: try again in a moment"}},
	swap.RouteClosed:          {"pools/verdict", swap.Error{Message: "this route is closed on chain: try again later"}},
	swap.DeploymentDiffers:    {"pools/verdict", swap.Error{Message: "a contract of this route is not as the catalog says, so it is not offered: ask the operator"}},
	// A recipient that does not begin with 0zk is RECIPIENT_INVALID before it gets so far.
	swap.ZKPrefix: {"../swap", swap.Error{Param: "recipient", Message: "a private recipient begins with 0zk1: copy the address from the wallet again"}},
	swap.PoolShort: {"pools/purse", swap.Error{Param: "amount", Available: new(swap.Amount).SetUint64(12_000_000),
		Message: "the pool that pays has not enough for this amount now: ask for less, or try again later"}},
	swap.PoolCapped: {"pools/purse", swap.Error{Param: "amount", Available: new(swap.Amount).SetUint64(12_000_000), After: seen.Add(90 * time.Minute),
		Message: "the pool that pays has reached what it may pay in a day: ask for less, or try again later"}},
}

// The words of a scene are those of the package that it stands for.
func TestScenesUseTheWordsOfTheService(t *testing.T) {
	for code, r := range refusals {
		files, err := filepath.Glob("../" + r.source + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		said := false
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			said = said || strings.Contains(string(text), `"`+r.err.Message+`"`)
		}
		if !said {
			t.Errorf("%s: package %s does not say %q, want its own words", code, r.source, r.err.Message)
		}
	}
}

// stage returns a server in a scene.
func stage(t *testing.T, scene string) http.Handler {
	t.Helper()
	var opts api.Options
	switch scene {
	case sceneRelease, sceneDraining:
		opts = api.Options{Version: "1.0.0", Commit: strings.Repeat("0123456789", 4), Checks: func() []api.Check {
			return []api.Check{{Name: "registry 369", Status: api.CheckOK}, {Name: "issuer", Status: api.CheckOff, Detail: "the published schedule is used"}}
		}}
	case scenePools:
		opts.Pools = stubPools{src: 369, state: swap.PoolState{AsOf: seen, Available: new(swap.Amount).SetUint64(24_875_000_000)}}
	case sceneIntegrator:
		opts.Quoter = quoting(t, quoter.Options{Integrators: fake.Partners(2_500)})
	case sceneAll:
		opts.Quoter = quoting(t, quoter.Options{Integrators: fake.Partners(2_500)})
		opts.Tracker = &teller{answer: &swap.Tracking{Reason: swap.WhyNotFound}}
	case string(swap.RateLimited):
		opts.Limiter = fullLimiter{}
	case string(swap.Internal):
		opts.Quoter = stubQuoter{func() error { return errors.New("a fault") }}
	default:
		opts.Quoter = refusing(t, swap.Code(scene))
	}
	s := newServer(t, opts)
	if scene == sceneDraining {
		s.Drain()
	}
	return s
}

// scenery is what a scene adds to the query.
func scenery(scene string) string {
	if scene == sceneLongQuery {
		return "?x=" + strings.Repeat("x", 8<<10)
	}
	return ""
}

// refusing returns a quoter whose upstreams refuse with a code; nil for none.
func refusing(t *testing.T, code swap.Code) dialect.Quoter {
	t.Helper()
	r, ok := refusals[code]
	if !ok {
		return nil
	}
	r.err.Code = code
	switch {
	case strings.HasPrefix(r.source, "pools"):
		return quoting(t, quoter.Options{Pools: stubPools{src: 369, err: &r.err}})
	case code == swap.ZKPrefix:
		return stubQuoter{func() error { return &r.err }}
	default:
		return quoting(t, quoter.Options{Integrators: upstream{&r.err}, IssuerFees: upstream{&r.err}})
	}
}

func quoting(t *testing.T, opts quoter.Options) dialect.Quoter {
	t.Helper()
	opts.Catalog = embedded(t)
	if opts.IssuerFees == nil {
		opts.IssuerFees = issuer.Published{}
	}
	q, err := quoter.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// A fullLimiter refuses every request for a minute.
type fullLimiter struct{}

func (fullLimiter) Take(context.Context, ratelimit.Client) ratelimit.Decision {
	return ratelimit.Decision{Reset: time.Minute}
}

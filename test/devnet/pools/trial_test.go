package pools_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/service"
	"hubquote/internal/upstream"
	"hubquote/internal/wire"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/devnet/evm"
	"hubquote/test/servicetest"
)

// A trial is local chains with our contracts, and a quote service that watches
// them. It has no relayer: the tests do what a relayer would.
type trial struct {
	*devnet.Net
	t       *testing.T
	service *service.Service
	refused map[string]swap.Code // routes, as the service last answered
}

func newTrial(t *testing.T, only ...swap.ChainID) *trial {
	t.Helper()
	x := &trial{Net: devnettest.Net(t, "../../..", only...), t: t}
	x.service = x.newService(func(id swap.ChainID) []string { return []string{x.Chains[id].URL} })
	return x
}

// One net serves all tests of it: starting it is most of the work.
func TestPools(t *testing.T) {
	x := newTrial(t, 1, 56, 369, 8453, 4663, 10)
	x.known(x.service)
	for name, test := range map[string]func(*trial){
		"changes are noticed":       (*trial).changesAreNoticed,
		"a burn pays the least fee": (*trial).burnPaysTheLeastFee,
		"no quote is paid less":     (*trial).noQuoteIsPaidLess,
		"one of three nodes lies":   (*trial).oneNodeLies,
	} {
		t.Run(name, func(t *testing.T) {
			own := *x
			own.t = t
			own.settled()
			test(&own)
		})
	}
}

// newService returns a service that asks these nodes.
func (x *trial) newService(nodes func(swap.ChainID) []string) *service.Service {
	x.t.Helper()
	opts := service.Options{Catalog: x.Catalog, RPC: map[swap.ChainID][]upstream.URL{}, MaxBlockAge: -1, Limit: servicetest.Generous}
	for id := range x.Chains {
		for _, text := range nodes(id) {
			u, err := upstream.Parse(text)
			if err != nil {
				x.t.Fatal(err)
			}
			opts.RPC[id] = append(opts.RPC[id], u)
		}
	}
	s := servicetest.New(x.t, opts)
	s.Refresh()
	return s
}

// routes returns those whose contracts are on the chains that run.
func (x *trial) routes() (list []*swap.Route) {
	for _, r := range x.Catalog.Routes() {
		if x.Chains[r.Src.Network] != nil && x.Chains[r.Dst.Network] != nil && x.Chains[r.FeeChain] != nil {
			list = append(list, r)
		}
	}
	return list
}

// An answer is a quote, or the code of its refusal.
type answer struct {
	wire.V3
	Code   swap.Code
	Detail string
}

// ask asks a service for a quote. Only a quote and a refusal for the state of an
// upstream are answers.
func (x *trial) ask(s *service.Service, r *swap.Route, amount *swap.Amount, recipient swap.Address) answer {
	x.t.Helper()
	q := url.Values{
		"srcChain": {r.Src.ID.String()}, "srcToken": {r.SrcToken.Address.String()},
		"dstChain": {r.Dst.ID.String()}, "dstToken": {r.DstToken.Address.String()},
		"amount": {amount.Dec()}, "recipient": {recipient.String()},
	}
	if r.Shields() {
		q.Set("recipient", devnet.PrivateWallet().Address)
	}
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v3/swap/quote?"+q.Encode(), nil))
	var a answer
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil || w.Code != http.StatusOK && w.Code != http.StatusServiceUnavailable {
		x.t.Fatalf("%s to %s: status %d, %v: %s", r.From(), r.To(), w.Code, err, w.Body)
	}
	return a
}

// codes asks for the largest amount of every route.
func (x *trial) codes(s *service.Service) map[string]swap.Code {
	x.t.Helper()
	codes := map[string]swap.Code{}
	for _, r := range x.routes() {
		codes[name(r)] = x.ask(s, r, &r.Limits.Max, devnet.Account(devnet.Bob).Address).Code
	}
	return codes
}

func name(r *swap.Route) string { return r.From().String() + " to " + r.To().String() }

// becomes waits until the service refuses exactly these routes, and returns how
// long that took. Until then, each route is answered as before or as wanted: no
// other is refused meanwhile.
func (x *trial) becomes(want map[string]swap.Code) time.Duration {
	x.t.Helper()
	start := time.Now()
	devnettest.Eventually(x.t, "the refusals are those that are wanted", func() bool {
		same := true
		for route, got := range x.codes(x.service) {
			if got != want[route] && got != x.refused[route] {
				x.t.Errorf("%s is answered with %q meanwhile, want %q as before or %q", route, got, x.refused[route], want[route])
			}
			same = same && got == want[route]
		}
		return same
	})
	x.refused = want
	return time.Since(start)
}

// settled waits until no route is refused, whatever happened before.
func (x *trial) settled() {
	x.t.Helper()
	devnettest.Eventually(x.t, "all routes are served", func() bool {
		for _, code := range x.codes(x.service) {
			if code != "" {
				return false
			}
		}
		return true
	})
	x.refused = nil
}

// known waits until the service has seen all contracts.
func (x *trial) known(s *service.Service) {
	x.t.Helper()
	devnettest.Eventually(x.t, "all pools were seen", func() bool {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v3/app/routes", nil))
		var list struct {
			Data []struct {
				SrcChain, DstChain swap.PlaceID
				AsOf               string
			}
		}
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil {
			x.t.Fatal(err)
		}
		seen := 0
		for _, r := range list.Data {
			if r.AsOf != "" {
				seen++
			}
		}
		return seen >= len(x.routes())
	})
}

// send sends a call and fails the test when it reverts.
func (x *trial) send(chain swap.ChainID, from int, to common.Address, data []byte) {
	x.t.Helper()
	if _, err := x.Chains[chain].Send(x.t.Context(), devnet.Account(from), evm.Tx{To: to, Data: data}); err != nil {
		x.t.Fatal(contract.Explain(err))
	}
}

// do calls a method of a node.
func (x *trial) do(chain swap.ChainID, method string, args ...any) {
	x.t.Helper()
	if err := x.Chains[chain].Do(x.t.Context(), method, args...); err != nil {
		x.t.Fatal(err)
	}
}

// pool returns where a contract is.
func (x *trial) pool(coin string) common.Address {
	x.t.Helper()
	a := x.Plan.Address(coin)
	if a == (common.Address{}) {
		x.t.Fatalf("there is no %s", coin)
	}
	return a
}

func (x *trial) limits(coin string) swap.Limits {
	x.t.Helper()
	for _, r := range x.Catalog.Routes() {
		if r.From().String() == coin {
			return r.Limits
		}
	}
	x.t.Fatalf("no route starts at %s", coin)
	return swap.Limits{}
}

func (x *trial) route(from, to string) *swap.Route {
	x.t.Helper()
	for _, r := range x.Catalog.Routes() {
		if r.From().String() == from && r.To().String() == to {
			return r
		}
	}
	x.t.Fatalf("no route from %s to %s", from, to)
	return nil
}

func hexOf(n *big.Int) string { return fmt.Sprintf("0x%x", n) }

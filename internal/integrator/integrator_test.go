package integrator_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hubquote/internal/integrator"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

var _ swap.Integrators = (*integrator.Registries)(nil)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// known is what is known about partner when nobody lies.
var known = swap.Integrator{ID: partner, Wallet: wallet, Rate: 2_500}

func mustURL(t testing.TB, text string) upstream.URL {
	t.Helper()
	u, err := upstream.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// open returns registries that reach the nodes through memory, as endpoints of
// the chain that the first of them serves.
func open(t *testing.T, nodes ...*node) *integrator.Registries {
	t.Helper()
	net := memory{}
	chain := integrator.Chain{ID: nodes[0].Chain, Registry: registry}
	for i, n := range nodes {
		host := fmt.Sprintf("node%d", i+1)
		net[host] = n
		chain.Endpoints = append(chain.Endpoints, mustURL(t, "http://"+host))
	}
	return start(t, integrator.Options{Chains: []integrator.Chain{chain}, Transport: net})
}

func start(t *testing.T, opts integrator.Options) *integrator.Registries {
	t.Helper()
	rs, err := integrator.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(rs.Close)
	return rs
}

// found fails the test unless partner is found on the chain as it is.
func found(t *testing.T, rs *integrator.Registries, chain swap.ChainID) {
	t.Helper()
	got, err := rs.Integrator(context.Background(), chain, partner)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(known, got); diff != "" {
		t.Error(diff)
	}
}

// refused fails the test unless asking for id fails with that code.
func refused(t *testing.T, rs *integrator.Registries, chain swap.ChainID, id swap.IntegratorID, want swap.Code) error {
	t.Helper()
	got, err := rs.Integrator(context.Background(), chain, id)
	if code := swap.CodeOf(err); err == nil || code != want {
		t.Fatalf("%v, %v; want %s", got, err, want)
	}
	if got != (swap.Integrator{}) {
		t.Errorf("an integrator with an error: %v", got)
	}
	return err
}

func TestNewRefuses(t *testing.T) {
	a, b, c := mustURL(t, "http://a"), mustURL(t, "http://b"), mustURL(t, "https://c/key")
	valid := integrator.Chain{ID: 369, Registry: registry, Endpoints: []upstream.URL{a}}
	with := func(change func(*integrator.Chain)) []integrator.Chain {
		chain := valid
		change(&chain)
		return []integrator.Chain{chain}
	}
	tests := []struct {
		name   string
		chains []integrator.Chain
		want   string
	}{
		{"a chain twice", []integrator.Chain{valid, valid}, "chain 369: configured twice"},
		{"no registry", with(func(c *integrator.Chain) { c.Registry = swap.Address{} }), "chain 369: no contract address"},
		{"no endpoint", with(func(c *integrator.Chain) { c.Endpoints = nil }), "chain 369: no endpoint"},
		{"a zero URL", with(func(c *integrator.Chain) { c.Endpoints = []upstream.URL{a, {}} }), "endpoint 2: only http and https"},
		{"a websocket", with(func(c *integrator.Chain) {
			c.Endpoints = []upstream.URL{mustURL(t, "wss://key@host/key")}
		}), "endpoint 1: only http and https"},
		{"a quorum of one host", with(func(chain *integrator.Chain) {
			chain.Endpoints = []upstream.URL{c, a, b, mustURL(t, "https://c:443/other")}
		}), "endpoints 1 and 4 are one host"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := integrator.New(integrator.Options{Chains: tt.chains})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("New: %v, want %q", err, tt.want)
			}
		})
	}
}

func TestTwoKeysAtOneProviderMayFailOver(t *testing.T) {
	chain := integrator.Chain{ID: 1, Registry: registry, Endpoints: []upstream.URL{mustURL(t, "http://a/1"), mustURL(t, "http://a/2")}}
	start(t, integrator.Options{Chains: []integrator.Chain{chain}})
}

func TestChainWithoutEndpointsIsUnavailable(t *testing.T) {
	rs := start(t, integrator.Options{})
	refused(t, rs, 369, partner, swap.RegistryUnavailable)
}

func TestClosedIsUnavailable(t *testing.T) {
	n := newNode(369)
	rs := open(t, n)
	rs.Close()
	refused(t, rs, 369, partner, swap.RegistryUnavailable)
	if n.Asked("eth_getBlockByNumber") != 0 {
		t.Error("an endpoint was asked after Close")
	}
}

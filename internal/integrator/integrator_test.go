package integrator_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hubquote/internal/integrator"
	"hubquote/internal/quorum"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
)

var _ swap.Integrators = (*integrator.Registries)(nil)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	contract = swap.MustAddress("0x7e57000000000000000000000000000000000369")
	wallet   = swap.MustAddress("0x000000000000000000000000000000000000b0b0")
	partner  = swap.IntegratorIDOf(wallet)

	// known is the integrator that the nodes of [newNode] have.
	known = swap.Integrator{ID: partner, Wallet: wallet, Rate: 2_500}
)

// unregistered returns the i-th ID that is not registered.
func unregistered(i int) swap.IntegratorID {
	return swap.IntegratorIDOf(swap.Address{1, byte(i >> 16), byte(i >> 8), byte(i)})
}

// newNode returns a node whose registry has partner and no other ID.
func newNode(chain swap.ChainID) *fake.Node {
	n := fake.NewNode(chain, contract)
	n.Entry = says(fake.EntryOf(wallet, 2_500, 1))
	return n
}

// says returns a registry that answers a lookup of partner with that text.
func says(answer string) func(uint64, swap.IntegratorID) string {
	return func(_ uint64, id swap.IntegratorID) string {
		if id == partner {
			return answer
		}
		return fake.EntryOf(swap.Address{}, 0, 0)
	}
}

func mustURL(t testing.TB, text string) upstream.URL {
	t.Helper()
	u, err := upstream.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// open returns registries that reach the nodes without sockets, as endpoints of
// the chain that the first of them serves.
func open(t *testing.T, nodes ...*fake.Node) *integrator.Registries {
	t.Helper()
	net := fake.Network{}
	chain := integrator.Chain{ID: nodes[0].Chain, Registry: contract}
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

// wantFound fails the test unless the lookup of partner returns known.
func wantFound(t *testing.T, rs *integrator.Registries, chain swap.ChainID) {
	t.Helper()
	got, err := rs.Integrator(context.Background(), chain, partner)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(known, got); diff != "" {
		t.Errorf("Integrator (-want +got):\n%s", diff)
	}
}

// wantCode fails the test unless the lookup of id fails with that code.
func wantCode(t *testing.T, rs *integrator.Registries, chain swap.ChainID, id swap.IntegratorID, want swap.Code) {
	t.Helper()
	got, err := rs.Integrator(context.Background(), chain, id)
	if code := swap.CodeOf(err); err == nil || code != want {
		t.Fatalf("Integrator = %v, %v; want %s", got, err, want)
	}
	if got != (swap.Integrator{}) {
		t.Errorf("Integrator = %v with an error, want none", got)
	}
}

func TestNewRefuses(t *testing.T) {
	valid := integrator.Chain{ID: 369, Registry: contract, Endpoints: []upstream.URL{mustURL(t, "http://a")}}
	noRegistry, noEndpoint := valid, valid
	noRegistry.Registry, noEndpoint.Endpoints = swap.Address{}, nil
	tests := []struct {
		name   string
		chains []integrator.Chain
		want   string
	}{
		{"a chain twice", []integrator.Chain{valid, valid}, "chain 369: configured twice"},
		{"no registry", []integrator.Chain{noRegistry}, "chain 369: no contract address"},
		{"no endpoint", []integrator.Chain{noEndpoint}, "chain 369: no endpoint"},
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

func TestChainWithoutEndpointsIsUnavailable(t *testing.T) {
	rs := start(t, integrator.Options{})
	wantCode(t, rs, 369, partner, swap.RegistryUnavailable)
}

func TestClosedIsUnavailable(t *testing.T) {
	n := newNode(369)
	rs := open(t, n)
	rs.Close()
	wantCode(t, rs, 369, partner, swap.RegistryUnavailable)
	if got := n.Calls("eth_getBlockByNumber"); got != 0 {
		t.Errorf("%d calls after Close, want 0", got)
	}
}

// When a node answers with bytes that are no entry, the lookup returns the entry
// of the other nodes, or fails.
func TestBadAnswers(t *testing.T) {
	tests := []struct {
		name   string
		answer string
		fault  upstream.Fault
	}{
		{"no code at the address", "0x", integrator.NoContract},
		{"too short", "0x00", upstream.Malformed},
		{"another contract", "0x" + strings.Repeat("ff", 96), integrator.BadEntry},
		{"the wallet of another integrator", fake.EntryOf(swap.Address{19: 1}, 2_500, 1), integrator.BadEntry},
		{"a rate that is too high", fake.EntryOf(wallet, 999_999, 1), integrator.BadEntry},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				bad, good := newNode(369), newNode(369)
				bad.Entry = says(tt.answer)
				alone := open(t, bad)
				wantCode(t, alone, 369, partner, swap.RegistryUnavailable)
				if got := alone.Health()[0].Endpoints[0].Fault; got != tt.fault {
					t.Errorf("fault = %q, want %q", got, tt.fault)
				}
				wantFound(t, open(t, bad, good), 369)
				wantFound(t, open(t, newNode(369), bad, good), 369)
				wantCode(t, open(t, bad, good, bad), 369, partner, swap.RegistryUnavailable)
			})
		})
	}
}

// A bad entry does not make its node unavailable for the others.
func TestBadEntryLeavesTheOthersAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(369)
		good := n.Entry
		n.Entry = func(block uint64, id swap.IntegratorID) string {
			if id == unregistered(1) {
				return fake.EntryOf(wallet, 999_999, 1)
			}
			return good(block, id)
		}
		rs := open(t, n)
		for range 2 * upstream.BreakAfter {
			wantCode(t, rs, 369, unregistered(1), swap.RegistryUnavailable)
		}
		wantFound(t, rs, 369)
	})
}

func TestChainsAreIndependent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		down, fine := newNode(56), newNode(369)
		down.Handle = fake.Hang
		var reports []quorum.Report
		rs := start(t, integrator.Options{
			Chains: []integrator.Chain{
				{ID: 56, Registry: contract, Endpoints: []upstream.URL{mustURL(t, "http://down")}},
				{ID: 369, Registry: contract, Endpoints: []upstream.URL{mustURL(t, "http://fine")}},
			},
			Transport: fake.Network{"down": down, "fine": fine},
			Observe:   func(r quorum.Report) { reports = append(reports, r) },
		})
		wantCode(t, rs, 56, partner, swap.RegistryUnavailable)
		wantFound(t, rs, 369)
		health := rs.Health()
		if health[0].Chain != 56 || health[0].Up || health[1].Chain != 369 || !health[1].Up {
			t.Errorf("Health = %+v, want chain 56 down and chain 369 up", health)
		}
		if len(reports) != 2 || reports[0].Chain != 56 || reports[1].Chain != 369 {
			t.Errorf("reports = %+v, want one for each chain", reports)
		}
	})
}

// gate makes a node answer only after the returned channel is closed.
func gate(n *fake.Node) chan struct{} {
	open := make(chan struct{})
	n.Handle = func(_ http.ResponseWriter, r *http.Request, _ string) bool {
		select {
		case <-open:
		case <-r.Context().Done():
		}
		return false
	}
	return open
}

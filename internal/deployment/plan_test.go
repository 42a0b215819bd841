package deployment_test

import (
	"fmt"
	"math/big"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment"
	"hubquote/internal/deployment/addresses"
	"hubquote/internal/deployment/lane"
	"hubquote/internal/deployment/operator"
	"hubquote/swap"
	"hubquote/test/reference"
)

func planOf(t *testing.T, s operator.Settings) *deployment.Plan {
	t.Helper()
	p, err := deployment.New(deployment.Options{Catalog: reference.Catalog(t), Settings: s})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The addresses in the catalog are those of the bytecode.
func TestCatalogHasTheBytecodesAddresses(t *testing.T) {
	if diff := cmp.Diff(reference.Plan(t, 1).Book, addresses.Of(reference.Catalog(t)), cmpopts.EquateComparable(swap.Address{})); diff != "" {
		t.Errorf("run go generate ./internal/deployment (-bytecode +catalog):\n%s", diff)
	}
}

func readData(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("../catalog/data/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestRewriteChangesAddressesAndNothingElse(t *testing.T) {
	text := string(readData(t, "deployment.toml"))
	stale := text
	for _, c := range reference.Plan(t, 1).Contracts {
		stale = strings.Replace(stale, c.Address.String(), "0x"+strings.Repeat("11", 20), 1)
	}
	if stale == text {
		t.Fatal("deployment.toml has no address of the plan, want all")
	}
	got, err := reference.Plan(t, 1).Book.Rewrite([]byte(stale))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, string(got)); diff != "" {
		t.Errorf("rewritten (-want +got):\n%s", diff)
	}
}

func TestRewriteRefuses(t *testing.T) {
	text := string(readData(t, "deployment.toml"))
	tests := []struct{ name, old, new, want string }{
		{"a pool that no route needs", `"DAI@56" `, `"DAI@10" `, "DAI@10"},
		{"a pool without a line", `"DAI@56" `, `# "DAI@56"`, "DAI@56"},
		{"a registry that no route needs", "\n4663 = ", "\n4664 = ", "registry@4664"},
		{"a receiver without a line", "receiver = ", "receiver : ", "receiver"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			changed := strings.Replace(text, tt.old, tt.new, 1)
			if changed == text {
				t.Fatalf("deployment.toml has no %q", tt.old)
			}
			_, err := reference.Plan(t, 1).Book.Rewrite([]byte(changed))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one about %s", err, tt.want)
			}
		})
	}
}

// Roles are constructor arguments, so that no two deployments share an address.
func TestDecisionsChangeAddresses(t *testing.T) {
	other := swap.MustAddress("0x1111111111111111111111111111111111111111")
	tests := []struct {
		name   string
		decide func(*operator.Settings)
		moved  int
	}{
		{"the admin changes all addresses", func(s *operator.Settings) { s.Roles.Admin = other }, 24},
		{"the relayer changes all but the registries", func(s *operator.Settings) { s.Roles.Relayer = other }, 19},
		{"so does the standby", func(s *operator.Settings) { s.Roles.Standby = other }, 19},
		{"so does the guardian", func(s *operator.Settings) { s.Roles.Guardian = other }, 19},
		{"so does the treasurer", func(s *operator.Settings) { s.Roles.Treasurer = other }, 19},
		{"the last resort changes the receiver", func(s *operator.Settings) { s.Roles.LastResort = other }, 1},
		{"the fee bound changes pools that pay through third parties, and the receiver", func(s *operator.Settings) { s.FeeBound-- }, 6},
		{"a cap changes its contract", func(s *operator.Settings) { s.Caps["DAI@56"].Refunds.Add(s.Caps["DAI@56"].Refunds, big.NewInt(1)) }, 1},
		{"the lifetime is set later and changes none", func(s *operator.Settings) { s.Lifetime = 80 * time.Hour }, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := operator.Reference(reference.Lanes(t))
			for name, c := range s.Caps { // one figure for all kinds, in the reference
				c.Refunds = new(big.Int).Set(c.Refunds)
				s.Caps[name] = c
			}
			tt.decide(&s)
			before, moved := reference.Plan(t, 1).Contracts, 0
			for i, c := range planOf(t, s).Contracts {
				if c.Address != before[i].Address {
					moved++
				}
			}
			if moved != tt.moved {
				t.Errorf("%d of %d addresses changed, want %d", moved, len(before), tt.moved)
			}
		})
	}
}

func TestPlanRefuses(t *testing.T) {
	cat, s := reference.Catalog(t), operator.Reference(reference.Lanes(t))
	unguarded := s
	unguarded.Roles.Guardian = swap.Address{}
	tests := []struct {
		name    string
		options deployment.Options
		want    string
	}{
		{"no catalog", deployment.Options{Settings: s}, "Catalog"},
		{"settings without a guardian", deployment.Options{Catalog: cat, Settings: unguarded}, "every role"},
		{"a second generation after nothing", deployment.Options{Catalog: cat, Settings: s, Generation: 2}, "the one before"},
		{"a generation at the addresses of the one before", deployment.Options{Catalog: cat, Settings: s, Generation: 2, Before: second(t)}, "have one address"},
		{"a chain with the issuer's domain of another", deployment.Options{Catalog: misplaced(t), Settings: s}, "domain 0 belongs to place 1"},
		{"a first generation after another", deployment.Options{Catalog: cat, Settings: s, Before: cat}, "the one before"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := deployment.New(tt.options); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one about %q", err, tt.want)
			}
		})
	}
}

// second is the catalog of the second generation.
func second(t *testing.T) *catalog.Catalog {
	t.Helper()
	cat := reference.Catalog(t)
	p, err := deployment.New(deployment.Options{Catalog: cat, Settings: operator.Reference(reference.Lanes(t)), Generation: 2, Before: cat})
	if err != nil {
		t.Fatal(err)
	}
	text, err := p.Book.Rewrite(readData(t, "deployment.toml"))
	if err != nil {
		t.Fatal(err)
	}
	return catalogWith(t, "deployment.toml", string(text))
}

// catalogWith is the built-in catalog with another text of one file.
func catalogWith(t *testing.T, file, text string) *catalog.Catalog {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range []string{"chains.toml", "deployment.toml", "pairs.toml", "policy.toml"} {
		files[name] = &fstest.MapFile{Data: readData(t, name)}
	}
	files[file].Data = []byte(text)
	cat, err := catalog.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// misplaced is a catalog in which the domains of chains 1 and 10 are swapped.
func misplaced(t *testing.T) *catalog.Catalog {
	t.Helper()
	text := string(readData(t, "chains.toml"))
	for _, domain := range []string{"0\n", "2\n"} {
		if strings.Count(text, "  domain    = "+domain) != 1 {
			t.Fatalf("chains.toml has not one domain %s", domain)
		}
	}
	return catalogWith(t, "chains.toml", strings.NewReplacer("  domain    = 0\n", "  domain    = 2\n", "  domain    = 2\n", "  domain    = 0\n").Replace(text))
}

// A generation has addresses of its own, but for the registries, which it does
// not deploy again.
func TestGenerationKeepsTheRegistries(t *testing.T) {
	before, after := addresses.Of(reference.Catalog(t)), addresses.Of(second(t))
	for name, address := range after {
		if kept := address == before[name]; kept != strings.HasPrefix(name, "registry@") {
			t.Errorf("%s: kept = %t, want only the registries kept", name, kept)
		}
	}
}

// Every route has a source that accepts it and a pool that pays it, on the
// chains that the catalog says; and it is a draft before it is open.
func TestEveryRouteIsConfigured(t *testing.T) {
	p := reference.Plan(t, 1)
	networks := map[string]swap.ChainID{}
	for _, c := range p.Contracts {
		networks[c.Name] = c.Network
	}
	said := map[string]int{}
	for i, c := range p.Calls {
		if said[c.Says] != 0 {
			t.Errorf("%s: planned twice, want once", c.Says)
		}
		if said[c.Says] = i + 1; i > 0 && c.Step == deployment.Write && p.Calls[i-1].Step == deployment.Open {
			t.Errorf("%s: written after a destination was opened, want before", c.Says)
		}
	}
	for _, l := range p.Lanes {
		for _, r := range l.Routes {
			to := lane.PoolName(r.Dst, r.DstToken)
			paid := said[fmt.Sprintf("%s: pay orders of %s from %d at %s %%", l.To, l.From, l.At.ID, l.Rate.Percent())]
			draft, open := said[l.From+": draft orders for "+to], said[l.From+": accept orders for "+to]
			if paid == 0 || draft <= paid || open <= draft {
				t.Errorf("%s to %s: source set by call %d, drafted by %d, opened by %d; want that order", l.From, to, paid, draft, open)
			}
			if networks[l.To] != r.FeeChain {
				t.Errorf("%s is paid on %d, want %d", to, networks[l.To], r.FeeChain)
			}
			payer, ok := p.PayerOf(new(big.Int).SetUint64(uint64(r.Dst.ID)), common.Address(r.DstToken.Address))
			if !ok || payer.Name != l.To || payer.Network != r.FeeChain || payer.Place != r.Dst {
				t.Errorf("%s: payer = %+v, %t, want %s on %d", to, payer, ok, l.To, r.FeeChain)
			}
		}
	}
}

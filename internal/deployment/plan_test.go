package deployment_test

import (
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment"
	"hubquote/swap"
)

func embedded(t *testing.T) *catalog.Catalog {
	t.Helper()
	cat, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

func reference(t *testing.T) *deployment.Plan { return planOf(t, deployment.Reference()) }

func planOf(t *testing.T, roles deployment.Roles) *deployment.Plan {
	t.Helper()
	p, err := deployment.New(deployment.Options{Catalog: embedded(t), Roles: roles})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The addresses in the catalog are those of the bytecode.
func TestCatalogHasTheBytecodesAddresses(t *testing.T) {
	p, cat := reference(t), embedded(t)
	got, want := map[string]string{}, map[string]string{}
	for _, c := range p.Contracts {
		want[c.Name] = c.Address.String()
	}
	for _, r := range cat.Routers() {
		if r.Kind == swap.Direct {
			got[deployment.PoolName(r.Place, r.Token)] = r.Address.String()
		}
	}
	for _, id := range cat.RegistryChains() {
		a, _ := cat.Registry(id)
		got[deployment.RegistryName(id)] = a.String()
	}
	for _, r := range cat.Routes() {
		if r.Burn != nil {
			got[deployment.Receiver] = r.Burn.Receiver.String()
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("run go generate ./internal/deployment (-bytecode +catalog):\n%s", diff)
	}
}

const deploymentFile = "../catalog/data/deployment.toml"

func readDeployment(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(deploymentFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRewriteChangesAddressesAndNothingElse(t *testing.T) {
	text := readDeployment(t)
	stale := text
	for _, c := range reference(t).Contracts {
		stale = strings.Replace(stale, c.Address.String(), "0x"+strings.Repeat("11", 20), 1)
	}
	if stale == text {
		t.Fatal("nothing is stale")
	}
	got, err := reference(t).Rewrite([]byte(stale))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, string(got)); diff != "" {
		t.Errorf("rewritten (-want +got):\n%s", diff)
	}
}

func TestRewriteRefuses(t *testing.T) {
	text := readDeployment(t)
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
			_, err := reference(t).Rewrite([]byte(changed))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one about %s", err, tt.want)
			}
		})
	}
}

// A contract knows who runs it, so that no two deployments share an address.
func TestEveryRoleMovesWhatItRuns(t *testing.T) {
	other := swap.MustAddress("0x1111111111111111111111111111111111111111")
	tests := []struct {
		name  string
		roles func(*deployment.Roles)
		moved int
	}{
		{"the admin moves everything", func(r *deployment.Roles) { r.Admin = other }, 24},
		{"the relayer moves all but the registries", func(r *deployment.Roles) { r.Relayer = other }, 19},
		{"so does the pauser", func(r *deployment.Roles) { r.Pauser = other }, 19},
		{"the last resort moves the receiver", func(r *deployment.Roles) { r.LastResort = other }, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			roles := deployment.Reference()
			tt.roles(&roles)
			before, moved := reference(t).Contracts, 0
			for i, c := range planOf(t, roles).Contracts {
				if c.Address != before[i].Address {
					moved++
				}
			}
			if moved != tt.moved {
				t.Errorf("%d of %d contracts moved, want %d", moved, len(before), tt.moved)
			}
		})
	}
}

func TestPlanWantsEveryRole(t *testing.T) {
	roles := deployment.Reference()
	roles.Pauser = swap.Address{}
	if _, err := deployment.New(deployment.Options{Catalog: embedded(t), Roles: roles}); err == nil {
		t.Error("planned without a pauser")
	}
	if _, err := deployment.New(deployment.Options{Roles: deployment.Reference()}); err == nil {
		t.Error("planned without a catalog")
	}
}

// Every route has a source that accepts it and a pool that pays it, on the
// chains that the catalog says.
func TestEveryRouteIsConfigured(t *testing.T) {
	p := reference(t)
	networks := map[string]swap.ChainID{}
	for _, c := range p.Contracts {
		networks[c.Name] = c.Network
	}
	said := map[string]bool{}
	for _, c := range p.Calls {
		if said[c.Says] {
			t.Errorf("%s: said twice", c.Says)
		}
		said[c.Says] = true
	}
	for _, r := range p.Routes() {
		to := deployment.PoolName(r.Dst, r.DstToken)
		if !said[p.Source(r)+": accept orders for "+to] {
			t.Errorf("%s does not accept orders for %s", p.Source(r), to)
		}
		if networks[p.Payer(r)] != r.FeeChain {
			t.Errorf("%s is paid on %d, want %d", to, networks[p.Payer(r)], r.FeeChain)
		}
		place := new(big.Int).SetUint64(uint64(r.Dst.ID))
		payer, ok := p.PayerOf(place, common.Address(r.DstToken.Address))
		if !ok || payer.Name != p.Payer(r) || payer.Network != r.FeeChain || payer.Place != r.Dst {
			t.Errorf("%s: payer %+v, %t", to, payer, ok)
		}
	}
}

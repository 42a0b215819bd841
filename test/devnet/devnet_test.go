package devnet_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"go.uber.org/goleak"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment/operator"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
	"hubquote/test/reference"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// The keys are those of the accounts that the reference deployment is made for.
func TestAccountsHoldTheRoles(t *testing.T) {
	roles := operator.Reference(nil).Roles
	tests := []struct {
		name   string
		number int
		want   swap.Address
	}{
		{"admin", devnet.Admin, roles.Admin},
		{"relayer", devnet.Relayer, roles.Relayer},
		{"standby", devnet.Standby, roles.Standby},
		{"guardian", devnet.Guardian, roles.Guardian},
		{"treasurer", devnet.Treasurer, roles.Treasurer},
		{"last resort", devnet.Treasury, roles.LastResort},
	}
	for _, tt := range tests {
		if got := devnet.Account(tt.number).Address; got != tt.want {
			t.Errorf("%s is %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A catalog whose addresses are not the bytecode's is refused: every quote would
// call an address without code.
func TestStartRefusesAnotherDeployment(t *testing.T) {
	registry, _ := reference.Catalog(t).Registry(4663)
	stale := catalogWith(t, registry.String(), "0x1111111111111111111111111111111111111111")
	n, err := devnet.Start(t.Context(), devnet.Options{Catalog: stale, Anvil: devnettest.Anvil(t, "../.."), Only: []swap.ChainID{4663}})
	if err == nil {
		n.Close()
	}
	if err == nil || !strings.Contains(err.Error(), "go generate") {
		t.Errorf("error %v, want one that says what to run", err)
	}
}

// catalogWith is the embedded catalog with one word replaced.
func catalogWith(t *testing.T, old, new string) *catalog.Catalog {
	t.Helper()
	dir, files := os.DirFS("../../internal/catalog/data"), fstest.MapFS{}
	names, err := fs.Glob(dir, "*.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(string(text), old, new))}
	}
	cat, err := catalog.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

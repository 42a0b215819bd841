package planfiles_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/internal/catalog"
	"hubquote/internal/deployment/operator"
	"hubquote/internal/deployment/planfiles"
	"hubquote/test/reference"
)

const decided = `
admin = "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc"
relayer = "0x976EA74026E726554dB657fA54763abd0C3a0aa9"
standby = "0xBcd4042DE499D14e55001CcbB24a551F3b954096"
guardian = "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955"
treasurer = "0x71bE63f3384f5fb98995898A86B02Fb2426c5788"
last-resort = "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720"
admin-delay = "48h"
fee-bound = 5000
caps = "caps.toml"
`

// What the file says is what hubquote plan would be given.
func TestOperatorsDecisions(t *testing.T) {
	cat := reference.Catalog(t)
	lanes := reference.Lanes(t)
	want, err := operator.Reference(lanes).Complete(lanes)
	if err != nil {
		t.Fatal(err)
	}
	got, err := readOperator(t, decided, cat)
	if err != nil {
		t.Fatal(err)
	}
	if got.Roles != want.Roles || got.AdminDelay != want.AdminDelay || got.Lifetime != want.Lifetime || got.FeeBound != want.FeeBound {
		t.Errorf("settings = %+v, want %+v", got, want)
	}
	for name, c := range want.Caps {
		if diff := cmp.Diff(c.Payments.String(), got.Caps[name].Payments.String()); diff != "" {
			t.Errorf("cap of payments of %s (-want +got):\n%s", name, diff)
		}
	}
}

func TestOperatorsDecisionsAreChecked(t *testing.T) {
	cat := reference.Catalog(t)
	tests := []struct{ name, old, new, want string }{
		{"an unknown key", "fee-bound", "fee-bund", "unknown key fee-bund"},
		{"no role", `guardian = "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955"`, "", "every role needs an account"},
		{"an address with a wrong checksum", "0x9965507D", "0x9965507d", "checksum"},
		{"a delay that is none", "48h", "soon", "invalid duration"},
		{"a bound that the contracts do not allow", "5000", "5001", "the fee bound"},
		{"no caps", "caps.toml", "none.toml", "none.toml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readOperator(t, strings.Replace(decided, tt.old, tt.new, 1), cat)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("ReadOperator = %v, want an error with %q", err, tt.want)
			}
		})
	}
}

func readOperator(t *testing.T, text string, cat *catalog.Catalog) (*operator.Settings, error) {
	t.Helper()
	dir := t.TempDir()
	writeCaps(t, filepath.Join(dir, "caps.toml"))
	path := filepath.Join(dir, "operator.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return planfiles.ReadOperator(path, cat)
}

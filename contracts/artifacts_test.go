package contracts_test

import (
	"bytes"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"hubquote/contracts"
)

// maxRuntime is a little less than the 24,576 bytes that EIP-170 lets a contract
// have on chain, so that a change that needs more is noticed before a release.
const maxRuntime = 24_000

var names = []contracts.Name{
	contracts.Pool,
	contracts.ShieldPool,
	contracts.GatewayPool,
	contracts.Receiver,
	contracts.IntegratorRegistry,
	contracts.Lens,
	contracts.LensCall,
	contracts.MintableToken,
	contracts.BlacklistToken,
	contracts.FeeOnTransferToken,
	contracts.TetherToken,
	contracts.WrappedEther,
	contracts.TokenMessenger,
	contracts.MessageTransmitter,
	contracts.TokenMinter,
	contracts.PrivacyPool,
	contracts.BatchWallet,
	contracts.LibraryHarness,
}

func TestEveryArtifactHasAName(t *testing.T) {
	files, err := fs.Glob(os.DirFS("out"), "*.json")
	if err != nil {
		t.Fatal(err)
	}
	standIns, err := fs.Glob(os.DirFS("out"), "standins/*.json")
	if err != nil {
		t.Fatal(err)
	}
	var got []contracts.Name
	for _, file := range append(files, standIns...) {
		got = append(got, contracts.Name(strings.TrimSuffix(file, ".json")))
	}
	anyOrder := cmpopts.SortSlices(func(a, b contracts.Name) bool { return a < b })
	if diff := cmp.Diff(names, got, anyOrder); diff != "" {
		t.Errorf("names and files differ (-names +files):\n%s", diff)
	}
}

func TestLoad(t *testing.T) {
	for _, name := range names {
		t.Run(string(name), func(t *testing.T) {
			a := load(t, name)
			if _, err := abi.JSON(bytes.NewReader(a.ABI)); err != nil {
				t.Errorf("ABI: %v", err)
			}
			if n := len(a.Runtime); n == 0 || n > maxRuntime {
				t.Errorf("runtime code has %d bytes, want 1 to %d", n, maxRuntime)
			}
			if len(a.Creation) < len(a.Runtime) {
				t.Errorf("creation code has %d bytes, want more than the %d it deploys", len(a.Creation), len(a.Runtime))
			}
			if standIn := strings.HasPrefix(string(name), "standins/"); standIn && len(a.Immutables) > 0 {
				t.Errorf("immutables of a stand-in = %v, want none: its runtime code could not be placed", a.Immutables)
			}
			for immutable, spans := range a.Immutables {
				for _, span := range spans {
					if got := a.Runtime[span[0] : span[0]+span[1]]; len(bytes.Trim(got, "\x00")) > 0 {
						t.Errorf("immutable %s at %d: %x, want zeros", immutable, span[0], got)
					}
				}
			}
		})
	}
}

func TestLoadUnknown(t *testing.T) {
	if a, err := contracts.Load("Poool"); err == nil {
		t.Errorf("Load = %v, want an error", a)
	}
}

func load(t *testing.T, name contracts.Name) *contracts.Artifact {
	t.Helper()
	a, err := contracts.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

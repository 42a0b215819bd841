// Package devnettest starts local chains and their services for tests.
//
// All of them end with the test, also when it fails.
package devnettest

import (
	"context"
	"math/big"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/third"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/anvil"
	"hubquote/test/devnet/attest"
	"hubquote/test/devnet/evm"
	"hubquote/test/fake"
	"hubquote/test/reference"
)

// Anvil installs the pinned tools if they are not there, and returns the path
// of the program that runs a chain. Root is the root of the repository.
func Anvil(t testing.TB, root string) string {
	t.Helper()
	install := exec.Command(filepath.Join(root, "test/tools/npm.sh"), filepath.Join(root, "contracts"))
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("installing the pinned tools: %v\n%s", err, out)
	}
	path, err := anvil.Find(root)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Net starts the chains of the embedded catalog, or only some of them.
func Net(t testing.TB, root string, only ...swap.ChainID) *devnet.Net {
	t.Helper()
	n, err := devnet.Start(t.Context(), devnet.Options{Catalog: reference.Catalog(t), Anvil: Anvil(t, root), Only: only})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return n
}

// Attester starts the issuer's attestation service and returns its base URL.
func Attester(t testing.TB, n *devnet.Net, confirmations uint64) string {
	t.Helper()
	a, err := attest.New(attest.Options{
		Chains: n.Domains(), Transmitter: third.Transmitter, Account: devnet.Account(devnet.Attester),
		Rates: n.Rates(), Confirmations: confirmations,
	})
	if err != nil {
		t.Fatal(err)
	}
	return Serve(t, a)
}

// Serve serves h on a port of the loopback interface and returns its base URL.
func Serve(t testing.TB, h http.Handler) string {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

// NewAccount returns a new account.
func NewAccount(t testing.TB) evm.Account {
	t.Helper()
	key, err := crypto.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	return evm.NewAccount(key)
}

// CheckPaidOnce counts the payments on all chains: so many orders were paid, and
// none of them twice.
func CheckPaidOnce(t testing.TB, n *devnet.Net, want int) {
	t.Helper()
	paid := map[common.Hash]int{}
	for _, c := range n.Chains {
		logs, err := c.Logs(t.Context(), ethereum.FilterQuery{
			FromBlock: new(big.Int), Topics: [][]common.Hash{{contract.Pool.ABI().Events["OrderFulfilled"].ID}},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, log := range logs {
			paid[log.Topics[1]]++
		}
	}
	for id, times := range paid {
		if times != 1 {
			t.Errorf("order %s was paid %d times, want once", id, times)
		}
	}
	if len(paid) != want {
		t.Errorf("%d orders were paid, want %d", len(paid), want)
	}
}

// patience bounds a test that hangs; it is no statement about speed.
const patience = 4 * time.Minute

// Eventually waits until a condition holds.
func Eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if fake.Until(ctx, so) != nil {
		t.Fatalf("not after %s: want that %s", patience, what)
	}
}

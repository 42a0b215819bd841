package anvil_test

import (
	"bufio"
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
	"go.uber.org/goleak"

	"hubquote/test/devnet/anvil"
	"hubquote/test/devnet/devnettest"
)

// startAndHang is the environment variable that makes the test binary start a
// chain, print its address, and block.
const startAndHang = "ANVIL_TEST_HANG"

func TestMain(m *testing.M) {
	if path := os.Getenv(startAndHang); path != "" {
		n, err := anvil.Start(context.Background(), path, 369)
		if err != nil {
			panic(err)
		}
		println(n.URL)
		select {}
	}
	goleak.VerifyTestMain(m)
}

func find(t *testing.T) string { return devnettest.Anvil(t, "../../..") }

func answers(url string) bool {
	c := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := c.Post(url, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}`))
	if err != nil {
		return false
	}
	resp.Body.Close()
	return resp.StatusCode == http.StatusOK
}

func TestStop(t *testing.T) {
	n, err := anvil.Start(t.Context(), find(t), 369)
	if err != nil {
		t.Fatal(err)
	}
	if !answers(n.URL) {
		t.Error("a started chain does not answer, want an answer")
	}
	n.Stop()
	if answers(n.URL) {
		t.Error("a stopped chain answers, want no answer")
	}
}

// A transaction that anvil has forgotten in its queue is mined all the same.
func TestNoneIsForgotten(t *testing.T) {
	n, err := anvil.Start(t.Context(), find(t), 369)
	if err != nil {
		t.Fatal(err)
	}
	defer n.Stop()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	node, err := rpc.DialOptions(t.Context(), n.URL, rpc.WithHTTPClient(&http.Client{Transport: transport}))
	if err != nil {
		t.Fatal(err)
	}
	do := func(result any, method string, args ...any) {
		t.Helper()
		if err := node.CallContext(t.Context(), result, method, args...); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
	}
	var accounts, hashes []string
	do(&accounts, "eth_accounts")
	send := func(nonce, tip string) (hash string) {
		t.Helper()
		do(&hash, "eth_sendTransaction", map[string]string{"from": accounts[0], "to": accounts[1], "nonce": nonce, "gas": "0x5208", "maxFeePerGas": "0x174876e800", "maxPriorityFeePerGas": tip})
		return hash
	}
	do(nil, "evm_setAutomine", false)
	hashes = append(hashes, send("0x2", "0x1"), send("0x1", "0x1")) // which wait for those before them
	do(nil, "anvil_setNonce", accounts[0], "0x1")                   // which the queue is not told
	hashes[1] = send("0x1", "0x2")                                  // which can be mined, instead of the one that waits
	for range 40 {
		var pool struct{ Queued string }
		if do(&pool, "txpool_status"); pool.Queued == "0x0" {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	do(nil, "evm_setAutomine", true)
	do(nil, "evm_mine")
	for _, hash := range hashes {
		var receipt *struct{ Status string }
		for receipt == nil {
			time.Sleep(10 * time.Millisecond)
			do(&receipt, "eth_getTransactionReceipt", hash)
		}
		if receipt.Status != "0x1" {
			t.Errorf("the status of %s is %s, want that of success", hash, receipt.Status)
		}
	}
}

func TestStartFails(t *testing.T) {
	if _, err := anvil.Start(t.Context(), "/nowhere/anvil", 369); err == nil {
		t.Error("Start of a missing program = nil error, want one")
	}
	if _, err := anvil.Start(t.Context(), "/bin/true", 369); err == nil {
		t.Error("Start of a program that ends at once = nil error, want one")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := anvil.Start(ctx, find(t), 369); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// A chain ends with the program that started it, even when that is killed and
// can do nothing about it.
func TestChainEndsWithItsProgram(t *testing.T) {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), startAndHang+"="+find(t))
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !answers(strings.TrimSpace(url)) {
		t.Fatalf("the chain at %q does not answer: %v, want an answer", url, err)
	}
	cmd.Process.Signal(syscall.SIGKILL)
	cmd.Wait()
	for range 500 {
		if !answers(strings.TrimSpace(url)) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the chain answers after its program ended, want it ended too")
}

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

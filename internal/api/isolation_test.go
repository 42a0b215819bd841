package api_test

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"hubquote/internal/api"
)

// Requests reuse memory one after the other, never at the same time: 64 parallel
// clients, in every version, each get their own recipient, amount and errors.
func TestIsolation(t *testing.T) {
	server := httptest.NewServer(newServer(t, api.Options{}))
	defer server.Close()
	defer http.DefaultClient.CloseIdleConnections()
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() { askAlone(t, server.URL, 10_000_000+i) })
	}
	wg.Wait()
}

// askAlone requests quotes that no other client requests.
func askAlone(t *testing.T, server string, amount int) {
	var account [20]byte
	rand.Read(account[:])
	recipient := hex.EncodeToString(account[:])
	mine := func(more ...string) string {
		return valid(append(more, "recipient", "0x"+recipient, "amount", fmt.Sprint(amount))...)
	}
	targets := []string{
		mine(), mine("srcChain", "10"), mine("revision", "1"), mine("include", "decoded,calls"),
		strings.Replace(mine("srcChain", "1"), "/v3/swap/quote", "/v1/quote", 1),
	}
	for range 20 {
		for _, target := range targets {
			if body, status := fetch(t, server+target); status != 200 ||
				!strings.Contains(body, recipient) || !strings.Contains(body, fmt.Sprintf("%064x", amount)) {
				t.Errorf("%s: status = %d, want 200 with its own recipient and amount: %s", target, status, body)
				return
			}
		}
		if body, status := fetch(t, server+mine("dstToken", "NO"+recipient[:8])); status != 400 || strings.Contains(body, "calldata") {
			t.Errorf("bad request: status = %d, want 400 without calldata: %s", status, body)
			return
		}
	}
}

func fetch(t *testing.T, url string) (string, int) {
	resp, err := http.Get(url)
	if err != nil {
		t.Error(err)
		return "", 0
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Error(err)
	}
	return string(body), resp.StatusCode
}

package network_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"hubquote/internal/settler/network"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// Chains with pools take several transactions of one key at a time. All others
// have odd pools, where one is certain. On 4663 a higher fee buys nothing.
func TestTraits(t *testing.T) {
	for _, tt := range []struct {
		chain    swap.ChainID
		inFlight int
		safe     bool
		mempool  bool
	}{
		{1, 16, false, true},
		{56, 16, false, true},
		{369, 16, false, true},
		{4663, 16, true, false},
		{8453, 16, true, true},
		{42161, 1, false, true},
		{143, 1, false, true},
		{999, 1, false, true},
	} {
		got := network.Of(tt.chain)
		if got.InFlight != tt.inFlight || got.Safe != tt.safe || got.Mempool != tt.mempool {
			t.Errorf("chain %d has %+v, want %d in flight, a safe tag %v, a mempool %v", tt.chain, got, tt.inFlight, tt.safe, tt.mempool)
		}
	}
}

// A chain that makes blocks for transactions was busy before, and is quiet now.
// The look back is in time, and one endpoint alone does not shorten it.
func TestLookBackIsInTime(t *testing.T) {
	const head, busy = 100_000, 99_000 // a block a second up to busy, then one in ten
	start := time.Now().Add(-head * time.Second)
	at := func(n uint64) time.Time {
		return start.Add(time.Duration(min(n, busy))*time.Second + 10*time.Duration(max(n, busy)-busy)*time.Second)
	}
	endpoint := func(late time.Duration) upstream.URL {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var q struct {
				ID     json.RawMessage
				Method string
				Params []any
			}
			_ = json.NewDecoder(r.Body).Decode(&q)
			result := any("0x1237") // eth_chainId
			if q.Method == "eth_getBlockByNumber" {
				n, err := strconv.ParseUint(strings.TrimPrefix(q.Params[0].(string), "0x"), 16, 64)
				if err != nil {
					n = head
				}
				made := at(n)
				if n < head {
					made = made.Add(-late)
				}
				result = map[string]string{"number": fmt.Sprintf("0x%x", n), "hash": fmt.Sprintf("0x%064x", n+1), "timestamp": fmt.Sprintf("0x%x", made.Unix())}
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"jsonrpc": "2.0", "id": q.ID, "result": result})
		}))
		t.Cleanup(s.Close)
		u, err := upstream.Parse(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	n, err := network.Open(4663, []upstream.URL{endpoint(1000 * time.Hour), endpoint(0), endpoint(0)}, network.Options{MaxAge: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	const back = 12 * time.Hour
	got, err := n.Ago(t.Context(), back)
	if want := at(head).Add(-back); err != nil || at(got).After(want.Add(time.Second)) || at(got).Before(want.Add(-2*time.Second)) {
		t.Errorf("Ago = %d, %v, which is %v before the head, want %v", got, err, at(head).Sub(at(got)), back)
	}
}

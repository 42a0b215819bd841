package look_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/internal/record"
	"hubquote/internal/settle/track/look"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// chain answers about transactions by their first byte, and counts.
type chain struct {
	calls atomic.Int64
	hold  chan struct{} // if set, calls wait for it
}

func (c *chain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var call struct {
		ID     json.RawMessage
		Method string
		Params []string
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		http.Error(w, "not a call", http.StatusBadRequest)
		return
	}
	result := "null"
	switch {
	case call.Method == "eth_chainId":
		result = `"0xa"`
	case call.Method == "eth_getTransactionReceipt":
		c.calls.Add(1)
		if c.hold != nil {
			<-c.hold
		}
		result = receipts[call.Params[0][:4]]
	case call.Params[0][:4] == "0x03":
		result = `{"hash":"0x03"}`
	}
	if result == "" {
		result = "null"
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, call.ID, result)
}

func start(t *testing.T, c *chain) *look.Looker {
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	url, err := upstream.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	n, err := node.New(node.Options{Chain: 10, URL: url, MaxBlockAge: -1, Timeout: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(n.Close)
	return look.New(map[swap.ChainID]*node.Node{10: n}, []swap.Address{ours})
}

var ours, theirs = swap.Address{0xab}, swap.Address{0xcd}

// receipts by the first byte of the hash.
var receipts = map[string]string{
	"0x01": logs(ours, record.TopicOpened, "0x"),
	"0x02": `{"status":"0x0","logs":[]}`,
	"0x05": `{"status":"0x1","logs":[]}`,
	"0x06": logs(theirs, record.TopicOpened, "0x"),
	"0x07": logs(ours, swap.Hash{1}, "0x"),
	"0x08": logs(theirs, record.TopicMessageSent, "0x00"+ours.String()[2:]),
	"0x0a": logs(theirs, record.TopicMessageSent, "0x00"+theirs.String()[2:]),
	"0x0b": logs(theirs, record.TopicMessageReceived, "0x00"+ours.String()[2:]),
}

func logs(at swap.Address, topic swap.Hash, data string) string {
	return fmt.Sprintf(`{"status":"0x1","logs":[{"address":%q,"topics":[],"data":"0x"},{"address":%q,"topics":[%q],"data":%q}]}`, at, at, topic, data)
}

func TestReasons(t *testing.T) {
	for _, tt := range []struct {
		name  string
		chain swap.ChainID
		tx    swap.Hash
		want  string
	}{
		{"in a block without a log", 10, swap.Hash{5}, swap.WhyNoOrder},
		{"an order of other contracts", 10, swap.Hash{6}, swap.WhyNoOrder},
		{"our contract, and no order", 10, swap.Hash{7}, swap.WhyNoOrder},
		{"a burn for our receiver", 10, swap.Hash{8}, swap.WhyPending},
		{"a burn for another one", 10, swap.Hash{0x0a}, swap.WhyNoOrder},
		{"a mint of our burn", 10, swap.Hash{0x0b}, swap.WhyPending},
		{"in a block and not read yet", 10, swap.Hash{1}, swap.WhyPending},
		{"in a block and failed", 10, swap.Hash{2}, swap.WhyReverted},
		{"sent and in no block", 10, swap.Hash{3}, swap.WhyPending},
		{"not there", 10, swap.Hash{4}, swap.WhyNotFound},
		{"a chain without a node", 1, swap.Hash{1}, swap.WhyNotFound},
	} {
		if got := start(t, &chain{}).Look(t.Context(), tt.chain, tt.tx); got != tt.want {
			t.Errorf("%s: Look = %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestOneCallForOneHash(t *testing.T) {
	c := &chain{hold: make(chan struct{})}
	l := start(t, c)
	var asking sync.WaitGroup
	for range 20 {
		asking.Go(func() {
			if got := l.Look(t.Context(), 10, swap.Hash{2}); got != swap.WhyReverted {
				t.Errorf("Look = %s, want %s", got, swap.WhyReverted)
			}
		})
	}
	close(c.hold)
	asking.Wait()
	l.Look(t.Context(), 10, swap.Hash{2})
	if n := c.calls.Load(); n != 1 {
		t.Errorf("%d calls, want 1", n)
	}
}

func TestFewCallsForManyHashes(t *testing.T) {
	c := &chain{}
	l := start(t, c)
	for i := range 200 {
		l.Look(t.Context(), 10, swap.Hash{9, byte(i)})
	}
	if n := c.calls.Load(); n > 50 {
		t.Errorf("%d calls for 200 hashes at once, want about 5", n)
	}
}

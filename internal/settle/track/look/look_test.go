package look_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
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
	"hubquote/test/fake"
)

// chain answers about transactions by their first byte, and counts.
type chain struct {
	calls atomic.Int64
	hold  chan struct{} // if set, calls wait for it
}

func (c *chain) answer(_ context.Context, method string, params []json.RawMessage) string {
	switch method {
	case "eth_chainId":
		return `"0xa"`
	case "eth_getTransactionReceipt":
		c.calls.Add(1)
		if c.hold != nil {
			<-c.hold
		}
		return cmp.Or(receipts[string(params[0][1:5])], "null")
	}
	if string(params[0][1:5]) == "0x03" {
		return `{"hash":"0x03"}`
	}
	return "null"
}

func start(t *testing.T, c *chain) *look.Looker {
	t.Helper()
	server := httptest.NewServer(fake.RPC(c.answer))
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

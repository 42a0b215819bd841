package mint_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/burns/chain"
	"hubquote/internal/settle/burns/mint"
	"hubquote/internal/settle/burns/terms"
	"hubquote/internal/settle/message"
	"hubquote/internal/settle/order"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
)

// A said is what an endpoint answers.
type said struct {
	down bool
	used int    // the record of the nonce
	head uint64 // and the final block
	mint uint64 // the block of the event
}

func (s said) answer(_ context.Context, method string, _ []json.RawMessage) string {
	if s.down {
		return ""
	}
	return map[string]string{
		"eth_chainId":          `"0x1"`,
		"eth_getBlockByNumber": fmt.Sprintf(`{"number":"0x%x","timestamp":"0x5","hash":"0x%064x"}`, s.head, s.head),
		"eth_call":             fmt.Sprintf(`"0x%064x"`, s.used),
		"eth_getLogs": fmt.Sprintf(`[{"address":"0x%040x","topics":["0x%s","0x%064x","0x07%062x"],"data":"0x","blockNumber":"0x%x","transactionHash":"0x%064x",`+
			`"transactionIndex":"0x0","blockHash":"0x%064x","logIndex":"0x0","removed":false}]`,
			0, "ff48c13eda96b1cceacc6b9edeedc9e9db9d6226afbc30146b720c19d3addb1c", 9, 0, s.mint, s.mint, s.mint),
	}[method]
}

// look looks at a network through endpoints, of which k must agree.
func look(t *testing.T, k int, endpoints ...said) *mint.Look {
	t.Helper()
	var nodes []*node.Node
	for _, e := range endpoints {
		s := httptest.NewServer(fake.RPC(e.answer))
		t.Cleanup(s.Close)
		u, err := upstream.Parse(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		n, err := node.New(node.Options{Chain: 1, URL: u, MaxBlockAge: -1, Timeout: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(n.Close)
		nodes = append(nodes, n)
	}
	c, err := chain.New(1, k, nodes...)
	if err != nil {
		t.Fatal(err)
	}
	return mint.NewLook(t.Context(), &terms.Terms{}, map[swap.ChainID]*chain.Chain{1: c})
}

// That a burn is minted ends its delivery, and that it is not makes another one,
// so that neither is one endpoint's word where there are three.
func TestMintedByEnoughEndpoints(t *testing.T) {
	yes, no, down := said{used: 1, head: 9, mint: 7}, said{head: 9, mint: 7}, said{down: true}
	for _, tt := range []struct {
		name      string
		k         int
		endpoints []said
		used      bool
		head      uint64
		failed    bool
	}{
		{"one says so, two do not", 2, []said{yes, no, no}, false, 9, false},
		{"two say so, one does not", 2, []said{no, yes, yes}, true, 9, false},
		{"one says so, one does not, one is down", 2, []said{yes, no, down}, false, 0, true},
		{"two say so, one is down", 2, []said{down, yes, yes}, true, 9, false},
		{"the head is that of the lower", 2, []said{{head: 900}, no, no}, false, 9, false},
		{"one is enough where one is trusted", 1, []said{yes, no}, true, 9, false},
		{"all are down", 1, []said{down, down}, false, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			used, head, err := look(t, tt.k, tt.endpoints...).Used(t.Context(), 1, message.Word{7})
			if used != tt.used || head != tt.head || (err != nil) != tt.failed {
				t.Errorf("Used = %v at %d, %v; want %v at %d, an error %v", used, head, err, tt.used, tt.head, tt.failed)
			}
		})
	}
}

func TestFinalByEnoughEndpoints(t *testing.T) {
	high, low, down := said{head: 900}, said{head: 9}, said{down: true}
	for _, tt := range []struct {
		name      string
		endpoints []said
		final     bool
		failed    bool
	}{
		{"one names a later block", []said{high, low, low}, false, false},
		{"two do", []said{low, high, high}, true, false},
		{"one does, and one is down", []said{high, low, down}, false, false},
		{"too few answer", []said{high, down, down}, false, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			final, err := look(t, 2, tt.endpoints...).Final(1, 10)
			if final != tt.final || (err != nil) != tt.failed {
				t.Errorf("Final = %v, %v; want %v, an error %v", final, err, tt.final, tt.failed)
			}
		})
	}
}

// The block of a mint decides when it is final. One endpoint that names a lower
// one, or a lower head, is not believed: then the mint is not above the highest
// head, which is not believed either if it is far above the others.
func TestPlaceByEnoughEndpoints(t *testing.T) {
	truth, lie, none := said{head: 9, mint: 7}, said{head: 9, mint: 3}, said{head: 9, mint: 90}
	for _, tt := range []struct {
		name      string
		endpoints []said
		want      uint64
	}{
		{"two of three agree", []said{lie, truth, truth}, 7},
		{"all differ", []said{lie, truth, {head: 9, mint: 5}}, 9},
		{"one names a low head, and the event is too old", []said{{head: 2, mint: 90}, none, none}, 9},
		{"one names a low head, and one is ahead", []said{{head: 2, mint: 90}, none, {head: 12, mint: 90}}, 12},
		{"one names a high head", []said{{head: 1 << 62, mint: 1 << 63}, none, none}, 9 + 1024},
		{"one names a low head, and one is down", []said{{head: 2, mint: 90}, none, {down: true}}, 9},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, err := look(t, 2, tt.endpoints...).Find(t.Context(), order.Pool{Chain: 1}, message.Word{7}, 0)
			if err != nil || e.Block != tt.want {
				t.Errorf("Find = %+v, %v; want block %d", e, err, tt.want)
			}
		})
	}
}

package pools_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"

	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/devnet/devnettest"
)

// One of three nodes says that no pool has anything; the other two decide.
func (x *trial) oneNodeLies() {
	s := x.newService(func(id swap.ChainID) []string {
		honest := x.Chains[id].URL
		return []string{x.serveAt(honest, "127.0.0.2", false), x.serveAt(honest, "127.0.0.3", true), x.serveAt(honest, "127.0.0.4", false)}
	})
	x.known(s)
	for route, code := range x.codes(s) {
		if code != "" {
			x.t.Errorf("%s is refused with %s, want a quote", route, code)
		}
	}
	undo := x.setPauses(4663, "ETH@4663", false, true)
	defer undo()
	r := x.route("WETH@369", "ETH@4663")
	devnettest.Eventually(x.t, "the pause is believed", func() bool {
		return x.ask(s, r, &r.Limits.Min, devnet.Account(devnet.Bob).Address).Code == swap.PoolPaused
	})
}

// serveAt forwards requests to a node from another address. A liar changes what
// the lens saw.
func (x *trial) serveAt(node, address string, lies bool) string {
	x.t.Helper()
	l, err := net.Listen("tcp", address+":0")
	if err != nil {
		x.t.Fatal(err)
	}
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { forward(w, r, node, lies) }))
	s.Listener.Close()
	s.Listener = l
	s.Start()
	x.t.Cleanup(s.Close)
	return s.URL
}

func forward(w http.ResponseWriter, r *http.Request, node string, lies bool) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, "cannot be read", http.StatusBadRequest)
		return
	}
	resp, err := http.Post(node, "application/json", bytes.NewReader(body))
	if err != nil {
		http.Error(w, "gone", http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	var answer struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage `json:"result,omitempty"`
		Error   json.RawMessage `json:"error,omitempty"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		http.Error(w, "not JSON", http.StatusBadGateway)
		return
	}
	if lies && bytes.Contains(body, []byte(`"eth_call"`)) {
		answer.Result = []byte(strings.ReplaceAll(string(answer.Result), "1", "0"))
	}
	_ = json.NewEncoder(w).Encode(answer)
}

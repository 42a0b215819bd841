package integrator_test

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/crypto"

	"hubquote/swap"
)

// A node is a JSON-RPC server for one chain with one registry. Its fields may be
// changed between requests to make it fail or lie.
type node struct {
	Chain    swap.ChainID
	Head     uint64
	Behind   time.Duration // how old its head is
	Fork     string        // nodes on different forks have different block hashes
	Registry func(n uint64, id swap.IntegratorID) string

	// Handle takes a request away from the node unless it returns false.
	Handle func(w http.ResponseWriter, r *http.Request, method string) bool

	mu     sync.Mutex
	counts map[string]int
}

var (
	registry = swap.MustAddress("0x7e57000000000000000000000000000000000369")
	wallet   = swap.MustAddress("0x00000000000000000000000000000000000a11ce")
	partner  = swap.IntegratorIDOf(swap.MustAddress("0x000000000000000000000000000000000000b0b0"))
)

// newNode returns a node of a chain on which partner is active at 0.25 %, and
// nobody else is registered.
func newNode(chain swap.ChainID) *node {
	return &node{Chain: chain, Head: 1_000_000, Registry: says(entry(wallet, 2_500, 1)), counts: map[string]int{}}
}

// says returns a registry that has one answer about partner.
func says(answer string) func(uint64, swap.IntegratorID) string {
	return func(_ uint64, id swap.IntegratorID) string {
		if id == partner {
			return answer
		}
		return entry(swap.Address{}, 0, 0)
	}
}

// entry spells a registry's answer as Solidity does.
func entry(wallet swap.Address, rate uint32, active byte) string {
	return fmt.Sprintf("0x%064x%064x%064x", wallet[:], rate, active)
}

// Asked returns how often a method was called.
func (n *node) Asked(method string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.counts[method]
}

func (n *node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		ID     json.RawMessage
		Method string
		Params []json.RawMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	n.mu.Lock()
	n.counts[req.Method]++
	n.mu.Unlock()
	if n.Handle != nil && n.Handle(w, r, req.Method) {
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, req.ID, n.answer(req.Method, req.Params))
}

func (n *node) answer(method string, params []json.RawMessage) string {
	switch method {
	case "eth_chainId":
		return fmt.Sprintf(`"0x%x"`, n.Chain)
	case "eth_getBlockByNumber":
		return n.block(n.Head, strings.Trim(string(params[0]), `"`))
	case "eth_call":
		var call struct{ To, Data string }
		var at struct{ BlockHash string }
		if json.Unmarshal(params[0], &call) != nil || json.Unmarshal(params[1], &at) != nil || call.To != registry.String() {
			return `"0x"`
		}
		return strconv.Quote(n.Registry(n.numberOf(at.BlockHash), idIn(call.Data)))
	}
	return "null"
}

func (n *node) block(number uint64, which string) string {
	if which != "latest" {
		number, _ = strconv.ParseUint(which[2:], 16, 64)
	}
	if number > n.Head {
		return "null"
	}
	age := n.Behind + time.Duration(n.Head-number)*2*time.Second
	return fmt.Sprintf(`{"number":"0x%x","hash":"%s","timestamp":"0x%x","transactions":[]}`,
		number, n.hashOf(number), time.Now().Add(-age).Unix())
}

// hashOf makes hashes that the node can read the number from.
func (n *node) hashOf(number uint64) string {
	hash := crypto.Keccak256Hash([]byte(n.Fork))
	binary.BigEndian.PutUint64(hash[:], number)
	return fmt.Sprintf("0x%x", hash)
}

func (n *node) numberOf(hash string) uint64 {
	number, _ := strconv.ParseUint(hash[2:18], 16, 64)
	return number
}

func idIn(data string) (id swap.IntegratorID) {
	b, _ := hex.DecodeString(data[10:])
	copy(id[:], b)
	return id
}

// A memory is a network without sockets: it takes requests to handlers by host.
// It works inside a synctest bubble.
type memory map[string]http.Handler

func (m memory) RoundTrip(r *http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	m[r.URL.Host].ServeHTTP(rec, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return rec.Result(), nil
}

// hang takes every request and never answers.
func hang(_ http.ResponseWriter, r *http.Request, _ string) bool {
	<-r.Context().Done()
	return true
}

// after lets every request wait.
func after(d time.Duration) func(http.ResponseWriter, *http.Request, string) bool {
	return func(_ http.ResponseWriter, r *http.Request, _ string) bool {
		select {
		case <-time.After(d):
			return false
		case <-r.Context().Done():
			return true
		}
	}
}

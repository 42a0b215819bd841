package fake

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"hubquote/swap"
)

// A Node is a JSON-RPC server of a chain that has a registry of integrators. Its
// fields may be changed between requests.
type Node struct {
	Chain    swap.ChainID
	Head     uint64
	Behind   time.Duration // age of the latest block
	Interval time.Duration // between two blocks
	Fork     string        // nodes on different forks have different block hashes
	Registry swap.Address  // address of the contract

	// Entry returns what the registry answers about id at a block, as [EntryOf]
	// writes it. "0x" means that there is no contract.
	Entry func(block uint64, id swap.IntegratorID) string

	// Pools, if set, are the contracts that the lens sees.
	Pools *Pools

	// Handle, if set, sees every request first. It returns true if it has
	// answered.
	Handle func(w http.ResponseWriter, r *http.Request, method string) bool

	mu    sync.Mutex
	calls map[string]int
}

// NewNode returns a node whose registry has no entries.
func NewNode(chain swap.ChainID, registry swap.Address) *Node {
	return &Node{
		Chain: chain, Head: 1_000_000, Registry: registry, Interval: 2 * time.Second, calls: map[string]int{},
		Entry: func(uint64, swap.IntegratorID) string { return EntryOf(swap.Address{}, 0, 0) },
	}
}

// EntryOf encodes a registry's answer in three words, as Solidity does.
func EntryOf(wallet swap.Address, rate uint32, active byte) string {
	return fmt.Sprintf("0x%064x%064x%064x", wallet[:], rate, active)
}

// Lookup is counted, besides its method, for each call of the registry.
const Lookup = "lookup in the registry"

// Calls returns how often a method was called.
func (n *Node) Calls(method string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.calls[method]
}

// SetHandle sets Handle while requests may come.
func (n *Node) SetHandle(handle func(w http.ResponseWriter, r *http.Request, method string) bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.Handle = handle
}

func (n *Node) count(method string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.calls[method]++
}

func (n *Node) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		ID     json.RawMessage
		Method string
		Params []json.RawMessage
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, &req)
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body)) // for Handle
	n.count(req.Method)
	n.mu.Lock()
	handle := n.Handle
	n.mu.Unlock()
	if handle != nil && handle(w, r, req.Method) {
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, req.ID, n.Result(req.Method, req.Params...))
}

// Result returns the JSON of a method's result.
func (n *Node) Result(method string, params ...json.RawMessage) string {
	switch method {
	case "eth_chainId":
		return fmt.Sprintf(`"0x%x"`, n.Chain)
	case "eth_getBlockByNumber":
		return n.block(strings.Trim(string(params[0]), `"`))
	case "eth_call":
		return strconv.Quote(n.call(params))
	case "eth_getCode":
		return strconv.Quote(n.code(params))
	case "eth_getStorageAt":
		return strconv.Quote(n.storage(params))
	}
	return "null"
}

func (n *Node) block(which string) string {
	number := n.Head
	if which != "latest" {
		number, _ = strconv.ParseUint(which[2:], 16, 64)
	}
	if number > n.Head {
		return "null"
	}
	age := n.Behind + time.Duration(n.Head-number)*n.Interval
	return fmt.Sprintf(`{"number":"0x%x","hash":"%s","timestamp":"0x%x","transactions":[]}`,
		number, n.hash(number), time.Now().Add(-age).Unix())
}

// hash returns a block hash that begins with the block's number.
func (n *Node) hash(number uint64) string {
	hash := sha256.Sum256([]byte(n.Fork))
	binary.BigEndian.PutUint64(hash[:], number)
	return fmt.Sprintf("0x%x", hash)
}

func (n *Node) code(params []json.RawMessage) string {
	var address swap.Address
	if n.Pools == nil || json.Unmarshal(params[0], &address) != nil {
		return "0x"
	}
	return n.Pools.Code(address)
}

// storage answers for the slot of EIP-1967; all others are empty.
func (n *Node) storage(params []json.RawMessage) string {
	const slot = `"0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"`
	var address, behind swap.Address
	if n.Pools != nil && json.Unmarshal(params[0], &address) == nil && string(params[1]) == slot {
		behind = n.Pools.Behind(address)
	}
	return fmt.Sprintf("0x%064x", behind[:])
}

func (n *Node) call(params []json.RawMessage) string {
	var call struct{ To, Data string }
	var at struct{ BlockHash string }
	if json.Unmarshal(params[0], &call) != nil || json.Unmarshal(params[1], &at) != nil {
		return "0x"
	}
	switch {
	case call.To == n.Registry.String():
		n.count(Lookup)
	case n.Pools == nil:
		return "0x"
	case call.To == "":
		return n.Pools.Look(n.Chain, call.Data[2:])
	default:
		return n.Pools.MinFee()
	}
	number, _ := strconv.ParseUint(at.BlockHash[2:18], 16, 64)
	var id swap.IntegratorID
	_, _ = hex.Decode(id[:], []byte(call.Data[10:])) // behind 0x and the selector
	return n.Entry(number, id)
}

// Hang is a [Node.Handle] that never answers.
func Hang(_ http.ResponseWriter, r *http.Request, _ string) bool {
	<-r.Context().Done()
	return true
}

// After returns a [Node.Handle] that delays every answer.
func After(d time.Duration) func(http.ResponseWriter, *http.Request, string) bool {
	return func(_ http.ResponseWriter, r *http.Request, _ string) bool { return !Sleep(r.Context(), d) }
}

// Package mempool puts a real node's transaction pool in front of a local chain.
//
// anvil takes replacements that a real node refuses, and mines at once. Here a
// replacement must offer a tenth more of both fees, an account has a few slots,
// blocks are made when a test says so, and a test can drop and delay
// transactions. All other calls are passed on to the chain.
package mempool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
)

// A Pool is the pool of one network. It serves JSON-RPC; several servers may
// share it, as nodes share transactions.
type Pool struct {
	url   string
	chain *rpc.Client
	http  http.Client

	mu       sync.Mutex
	accounts map[common.Address]account
	sent     []common.Hash
	refusals map[string]int
	delay    int
	lossy    bool
	blocks   map[uint64][]*types.Transaction // mined here, by number
}

// An account is the transactions of one sender, by nonce.
type account map[uint64]*entry

type entry struct {
	*types.Transaction
	held int // blocks before it can be mined
}

// New puts a pool in front of the chain at url, which makes no block by itself
// from then on.
func New(ctx context.Context, url string) (*Pool, error) {
	chain, err := rpc.DialContext(ctx, url)
	if err != nil {
		return nil, err
	}
	p := &Pool{url: url, chain: chain, accounts: map[common.Address]account{}, refusals: map[string]int{}, blocks: map[uint64][]*types.Transaction{}}
	return p, chain.CallContext(ctx, nil, "evm_setAutomine", false)
}

// Close ends the connections to the chain.
func (p *Pool) Close() {
	p.chain.Close()
	p.http.CloseIdleConnections()
}

// Delay makes transactions that arrive from now on wait for so many blocks
// before they can be mined.
func (p *Pool) Delay(blocks int) { p.set(func() { p.delay = blocks }) }

// Lose makes the pool forget transactions that arrive from now on, although it
// says that it has taken them.
func (p *Pool) Lose(on bool) { p.set(func() { p.lossy = on }) }

// Drop forgets all transactions, as a node that starts again does.
func (p *Pool) Drop() { p.set(func() { clear(p.accounts) }) }

// DropNonce forgets the transaction of a sender with that nonce.
func (p *Pool) DropNonce(from common.Address, nonce uint64) {
	p.set(func() { delete(p.accounts[from], nonce) })
}

func (p *Pool) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

// Of returns the transactions of a sender that are in the pool, by nonce.
func (p *Pool) Of(from common.Address) (list []*types.Transaction) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, nonce := range slices.Sorted(maps.Keys(p.accounts[from])) {
		list = append(list, p.accounts[from][nonce].Transaction)
	}
	return list
}

// Sent returns every transaction that was offered, in the order of arrival.
func (p *Pool) Sent() []common.Hash {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.sent)
}

// Refusals returns how often each rule was broken.
func (p *Pool) Refusals() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.refusals)
}

type request struct {
	ID     json.RawMessage
	Method string
	Params []json.RawMessage
}

// ServeHTTP answers calls about the pool and passes the others on.
func (p *Pool) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var req request
	_ = json.Unmarshal(body, &req) // a batch has no method, and is passed on
	switch {
	case req.Method == "eth_sendRawTransaction":
		p.answer(w, req)(p.send(r.Context(), req.Params))
	case req.Method == "eth_getTransactionCount" && len(req.Params) == 2 && string(req.Params[1]) == `"pending"`:
		p.answer(w, req)(p.pending(r.Context(), req.Params[0]))
	default:
		p.pass(w, r, body)
	}
}

func (p *Pool) answer(w http.ResponseWriter, req request) func(any, error) {
	return func(result any, err error) {
		w.Header().Set("Content-Type", "application/json")
		if err != nil {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":%q}}`, req.ID, err)
			return
		}
		text, _ := json.Marshal(result)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, req.ID, text)
	}
}

func (p *Pool) pass(w http.ResponseWriter, r *http.Request, body []byte) {
	req, err := http.NewRequestWithContext(r.Context(), http.MethodPost, p.url, bytes.NewReader(body))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := p.http.Do(req)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer resp.Body.Close()
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(resp.StatusCode)
	_, _ = io.Copy(w, resp.Body)
}

// pending counts the mined transactions and those that follow without a gap in
// the pool.
func (p *Pool) pending(ctx context.Context, who json.RawMessage) (any, error) {
	var from common.Address
	if err := json.Unmarshal(who, &from); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	next, err := p.count(ctx, from)
	return hexutil.Uint64(next + uint64(len(p.executable(from, next)))), err
}

func (p *Pool) count(ctx context.Context, from common.Address) (uint64, error) {
	var n hexutil.Uint64
	err := p.chain.CallContext(ctx, &n, "eth_getTransactionCount", from, "latest")
	return uint64(n), err
}

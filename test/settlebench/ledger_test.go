package settlebench

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/big"
	"net/http/httptest"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/swap"
	"hubquote/test/fake"
)

// A ledger is a chain that executes nothing: it has logs, says what the contracts
// would say about their orders, and takes transactions that it never mines. It has
// room for more orders than a local chain could make.
type ledger struct {
	id     swap.ChainID
	pools  *fake.Pools
	orders map[[32]byte]*entry // shared by both chains
	logs   []types.Log         // by block
	born   time.Time           // of block 0

	calls atomic.Int64
	mu    sync.Mutex
	sent  []*types.Transaction
	first time.Time // when the first transaction came
}

// An entry is an order and how far it has come.
type entry struct {
	order    contract.Order
	paid     bool
	released bool
}

// seconds between two blocks, and how many blocks there are at the start.
const (
	interval = 2
	height   = 700_000
)

func newLedger(id swap.ChainID, pools *fake.Pools, orders map[[32]byte]*entry) *ledger {
	return &ledger{id: id, pools: pools, orders: orders, born: time.Now().Add(-height * interval * time.Second)}
}

// serve opens three endpoints for the chain.
func (l *ledger) serve(tb testing.TB) (urls []string) {
	tb.Helper()
	for range 3 {
		server := httptest.NewServer(fake.RPC(l.rpc)) // the port tells one from the other
		tb.Cleanup(server.Close)
		urls = append(urls, server.URL)
	}
	return urls
}

// add writes a log of a contract into a block.
func (l *ledger) add(block uint64, at common.Address, event string, topics []common.Hash, fields ...any) {
	e := contract.Pool.ABI().Events[event]
	data, err := e.Inputs.NonIndexed().Pack(fields...)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", event, err))
	}
	n := len(l.logs)
	l.logs = append(l.logs, types.Log{
		Address: at, Topics: append([]common.Hash{e.ID}, topics...), Data: data, BlockNumber: block, BlockHash: l.hash(block),
		TxHash: digest("tx", uint64(l.id), uint64(n)), Index: uint(n), BlockTimestamp: l.time(block),
	})
}

func digest(kind string, numbers ...uint64) common.Hash {
	text := []byte(kind)
	for _, n := range numbers {
		text = binary.BigEndian.AppendUint64(text, n)
	}
	return sha256.Sum256(text)
}

func (l *ledger) hash(block uint64) common.Hash { return digest("block", uint64(l.id), block) }
func (l *ledger) time(block uint64) uint64      { return uint64(l.born.Unix()) + block*interval }
func (l *ledger) head() uint64                  { return uint64(time.Since(l.born) / (interval * time.Second)) }

// rpc answers a call.
func (l *ledger) rpc(_ context.Context, method string, params []json.RawMessage) string {
	l.calls.Add(1)
	result, err := json.Marshal(l.answer(method, params))
	if err != nil {
		panic(err)
	}
	return string(result)
}

func (l *ledger) answer(method string, params []json.RawMessage) any {
	switch method {
	case "eth_chainId":
		return hexutil.Uint64(l.id)
	case "eth_getBlockByNumber":
		return l.block(strings.Trim(string(params[0]), `"`))
	case "eth_getLogs":
		return l.find(params[0])
	case "eth_call":
		return l.look(params[0])
	case "eth_getBalance":
		return "0x3635c9adc5dea00000"
	case "eth_maxPriorityFeePerGas":
		return "0x1"
	case "eth_estimateGas":
		return "0x30d40"
	case "eth_getTransactionCount":
		return "0x0"
	case "eth_sendRawTransaction":
		return l.take(params[0])
	}
	return nil
}

func (l *ledger) block(which string) any {
	number := l.head()
	if digits, ok := strings.CutPrefix(which, "0x"); ok {
		number, _ = strconv.ParseUint(digits, 16, 64)
	}
	if number > l.head() {
		return nil
	}
	return map[string]any{
		"number": hexutil.Uint64(number), "hash": l.hash(number), "timestamp": hexutil.Uint64(l.time(number)),
		"baseFeePerGas": "0x7", "transactions": []any{},
	}
}

// find returns the logs that a filter selects.
func (l *ledger) find(param json.RawMessage) []types.Log {
	var f struct {
		FromBlock, ToBlock hexutil.Uint64
		BlockHash          *common.Hash
		Address            some[common.Address]
		Topics             []some[common.Hash]
	}
	if err := json.Unmarshal(param, &f); err != nil {
		panic(err)
	}
	from, to := uint64(f.FromBlock), uint64(f.ToBlock)
	if f.BlockHash != nil {
		from, to = 0, height
	}
	first := sort.Search(len(l.logs), func(i int) bool { return l.logs[i].BlockNumber >= from })
	if f.BlockHash != nil {
		first = l.in(*f.BlockHash)
	}
	found := []types.Log{}
	for _, log := range l.logs[first:] {
		if log.BlockNumber > to || f.BlockHash != nil && log.BlockHash != *f.BlockHash {
			break
		}
		if slices.Contains(f.Address, log.Address) && slices.Contains(f.Topics[0], log.Topics[0]) {
			found = append(found, log)
		}
	}
	return found
}

// some is what JSON-RPC writes as one value or as a list.
type some[T any] []T

func (s *some[T]) UnmarshalJSON(text []byte) error {
	if text[0] == '[' {
		return json.Unmarshal(text, (*[]T)(s))
	}
	*s = make([]T, 1)
	return json.Unmarshal(text, &(*s)[0])
}

// in is the first log of the block with a hash.
func (l *ledger) in(hash common.Hash) int {
	if i, ok := l.byHash()[hash]; ok {
		return i
	}
	return len(l.logs)
}

// seal sorts the logs by block, and numbers them.
func (l *ledger) seal() {
	slices.SortStableFunc(l.logs, func(a, b types.Log) int { return cmp.Compare(a.BlockNumber, b.BlockNumber) })
	for i := range l.logs {
		l.logs[i].Index = 0
		if i > 0 && l.logs[i-1].BlockNumber == l.logs[i].BlockNumber {
			l.logs[i].Index = l.logs[i-1].Index + 1
		}
	}
}

var hashes sync.Map // of each ledger: the first log of each block

func (l *ledger) byHash() map[common.Hash]int {
	if known, ok := hashes.Load(l); ok {
		return known.(map[common.Hash]int)
	}
	made := map[common.Hash]int{}
	for i := len(l.logs) - 1; i >= 0; i-- {
		made[l.logs[i].BlockHash] = i
	}
	hashes.Store(l, made)
	return made
}

// look answers the lens: about orders from the entries, about contracts as the
// catalog's pools are.
func (l *ledger) look(param json.RawMessage) string {
	var q struct{ Data string }
	if err := json.Unmarshal(param, &q); err != nil {
		panic(err)
	}
	inner, ask := fake.Inner(q.Data[2:]), contract.Lens.ABI().Methods["orders"]
	if !bytes.Equal(inner[:4], ask.ID) {
		return l.pools.Look(l.id, q.Data[2:])
	}
	args, err := ask.Inputs.Unpack(inner[4:])
	if err != nil {
		panic(err)
	}
	views := []view{}
	for _, id := range args[2].([][32]byte) {
		views = append(views, l.view(id, args[0].(common.Address) != common.Address{}))
	}
	answer, err := ask.Outputs.Pack(views)
	if err != nil {
		panic(err)
	}
	return "0x00" + common.Bytes2Hex(answer)
}

type view struct {
	Id         [32]byte
	Deposit    contract.Deposit
	Settlement uint8
}

func (l *ledger) view(id [32]byte, source bool) view {
	v := view{Id: id, Deposit: contract.Deposit{Amount: new(big.Int), Deadline: new(big.Int)}}
	e := l.orders[id]
	if e == nil {
		return v
	}
	if source && !e.released {
		v.Deposit = contract.Deposit{Amount: e.order.Amount, Deadline: e.order.Deadline, State: 1}
	}
	if !source && e.paid {
		v.Settlement = 1
	}
	return v
}

// take keeps a transaction.
func (l *ledger) take(param json.RawMessage) common.Hash {
	var raw hexutil.Bytes
	var tx types.Transaction
	if json.Unmarshal(param, &raw) != nil || tx.UnmarshalBinary(raw) != nil {
		panic("not a transaction")
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.sent) == 0 {
		l.first = time.Now()
	}
	l.sent = append(l.sent, &tx)
	return tx.Hash()
}

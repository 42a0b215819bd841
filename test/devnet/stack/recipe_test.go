package stack_test

import (
	"bytes"
	"math/big"
	"os"
	"regexp"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/internal/contract"
	"hubquote/swap"
)

// A recipe follows swaps as docs/tracking.md says to do without the service, with
// the topics and the bytes that the page names.
type recipe struct {
	*trial
	t      *testing.T
	topics map[string]common.Hash
}

func newRecipe(t *testing.T, w *trial) *recipe {
	t.Helper()
	text, err := os.ReadFile("../../../docs/tracking.md")
	if err != nil {
		t.Fatal(err)
	}
	r := &recipe{w, t, map[string]common.Hash{}}
	for _, m := range regexp.MustCompile("`(0x[0-9a-f]{64})` \\(`([A-Za-z]+)`\\)|`([A-Za-z]+)` \\(`(0x[0-9a-f]{64})`\\)").FindAllStringSubmatch(string(text), -1) {
		r.topics[m[2]+m[3]] = common.HexToHash(m[1] + m[4])
	}
	return r
}

// follow takes the steps of the page for a swap that is done.
func (r *recipe) follow(j *trade) {
	deposit := j.deposit
	if j.route.Burn != nil { // step 2: the order is opened on the gateway
		sent := r.burns(deposit.Logs)
		deposit = r.mint(8453, sent)
		r.one(deposit.Logs, "BurnReceived", common.Hash{})
	}
	opened := r.one(deposit.Logs, "OrderOpened", common.Hash{}) // step 1
	order, err := contract.ReadOpened(opened)
	if err != nil {
		r.t.Fatal(err)
	}
	id := opened.Topics[1]
	payment := r.find(j.route.FeeChain, "OrderFulfilled", id) // step 3
	out, err := r.Chains[j.route.FeeChain].Call(r.t.Context(), order.Order.DstPool, contract.Pool.Call("settlements", id))
	if err != nil || new(big.Int).SetBytes(out).Int64() != 1 {
		r.t.Errorf("settlements = %x, %v, want 1", out, err)
	}
	if payment.Address != order.Order.DstPool {
		r.t.Errorf("paid by %s, want order.dstPool %s", payment.Address, order.Order.DstPool)
	}
	if j.route.FeeChain != j.route.Dst.Network { // step 4
		r.mint(j.route.Dst.Network, r.burns(r.receipt(j.route.FeeChain, payment.TxHash).Logs))
	}
}

// one returns the only log of an event, of an order or of any.
func (r *recipe) one(logs []*types.Log, event string, id common.Hash) (found *types.Log) {
	r.t.Helper()
	for _, l := range logs {
		if len(l.Topics) > 1 && l.Topics[0] == r.topics[event] && (id == common.Hash{} || l.Topics[1] == id) {
			if found != nil {
				r.t.Fatalf("two logs of %s, want one", event)
			}
			found = l
		}
	}
	if found == nil {
		r.t.Fatalf("no log of %s with topic %s, want one", event, r.topics[event])
	}
	return found
}

func (r *recipe) find(id swap.ChainID, event string, order common.Hash) *types.Log {
	r.t.Helper()
	logs, err := r.Chains[id].Logs(r.t.Context(), ethereum.FilterQuery{FromBlock: new(big.Int), Topics: [][]common.Hash{{r.topics[event]}, {order}}})
	if err != nil || len(logs) != 1 {
		r.t.Fatalf("%d logs of %s, %v, want one", len(logs), event, err)
	}
	return &logs[0]
}

func (r *recipe) receipt(id swap.ChainID, tx common.Hash) *types.Receipt {
	r.t.Helper()
	receipt, err := r.Chains[id].Receipt(r.t.Context(), tx)
	if err != nil || receipt == nil {
		r.t.Fatalf("receipt = %v, %v, want one", receipt, err)
	}
	return receipt
}

// burns are the sender and the body of each message in logs, without the 64 bytes
// that the issuer fills in.
func (r *recipe) burns(logs []*types.Log) (list [][]byte) {
	for _, l := range logs {
		if l.Topics[0] == r.topics["MessageSent"] {
			m, err := contract.Transmitter.ABI().Events["MessageSent"].Inputs.Unpack(l.Data)
			if err != nil {
				r.t.Fatal(err)
			}
			list = append(list, masked(m[0].([]byte)[44:76], m[0].([]byte)[148:]))
		}
	}
	return list
}

func masked(sender, body []byte) []byte {
	b := bytes.Clone(body)
	clear(b[164 : 164+64])
	return append(bytes.Clone(sender), b...)
}

// mint returns the transaction that minted one of these burns.
func (r *recipe) mint(id swap.ChainID, sent [][]byte) *types.Receipt {
	r.t.Helper()
	logs, err := r.Chains[id].Logs(r.t.Context(), ethereum.FilterQuery{FromBlock: new(big.Int), Topics: [][]common.Hash{{r.topics["MessageReceived"]}}})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, l := range logs {
		m, err := contract.Transmitter.ABI().Events["MessageReceived"].Inputs.NonIndexed().Unpack(l.Data)
		if err != nil {
			r.t.Fatal(err)
		}
		sender, body := m[1].([32]byte), m[2].([]byte)
		for _, s := range sent {
			if len(body) >= 228 && bytes.Equal(s, masked(sender[:], body)) {
				return r.receipt(id, l.TxHash)
			}
		}
	}
	r.t.Fatalf("no mint of %d burns on %d, want one", len(sent), id)
	return nil
}

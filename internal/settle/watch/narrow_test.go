package watch_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/settle/order"
	"hubquote/test/fake/endpoint"
)

// Endpoints that answer little are enough: two blocks at a time, and logs by
// their transactions instead of by block.
func TestEndpointsWithSmallAnswers(t *testing.T) {
	for name, fault := range map[string]endpoint.Fault{
		"two blocks at a time": endpoint.CapRange(2),
		"no logs by block":     endpoint.ByRangeOnly(),
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t)
			for _, e := range r.fronts[src].Endpoints {
				e.Set(fault)
			}
			_, id := r.deposit()
			r.mine(src, 20)
			r.until("the deposit is final", func() bool { return r.fact(id, order.EventOpened) == order.Final })
		})
	}
}

// One endpoint cannot invent a refusal, which would have an order cancelled.
func TestInventedRefusal(t *testing.T) {
	r := newRig(t)
	_, id := r.deposit()
	block, err := rpcBlock(t, r.net.Chains[dst].URL)
	if err != nil {
		t.Fatal(err)
	}
	expired := contract.Pool.ABI().Errors["Expired"].ID
	r.fronts[dst].Endpoints[0].Set(endpoint.Invent(endpoint.Log{
		"address": common.Address(r.pool(dst).Address), "topics": []any{contract.Pool.ABI().Events["OrderSkipped"].ID.Hex(), common.Hash(id).Hex()},
		"data": common.BytesToHash(common.RightPadBytes(expired[:4], 32)).Hex(), "blockNumber": block["number"], "blockHash": block["hash"],
		"transactionHash": common.Hash{7}.Hex(), "transactionIndex": "0x0", "logIndex": "0x5", "removed": false,
	}))
	r.first[dst]-- // the block is read
	r.restart()
	for range 4 {
		r.round()
	}
	facts, err := r.journal.Facts(t.Context(), id)
	told := false
	for _, f := range facts {
		told = told || f.Event == order.EventSkipped
	}
	if err != nil || !told {
		t.Errorf("facts = %+v, %v; want the invented one among them, as gone", facts, err)
	}
	if got := r.order(id).Refusal; got.Times != 0 {
		t.Errorf("refusal = %+v, want none", got)
	}
}

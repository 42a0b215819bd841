package watch_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/settle/order"
	"hubquote/test/fake/endpoint"
)

// crowds adds so many payments to each answer about logs, each time others, in blocks
// that are not there: of orders that are not there either, or all of one.
func (r *rig) crowds(logs int, of order.ID) endpoint.Fault {
	topics, data := invented("OrderFulfilled", of)
	var n atomic.Uint64
	return func(ctx context.Context, q endpoint.Request, next endpoint.Next) endpoint.Answer {
		a := next(ctx, q)
		var blocks struct{ FromBlock *hexutil.Uint64 }
		var list []endpoint.Log
		if q.Method != "eth_getLogs" || json.Unmarshal(q.Params[0], &blocks) != nil || blocks.FromBlock == nil || json.Unmarshal(a.Result, &list) != nil {
			return a
		}
		for range logs {
			hash := fmt.Sprintf("0x%064x", 1000+n.Add(1))
			if of.IsZero() {
				topics = append([]any{topics[0], hash}, topics[2:]...)
			}
			list = append(list, endpoint.Log{
				"address": r.pool(src).Address.String(), "topics": topics, "data": data, "blockNumber": blocks.FromBlock.String(),
				"blockHash": hash, "transactionHash": hash, "transactionIndex": "0x0", "logIndex": "0x0", "removed": false,
				"blockTimestamp": fmt.Sprintf("0x%x", time.Now().Unix()),
			})
		}
		a.Result, _ = json.Marshal(list)
		return a
	}
}

// An endpoint that makes up any number of logs in every answer neither keeps a deposit
// from being proved, nor fills the journal.
func TestCrowdsOfLogs(t *testing.T) {
	for _, one := range []bool{false, true} {
		t.Run(fmt.Sprintf("of one order %v", one), func(t *testing.T) {
			r := newRig(t)
			r.mine(src, 10)
			_, id := r.deposit()
			r.round()
			of := order.ID{}
			if one {
				of = id
			}
			r.fronts[src].Endpoints[0].Set(r.crowds(400, of))
			for range 3 {
				r.mine(src, 1)
				r.round()
			}
			_, id = r.deposit()
			for range 6 {
				r.mine(src, 1)
				r.round()
			}
			r.want(id, order.EventOpened, order.Final)
			all, err := r.journal.All(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if n := len(all.Facts); n > 64+2 {
				t.Errorf("%d facts, want the two deposits, and not more than 64 of one endpoint", n)
			}
		})
	}
}

// What the endpoint that tells the head leaves out, and no two others agree on yet,
// is not taken for read.
func TestLeftOutIsReadAgain(t *testing.T) {
	r := newRig(t)
	r.mine(src, 10)
	r.round()
	e := r.fronts[src].Endpoints
	e[0].Set(endpoint.LeaveOut())
	_, id := r.deposit()
	e[2].Set(endpoint.Refuse("eth_getLogs"))
	for range 4 {
		r.mine(src, 1)
		r.round()
	}
	e[2].Set()
	for range 4 {
		r.mine(src, 1)
		r.round()
	}
	r.want(id, order.EventOpened, order.Final)
}

package watch_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch"
	"hubquote/test/fake/endpoint"
)

// An endpoint that answers about one block at a time, and takes its time, does not
// hold up a round for long, and another tells the head after it.
func TestOneBlockAtATime(t *testing.T) {
	r := newRig(t)
	r.restart(func(c *watch.Chain) { c.Sweep = time.Hour })
	r.round()
	r.fronts[src].Endpoints[0].Set(endpoint.CapRange(1), func(ctx context.Context, q endpoint.Request, next endpoint.Next) endpoint.Answer {
		if q.Method == "eth_getLogs" {
			time.Sleep(100 * time.Millisecond)
		}
		return next(ctx, q)
	})
	r.mine(src, 250)
	_, id := r.deposit()
	for range 2 {
		began := time.Now()
		r.round()
		if took := time.Since(began); took > 15*time.Second {
			t.Errorf("one round took %v, want at most 15 s", took)
		}
	}
	r.want(id, order.EventOpened, order.Agreed)
}

// crowds answers about a block by its transactions only, of which it names so many
// that are not there, and counts what it is asked.
func crowds(many int, asked *atomic.Int64) endpoint.Fault {
	huge := json.RawMessage(`"` + string(bytes.Repeat([]byte("x"), 2<<20)) + `"`)
	return func(ctx context.Context, q endpoint.Request, next endpoint.Next) endpoint.Answer {
		var of struct{ FromBlock, ToBlock *hexutil.Uint64 }
		a := next(ctx, q)
		var b map[string]any
		switch {
		case q.Method == "eth_getLogs" && json.Unmarshal(q.Params[0], &of) == nil && of.ToBlock != nil:
			if *of.FromBlock == *of.ToBlock {
				return endpoint.Answer{Result: huge}
			}
			return endpoint.Answer{Error: json.RawMessage(`{"code":-32000,"message":"too many"}`)}
		case q.Method == "eth_getBlockByNumber" && !asksLatest(q) && json.Unmarshal(a.Result, &b) == nil && b != nil:
			txs, _ := b["transactions"].([]any)
			for i := range many {
				txs = append(txs, fmt.Sprintf("0x%064x", i+1))
			}
			b["transactions"] = txs
			a.Result, _ = json.Marshal(b)
		case q.Method == "eth_getTransactionReceipt":
			asked.Add(1)
		}
		return a
	}
}

// A block with more transactions than are read at once is read in several rounds,
// and at another endpoint meanwhile.
func TestCrowdedBlock(t *testing.T) {
	r := newRig(t)
	r.restart(func(c *watch.Chain) { c.Sweep = time.Hour })
	r.round()
	_, id := r.deposit()
	var asked atomic.Int64
	r.fronts[src].Endpoints[0].Set(crowds(14_000, &asked))
	r.round()
	if n := asked.Load(); n > 1_000 {
		t.Errorf("%d receipts asked for in one round, want at most 1,000", n)
	}
	r.round()
	r.want(id, order.EventOpened, order.Agreed)
}

// A block that is crowded at every endpoint is read all the same.
func TestCrowdedEverywhere(t *testing.T) {
	r := newRig(t)
	r.round()
	_, id := r.deposit()
	r.restart(func(c *watch.Chain) { c.Sweep, c.First = time.Hour, r.head(src) })
	var asked atomic.Int64
	for _, e := range r.fronts[src].Endpoints {
		e.Set(crowds(2_500, &asked))
	}
	r.until("the deposit is agreed on", func() bool { return r.fact(id, order.EventOpened) >= order.Agreed })
}

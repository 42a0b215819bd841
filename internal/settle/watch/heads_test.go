package watch_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch"
	"hubquote/test/fake/endpoint"
)

func asksLatest(q endpoint.Request) bool {
	return q.Method == "eth_getBlockByNumber" && string(q.Params[0]) == `"latest"`
}

// headAt names the block with that number as its head.
func headAt(number func() uint64) endpoint.Fault {
	return func(ctx context.Context, q endpoint.Request, next endpoint.Next) endpoint.Answer {
		if asksLatest(q) {
			q.Params = append([]json.RawMessage{json.RawMessage(fmt.Sprintf(`"0x%x"`, number()))}, q.Params[1:]...)
		}
		return next(ctx, q)
	}
}

// swings names one of three blocks as its head, in turn.
func swings(at uint64) endpoint.Fault {
	var n atomic.Uint64
	return headAt(func() uint64 { return at - n.Add(1)%3 })
}

// An endpoint whose head goes back and forth does not move, and another tells.
func TestSwingingHead(t *testing.T) {
	r := newRig(t)
	r.round()
	at := r.head(src)
	r.fronts[src].Endpoints[0].Set(swings(at))
	r.fronts[src].Stop(at, at) // finality takes its time
	r.restart(func(c *watch.Chain) { c.Sweep = time.Hour })
	_, id := r.deposit()
	r.mine(src, 100)
	for range 20 {
		r.round()
	}
	if got, want := r.watcher.Passed(src), r.head(src); got != want {
		t.Errorf("Passed = %d, want %d, which two endpoints have", got, want)
	}
	r.want(id, order.EventOpened, order.Agreed)
}

// What was passed is not taken back because one endpoint names an earlier head.
func TestLowerHeadTakesNothingBack(t *testing.T) {
	r := newRig(t)
	r.mine(src, 100)
	r.round()
	before := r.watcher.Passed(src)
	r.fronts[src].Endpoints[0].Set(headAt(func() uint64 { return r.watcher.Passed(src) - 10 }))
	for range 15 {
		r.round()
		if got := r.watcher.Passed(src); got < before {
			t.Fatalf("Passed fell from %d to %d", before, got)
		}
	}
}

// An endpoint that names a head far ahead, with a hash of its own, does not hold up
// the two others, one of which is behind.
func TestHeadFarAheadAndOneBehind(t *testing.T) {
	r := newRig(t)
	r.mine(src, 50)
	r.round()
	before := r.watcher.Passed(src)
	r.fronts[src].Endpoints[0].Set(endpoint.Ahead(1<<40), func(ctx context.Context, q endpoint.Request, next endpoint.Next) endpoint.Answer {
		a := next(ctx, q)
		var b map[string]json.RawMessage
		if q.Method == "eth_getBlockByNumber" && json.Unmarshal(a.Result, &b) == nil && b != nil {
			b["hash"] = json.RawMessage(`"0x` + strings.Repeat("13", 32) + `"`)
			a.Result, _ = json.Marshal(b)
		}
		return a
	})
	r.fronts[src].Endpoints[2].Set(endpoint.Behind(3))
	r.fronts[src].Stop(before, before)
	_, id := r.deposit()
	r.mine(src, 40)
	for range 6 {
		r.round()
	}
	if got, want := r.watcher.Passed(src), r.head(src)-3; got < want {
		t.Errorf("Passed = %d, want at least %d, which two endpoints have", got, want)
	}
	r.want(id, order.EventOpened, order.Agreed)
}

// A deposit that the endpoint that tells the head leaves out is found by the final
// pass, also when the one that would read it does not have the block yet.
func TestFinalPassAtALateEndpoint(t *testing.T) {
	for late := 1; late < 3; late++ {
		t.Run(fmt.Sprint(late), func(t *testing.T) {
			r := newRig(t)
			r.fronts[src].Tag(0, 1) // as with fast finality
			r.mine(src, 10)
			r.round()
			r.round()
			e := r.fronts[src].Endpoints
			e[0].Set(endpoint.LeaveOut(), swings(r.head(src)))
			_, id := r.deposit()
			r.mine(src, 3)
			e[late].Set(endpoint.Behind(5))
			for range 2 {
				r.round()
			}
			e[late].Set()
			for range 6 {
				r.mine(src, 1)
				r.round()
			}
			r.want(id, order.EventOpened, order.Final)
		})
	}
}

// The final pass is at another endpoint each time, however many tags are asked for,
// and goes on at the next when one fails.
func TestFinalPassAtEveryEndpoint(t *testing.T) {
	for i := range 3 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r := newRig(t)
			r.restart(func(c *watch.Chain) { c.Sweep = time.Hour })
			r.round()
			r.fronts[src].Endpoints[i].Set(endpoint.Refuse("eth_getLogs"))
			_, id := r.deposit()
			for range 8 {
				r.deposit() // there is always one that is not safe yet
				r.round()
			}
			r.want(id, order.EventOpened, order.Final)
		})
	}
}

// foretells names a head that is too high, and has so many logs of an order in that
// block, each time others.
func (r *rig) foretells(blocks uint64, logs int, name string, id order.ID) endpoint.Fault {
	topics, data := invented(name, id)
	var n atomic.Uint64
	return func(ctx context.Context, q endpoint.Request, next endpoint.Next) endpoint.Answer {
		if asksLatest(q) {
			return endpoint.Ahead(blocks)(ctx, q, next)
		}
		var of struct{ FromBlock, ToBlock *hexutil.Uint64 }
		head, err := endpoint.Head(ctx, next)
		if q.Method != "eth_getLogs" || json.Unmarshal(q.Params[0], &of) != nil || of.ToBlock == nil || err != nil || uint64(*of.ToBlock) <= head {
			return next(ctx, q)
		}
		list := []endpoint.Log{}
		for range logs {
			k := 1000 + n.Add(1)
			list = append(list, endpoint.Log{
				"address": r.pool(src).Address.String(), "topics": topics, "data": data, "blockNumber": fmt.Sprintf("0x%x", uint64(*of.ToBlock)),
				"blockHash": fmt.Sprintf("0x%064x", k), "transactionHash": fmt.Sprintf("0x%064x", k), "transactionIndex": "0x0",
				"logIndex": "0x0", "removed": false, "blockTimestamp": fmt.Sprintf("0x%x", time.Now().AddDate(50, 0, 0).Unix()),
			})
		}
		text, _ := json.Marshal(list)
		return endpoint.Answer{Result: text}
	}
}

// What one endpoint tells of a block that no other has is not taken, and costs few
// questions to the others.
func TestBlocksToCome(t *testing.T) {
	r := newRig(t)
	body, id := r.deposit()
	r.pay(body)
	r.mine(src, 4)
	r.mine(dst, 4)
	r.until("the order is final on both chains", func() bool {
		return r.fact(id, order.EventOpened) == order.Final && r.fact(id, order.EventPaid) == order.Final
	})
	r.restart(func(c *watch.Chain) { c.Sweep = time.Hour })
	r.round()
	r.fronts[src].Endpoints[0].Set(r.foretells(200, 20, "OrderFulfilled", id))
	honest := r.fronts[src].Endpoints[1]
	for range 5 {
		before := honest.Calls()
		r.round()
		if calls := honest.Calls() - before; calls > 12 {
			t.Errorf("%d calls to another endpoint in one round, want at most 12", calls)
		}
	}
	facts, err := r.journal.Facts(t.Context(), id)
	if err != nil || len(facts) != 2 {
		t.Errorf("%d facts, %v, want the deposit and the payment", len(facts), err)
	}
}

// What was told of a block far above the head is given up with the next census.
func TestToldFarAboveTheHead(t *testing.T) {
	r := newRig(t)
	_, id := r.deposit()
	r.round()
	far := order.Fact{Chain: src, Tx: order.Hash{9}, Block: r.head(src) + 1000, Hash: order.Hash{9}, Proof: order.Told}
	err := r.writer.Write(t.Context(), func(tx journal.Tx) error {
		return tx.PutFact(t.Context(), journal.Fact{Order: id, Event: order.EventReleased, Fact: far})
	})
	if err != nil {
		t.Fatal(err)
	}
	r.round()
	r.onlyOpened(id)
}

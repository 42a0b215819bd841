package watch_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/contract"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/swap"
	"hubquote/test/fake/endpoint"
)

// faults are the ways in which one endpoint of three fails.
func faults(r *rig, tx string) map[string]endpoint.Fault {
	opened := contract.Pool.ABI().Events["OrderOpened"].ID.Hex()
	return map[string]endpoint.Fault{
		"down":              endpoint.Down,
		"drops connections": endpoint.DropEvery(2),
		"slow":              endpoint.Slow(time.Second),
		"behind":            endpoint.Behind(40),
		"other chain":       endpoint.OtherChain(7),
		"null blocks":       endpoint.Null("eth_getBlockByNumber"),
		"null logs":         endpoint.Null("eth_getLogs"),
		"refuses logs":      endpoint.Refuse("eth_getLogs"),
		"caps ranges":       endpoint.CapRange(2),
		"prunes":            endpoint.Prune(1),
		"no logs":           endpoint.LeaveOut(),
		"no deposits":       endpoint.LeaveOut(opened),
		"altered logs":      endpoint.Alter(func(l endpoint.Log) { l["data"] = l["data"].(string)[:len(l["data"].(string))-2] + "77" }),
		"old head":          endpoint.Names("latest", 1),
		"head far ahead":    endpoint.Ahead(1 << 40),
		"head ahead":        endpoint.Ahead(100),
		"old final block":   endpoint.Names("finalized", 1),
		"wrong receipts": func(ctx context.Context, q endpoint.Request, next endpoint.Next) endpoint.Answer {
			return endpoint.Refuse("eth_getLogs")(ctx, q, func(ctx context.Context, q endpoint.Request) endpoint.Answer {
				return endpoint.WrongReceipts(tx)(ctx, q, next)
			})
		},
	}
}

// One endpoint of three that fails or lies, whichever it is, neither hides an
// order nor delays its proof for good, and adds nothing.
func TestOneLiarChangesNothing(t *testing.T) {
	r := newRig(t)
	before := r.send(src, 0, [20]byte{1}, nil)
	r.mine(src, 50)
	for name := range faults(r, "") {
		for i := range 3 {
			t.Run(fmt.Sprintf("%s/%d", name, i+1), func(t *testing.T) {
				for _, c := range []swap.ChainID{src, dst} {
					r.fronts[c].Endpoints[i].Set(faults(r, before.TxHash.Hex())[name])
					defer r.fronts[c].Endpoints[i].Set()
				}
				r.t = t
				r.restart()
				body, id := r.deposit()
				r.pay(body)
				r.mine(src, 2)
				r.mine(dst, 2)
				r.until("the order is final on both chains", func() bool {
					return r.fact(id, order.EventOpened) == order.Final && r.fact(id, order.EventPaid) == order.Final
				})
				head, err := r.net.Chains[src].Head(t.Context())
				if got := r.watcher.Passed(src); err != nil || got > head+256 {
					t.Errorf("Passed = %d, %v; want no block far above the head, %d", got, err, head)
				}
				if o := r.order(id); o.Amount != r.route.Limits.Min || o.Deadline.Unix() != body.Deadline.Int64() {
					t.Errorf("order = %+v, want that of the deposit", o.Order)
				}
			})
		}
	}
	all, err := r.journal.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := len(all.Orders), 3*len(faults(r, "")); got != want {
		t.Errorf("%d orders, want %d", got, want)
	}
	for _, f := range all.Facts {
		if f.Proof < order.Final && !f.Gone {
			t.Errorf("proof of %s = %d, want it final or gone", f.Event, f.Proof)
		}
	}
}

// An endpoint that puts another event in the place of a real log is denied in
// the same round.
func TestInventedEventInATakenPlace(t *testing.T) {
	r := newRig(t)
	events := contract.Pool.ABI().Events
	for _, name := range []string{"OrderFulfilled", "OrderCancelled", "OrderRefunded", "OrderReleased", "OrderReclaimed"} {
		t.Run(name, func(t *testing.T) {
			r.t = t
			r.restart()
			_, a := r.deposit()
			_, b := r.deposit()
			r.fronts[src].Endpoints[0].Set(endpoint.Alter(func(l endpoint.Log) {
				topics, _ := l["topics"].([]any)
				if len(topics) > 1 && topics[0] == events["OrderOpened"].ID.Hex() && topics[1] == b.String() {
					l["topics"], l["data"] = invented(name, a)
				}
			}))
			defer r.fronts[src].Endpoints[0].Set()
			r.round()
			r.onlyOpened(a)
			r.mine(src, 8)
			r.until("both deposits are final", func() bool {
				return r.fact(a, order.EventOpened) == order.Final && r.fact(b, order.EventOpened) == order.Final
			})
			r.onlyOpened(a)
		})
	}
}

// What one endpoint tells about a closed order, and others deny, does not open it
// again.
func TestDeniedEventOfAClosedOrder(t *testing.T) {
	r := newRig(t)
	body, id := r.deposit()
	r.pay(body)
	r.release(id)
	r.mine(src, 4)
	r.mine(dst, 4)
	r.until("all is final", func() bool {
		return r.fact(id, order.EventOpened) == order.Final && r.fact(id, order.EventPaid) == order.Final && r.fact(id, order.EventReleased) == order.Final
	})
	err := r.writer.Write(t.Context(), func(tx journal.Tx) error {
		return tx.SetState(t.Context(), id, journal.Decision{State: order.Closed, At: time.Now()})
	})
	if err != nil {
		t.Fatal(err)
	}
	was := r.order(id)
	r.deposit() // a block whose logs are asked for
	r.fronts[src].Endpoints[0].Set(endpoint.Forge(func(l endpoint.Log) {
		l["topics"], l["data"] = invented("OrderCancelled", id)
		l["logIndex"] = "0x63"
	}))
	for range 3 {
		r.round()
	}
	if now := r.order(id); now.State != order.Closed || now.Revision != was.Revision {
		t.Errorf("%s (%s), revision %d, want %s and revision %d", now.State, now.Reason, now.Revision, was.State, was.Revision)
	}
	r.want(id, order.EventCancelled, order.Unproved)
}

// invented is what a log of an event of an order could look like.
func invented(name string, id order.ID) (topics []any, data string) {
	e := contract.Pool.ABI().Events[name]
	topics = []any{e.ID.Hex(), id.String()}
	for _, in := range e.Inputs[1:] {
		if in.Indexed {
			topics = append(topics, common.Hash{31: 9}.Hex())
		}
	}
	return topics, hexutil.Encode(make([]byte, 32*len(e.Inputs.NonIndexed())))
}

// onlyOpened fails if an order has any fact but its deposit that is not gone.
func (r *rig) onlyOpened(id order.ID) {
	r.t.Helper()
	facts, err := r.journal.Facts(r.t.Context(), id)
	if err != nil {
		r.t.Fatal(err)
	}
	for _, f := range facts {
		if f.Event != order.EventOpened && !f.Gone {
			r.t.Errorf("%s has proof %d, want it to be gone", f.Event, f.Proof)
		}
	}
}

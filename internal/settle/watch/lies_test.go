package watch_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"hubquote/internal/contract"
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
			t.Errorf("%s is neither final nor gone: proof %d", f.Event, f.Proof)
		}
	}
}

package lane_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"

	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

var (
	pool  = order.Pool{Chain: 369, Address: swap.Address{1}}
	other = order.Pool{Chain: 1, Address: swap.Address{2}}
	calls = world.Budget{Limit: world.Calls, Pool: order.Pool{Chain: 369}}
	money = world.Budget{Limit: world.Liquidity, Pool: pool}
)

func gas(order.Kind, order.Pool) lane.Gas { return lane.Gas{Base: 100, PerOrder: 50, Cap: 299} }

func task(id byte, k order.Kind, due int64, uses uint64) step.Step {
	return step.Step{Do: step.Send, Send: &step.Task{Order: order.ID{id}, Kind: k, At: pool, Due: time.Unix(due, 0), Needs: []world.Need{
		world.Call(369), {Budget: money, Amount: *uint256.NewInt(uses)},
	}}}
}

func alone(s step.Step) step.Step { s.Send.Alone = true; return s }

func urgent(s step.Step) step.Step { s.Send.Urgent = true; return s }

func at(s step.Step, p order.Pool) step.Step { s.Send.At = p; return s }

func TestPack(t *testing.T) {
	for _, tt := range []struct {
		name  string
		steps []step.Step
		left  uint64 // of the money
		calls uint64
		free  int
		want  [][]byte
	}{
		{"nothing to send", []step.Step{{Do: step.Wait}, {Do: step.Park}, {Do: step.Done}}, 9, 9, 9, nil},
		{"three fit into the gas cap, the fourth does not", []step.Step{task(1, order.Pay, 1, 1), task(2, order.Pay, 2, 1), task(3, order.Pay, 3, 1), task(4, order.Pay, 4, 1)}, 9, 9, 9, [][]byte{{1, 2, 3}, {4}}},
		{"the earliest deadline first", []step.Step{task(1, order.Release, 3, 1), task(2, order.Release, 1, 1), task(3, order.Release, 2, 1)}, 9, 9, 9, [][]byte{{2, 3, 1}}},
		{"the urgent before the earliest", []step.Step{task(1, order.Release, 1, 1), urgent(task(2, order.Release, 9, 1))}, 9, 9, 9, [][]byte{{2, 1}}},
		{"equal deadlines by ID", []step.Step{task(2, order.Pay, 1, 1), task(1, order.Pay, 1, 1)}, 9, 9, 9, [][]byte{{1, 2}}},
		{"kinds are not mixed", []step.Step{task(1, order.Pay, 1, 1), task(2, order.Release, 2, 1), task(3, order.Pay, 3, 1)}, 9, 9, 9, [][]byte{{1, 3}, {2}}},
		{"contracts are not mixed", []step.Step{task(1, order.Pay, 1, 1), at(task(2, order.Pay, 2, 1), other)}, 9, 9, 9, [][]byte{{1}, {2}}},
		{"cancellations go one by one", []step.Step{task(1, order.Cancel, 1, 1), task(2, order.Cancel, 2, 1)}, 9, 9, 9, [][]byte{{1}, {2}}},
		{"a payment that may owe goes alone", []step.Step{alone(task(1, order.Pay, 1, 1)), task(2, order.Pay, 2, 1), task(3, order.Pay, 3, 1)}, 9, 9, 9, [][]byte{{1}, {2, 3}}},
		{"what is left is shared", []step.Step{task(1, order.Pay, 1, 6), task(2, order.Pay, 2, 6), task(3, order.Pay, 3, 3)}, 9, 9, 9, [][]byte{{1, 3}}},
		{"a batch is one call", []step.Step{task(1, order.Pay, 1, 1), task(2, order.Pay, 2, 1)}, 9, 1, 9, [][]byte{{1, 2}}},
		{"no more calls than the purse pays", []step.Step{task(1, order.Cancel, 1, 1), task(2, order.Cancel, 2, 1)}, 9, 1, 9, [][]byte{{1}}},
		{"no more in flight than free", []step.Step{task(1, order.Cancel, 1, 1), task(2, order.Cancel, 2, 1), task(3, order.Cancel, 3, 1)}, 9, 9, 2, [][]byte{{1}, {2}}},
		{"none when none is free", []step.Step{task(1, order.Pay, 1, 1)}, 9, 9, 0, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := world.World{Left: map[world.Budget]swap.Amount{calls: *uint256.NewInt(tt.calls), money: *uint256.NewInt(tt.left)}}
			var got [][]byte
			for _, b := range lane.Pack(tt.steps, w, gas, map[swap.ChainID]int{369: tt.free, 1: tt.free}) {
				var ids []byte
				for _, x := range b.Tasks {
					ids = append(ids, x.Order[0])
				}
				got = append(got, ids)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Pack differs (-want +got):\n%s", diff)
			}
			if left := w.Left[money]; left.Uint64() != tt.left {
				t.Errorf("Pack changed the world: %d left, want %d", left.Uint64(), tt.left)
			}
		})
	}
}

func TestBump(t *testing.T) {
	n := func(x uint64) swap.Amount { return *uint256.NewInt(x) }
	limits := lane.Limits{After: 3, Cap: n(1000)}
	calm := lane.Fees{Base: n(10), Tip: n(2), Mempool: true}
	sent := lane.Tx{Lowest: true, Attempts: 1, Sent: 100, Tip: n(9), Cap: n(100)}
	with := func(change func(*lane.Tx)) lane.Tx { x := sent; change(&x); return x }
	for _, tt := range []struct {
		name string
		head uint64
		tx   lane.Tx
		fees lane.Fees
		want lane.Move
	}{
		{"left out of fewer blocks is kept", 102, sent, calm, lane.Move{Do: lane.Keep}},
		{"left out of three is replaced, both rounded up", 103, sent, calm, lane.Move{Do: lane.Replace, Tip: n(11), Cap: n(113)}},
		{"only the lowest nonce is replaced", 200, with(func(x *lane.Tx) { x.Lowest = false }), calm, lane.Move{Do: lane.Keep}},
		{"a mined nonce is kept", 200, with(func(x *lane.Tx) { x.Mined = true }), calm, lane.Move{Do: lane.Keep}},
		{"without a mempool it is sent again", 103, sent, lane.Fees{Base: n(10), Tip: n(2)}, lane.Move{Do: lane.Resend}},
		{"a replacement offers what a new one would", 103, sent, lane.Fees{Base: n(200), Tip: n(20), Mempool: true}, lane.Move{Do: lane.Replace, Tip: n(20), Cap: n(420)}},
		{"a small tip still rises", 103, with(func(x *lane.Tx) { x.Tip = n(0) }), lane.Fees{Base: n(1), Mempool: true}, lane.Move{Do: lane.Replace, Tip: n(1), Cap: n(113)}},
		{"exactly the cap is offered", 103, with(func(x *lane.Tx) { x.Cap = n(888) }), calm, lane.Move{Do: lane.Replace, Tip: n(11), Cap: n(999)}},
		{"beyond the cap it is sent again, and a page", 103, with(func(x *lane.Tx) { x.Cap = n(889) }), calm, lane.Move{Do: lane.Resend, Page: true}},
		{"a new one would offer more than the cap: the cap", 103, sent, lane.Fees{Base: n(900), Tip: n(2), Mempool: true}, lane.Move{Do: lane.Replace, Tip: n(11), Cap: n(1000)}},
		{"reserved, not signed, wanted is kept", 200, lane.Tx{Lowest: true}, calm, lane.Move{Do: lane.Keep}},
		{"reserved, not signed, void is filled", 0, lane.Tx{Void: true}, calm, lane.Move{Do: lane.Fill, Tip: n(2), Cap: n(22)}},
		{"also without a mempool", 0, lane.Tx{Void: true}, lane.Fees{Base: n(10), Tip: n(2)}, lane.Move{Do: lane.Fill, Tip: n(2), Cap: n(22)}},
		{"signed and void is filled at once, lowest or not", 100, with(func(x *lane.Tx) { x.Void, x.Lowest = true, false }), calm, lane.Move{Do: lane.Fill, Tip: n(11), Cap: n(113)}},
		{"a filler is not filled again at once", 101, with(func(x *lane.Tx) { x.Void, x.Filler = true, true }), calm, lane.Move{Do: lane.Keep}},
		{"a filler that is left out stays a filler", 103, with(func(x *lane.Tx) { x.Void, x.Filler = true, true }), calm, lane.Move{Do: lane.Fill, Tip: n(11), Cap: n(113)}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := lane.Bump(tt.head, tt.tx, tt.fees, limits); got != tt.want {
				t.Errorf("Bump = %+v, want %+v", got, tt.want)
			}
		})
	}
	if got, want := lane.Offer(lane.Fees{Base: n(600), Tip: n(5)}, limits), (lane.Move{Do: lane.Replace, Tip: n(5), Cap: n(1000), Page: true}); got != want {
		t.Errorf("Offer = %+v, want %+v", got, want)
	}
}

package watch_test

import (
	"context"
	"encoding/json"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/contract"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/pace"
	"hubquote/internal/settle/watch"
	"hubquote/swap"
	"hubquote/test/audit"
	"hubquote/test/devnet"
	"hubquote/test/fake/endpoint"
)

func bigOf(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

// Logs that two endpoints leave out at all times are found by the census, at
// the third, and are not believed: only one has them.
func TestCensusFindsWhatIsLeftOut(t *testing.T) {
	r := newRig(t)
	opened := contract.Pool.ABI().Events["OrderOpened"].ID.Hex()
	for _, e := range r.fronts[src].Endpoints[:2] {
		e.Set(endpoint.LeaveOut(opened))
	}
	_, id := r.deposit()
	r.mine(src, 2)
	r.until("the census differs", func() bool { return len(r.health(src).Missing) == 1 })
	if got := r.health(src).Missing[0]; got != r.pool(src).Pool {
		t.Errorf("missing = %+v, want the pool of the deposit", got)
	}
	if got := r.fact(id, order.EventOpened); got >= order.Agreed {
		t.Errorf("the deposit has proof %d, want less: one endpoint has it", got)
	}
	r.fronts[src].Endpoints[0].Set()
	r.until("the deposit is proved", func() bool { return r.fact(id, order.EventOpened) == order.Final })
	r.until("the census agrees", func() bool { return len(r.health(src).Missing) == 0 })
}

// A difference that stays is looked for again more and more rarely, also after a
// restart: to read every block with each census would stop the chain.
func TestDifferenceThatStays(t *testing.T) {
	r := newRig(t)
	r.deposit() // before the first block that is read
	r.mine(src, 40)
	head, err := r.net.Chains[src].Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r.first[src] = head + 1
	r.open()
	r.restart()
	r.deposit()
	r.mine(src, 2)
	r.until("the census differs", func() bool { return len(r.health(src).Missing) == 1 })
	reads := 0
	for _, e := range r.fronts[src].Endpoints {
		e.Set(func(ctx context.Context, q endpoint.Request, next endpoint.Next) endpoint.Answer {
			var of struct{ FromBlock hexutil.Uint64 }
			if q.Method != "eth_getLogs" || json.Unmarshal(q.Params[0], &of) != nil || uint64(of.FromBlock) > head-40 || strings.Contains(string(q.Params[0]), "blockHash") {
				return next(ctx, q)
			}
			if of.FromBlock == 0 && e == r.fronts[src].Endpoints[0] {
				reads++
			}
			return endpoint.Answer{Result: json.RawMessage("[]")} // it has no logs that are so old
		})
	}
	r.restart(func(c *watch.Chain) { c.First = 0 }) // as with every journal that has a cursor
	for range 16 {
		r.round()
	}
	if reads == 0 || reads > 5 {
		t.Errorf("all blocks were read %d times in 16 rounds, want 1 to 5", reads)
	}
}

// A journal that was lost is made again from the chains alone, and a watcher
// that stops and starts misses nothing.
func TestRebuild(t *testing.T) {
	r := newRig(t)
	var ids []order.ID
	for i := range 12 {
		body, id := r.deposit()
		ids = append(ids, id)
		if i%2 == 0 {
			r.pay(body)
			r.release(id)
		}
		if i%3 == 0 {
			r.round()
			r.restart()
		}
	}
	r.mine(src, 2)
	r.mine(dst, 2)
	final := func() bool {
		for i, id := range ids {
			if r.fact(id, order.EventOpened) != order.Final || i%2 == 0 && (r.fact(id, order.EventPaid) != order.Final || r.fact(id, order.EventReleased) != order.Final) {
				return false
			}
		}
		return true
	}
	r.until("all is final", final)
	old, err := r.journal.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r.open()
	r.restart()
	r.until("all is final again", final)
	again, err := r.journal.All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range audit.Rebuilt(old, again) {
		t.Error(err)
	}
	for _, err := range audit.Rebuilt(again, old) {
		t.Error(err)
	}
}

func (r *rig) ban(account swap.Address, banned bool) {
	r.t.Helper()
	r.send(dst, devnet.Admin, common.Address(r.token(dst).Address), contract.USDC.Call("setBlacklisted", common.Address(account), banned))
}

// pass lets time pass on a chain.
func (r *rig) pass(id swap.ChainID, d time.Duration) {
	r.t.Helper()
	if err := r.net.Chains[id].Do(r.t.Context(), "evm_increaseTime", int(d.Seconds())); err != nil {
		r.t.Fatal(err)
	}
	r.mine(id, 1)
}

// What a batch leaves out is a refusal with its reason, counted once.
func TestSkippedItems(t *testing.T) {
	r := newRig(t)
	recipient := devnet.Account(devnet.Carol).Address
	r.ban(recipient, true)
	body, id := r.depositFor(recipient)
	r.pay(body)
	for range 3 {
		r.round()
		r.mine(dst, 1)
	}
	r.want(id, order.EventSkipped, order.Final)
	if got := r.order(id).Refusal; got.Why != order.Recipient || got.ForGood || got.Times != 1 || got.At.IsZero() {
		t.Errorf("refusal = %+v, want the recipient, not for good, once", got)
	}
	late, never := r.deposit()
	r.pass(dst, 8*24*time.Hour)
	r.pay(late)
	for range 2 { // the refusal may be read before the order
		r.round()
	}
	if got := r.order(never).Refusal; got.Why != order.Deadline || !got.ForGood || got.Times != 1 {
		t.Errorf("refusal = %+v, want the deadline, for good", got)
	}
}

// Every other event of an order is recorded too.
func TestOtherEvents(t *testing.T) {
	r := newRig(t)
	stop, dropped := r.deposit()
	r.send(dst, devnet.Relayer, common.Address(r.pool(dst).Address), contract.Pool.Call("cancel", stop))
	r.send(src, devnet.Relayer, common.Address(r.pool(src).Address), contract.Pool.Call("refund", stop))
	slow, back := r.deposit()
	for range 2 {
		r.pass(src, 9*24*time.Hour)
		r.send(src, devnet.Carol, common.Address(r.pool(src).Address), contract.Pool.Call("reclaim", slow))
	}
	r.mine(src, 2)
	r.mine(dst, 2)
	r.round()
	r.want(dropped, order.EventCancelled, order.Final)
	r.want(dropped, order.EventRefunded, order.Final)
	r.want(back, order.EventAnnounced, order.Final)
	r.want(back, order.EventReclaimed, order.Final)
}

// A recipient that cannot take its payment has a claim, and what it claims is a
// fact of that order. It waits for no sweep: until the claim is final, the recipient
// is told to send it.
func TestCreditAndClaim(t *testing.T) {
	r := newRig(t)
	r.restart(func(c *watch.Chain) { c.Sweep = time.Hour })
	r.round()
	recipient := devnet.Account(devnet.Carol).Address
	r.ban(recipient, true)
	body, id := r.depositFor(recipient)
	r.send(dst, devnet.Relayer, common.Address(r.pool(dst).Address), contract.Pool.Call("fulfil", body, true))
	r.round()
	r.want(id, order.EventPaid, order.Agreed)
	r.want(id, order.EventCredited, order.Agreed)
	r.mine(dst, 2)
	r.round()
	r.want(id, order.EventCredited, order.Final)
	r.ban(recipient, false)
	r.send(dst, devnet.Bob, common.Address(r.pool(dst).Address), contract.Pool.Call("claimFor", common.Address(recipient)))
	r.round()
	r.mine(dst, 2)
	r.round()
	r.want(id, order.EventClaimed, order.Final)
}

// A chain on which nothing happens costs few calls: heads at one endpoint, and
// the others only for the sweep.
func TestIdleCalls(t *testing.T) {
	r := newRig(t)
	const polls = int(pace.Sweep / pace.Head) // between two sweeps
	r.restart(func(c *watch.Chain) { c.Sweep, c.Range = time.Hour, 0 })
	r.round() // the first sweep
	calls := func() (n int) {
		for _, e := range r.fronts[src].Endpoints {
			n += e.Calls() - e.Calls("eth_chainId")
		}
		return n
	}
	before := calls()
	for range polls {
		r.mine(src, 1)
		r.round()
	}
	quiet := calls() - before
	r.restart(func(c *watch.Chain) { c.Range = 0 }) // sweeps with each round
	r.round()
	sweep := calls()
	for range 3 { // on a busy machine endpoints are late, and others are asked as well
		before = calls()
		r.mine(src, 1)
		r.round()
		sweep = min(sweep, calls()-before)
	}
	if hour := int(time.Hour/pace.Sweep) * (quiet + sweep); hour > 2000 {
		t.Errorf("%d calls an hour: %d for %d polls and %d for a sweep, want 2000 at most", hour, quiet, polls, sweep)
	}
}

package watch_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/contract"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/watch"
	"hubquote/internal/settle/world"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/fake/endpoint"
)

func (r *rig) tag(id swap.ChainID) world.Tag {
	w := world.World{Tags: map[swap.ChainID]world.Tag{}}
	r.watcher.Tags(&w)
	return w.Tags[id]
}

// A deposit whose block is gone is gone, and seen again when it is mined again,
// with its ID and its new deadline.
func TestReorganisation(t *testing.T) {
	r := newRig(t)
	r.fronts[src].Tag(8, 16)
	r.mine(src, 3)
	_, id := r.deposit()
	r.round()
	r.want(id, order.EventOpened, order.Agreed)
	r.reorganise(src, 2)
	r.round()
	r.want(id, order.EventOpened, order.Unproved)
	if got := r.order(id); got.Proof != order.Unproved {
		t.Errorf("the order's proof is %d, want none", got.Proof)
	}
	if tag := r.tag(src); tag.Broken {
		t.Errorf("tag = %+v, want one that is not broken: the block was not final", tag)
	}
	body, again := r.deposit() // the same count of orders, so the same ID
	if again != id {
		t.Fatalf("the deposit has the ID %v, want %v", again, id)
	}
	r.mine(src, 20)
	r.round()
	r.want(id, order.EventOpened, order.Final)
	if got := r.order(id).Deadline.Unix(); got != body.Deadline.Int64() {
		t.Errorf("deadline = %d, want that of the new block, %d", got, body.Deadline)
	}
}

// An endpoint that stays on the old fork keeps nothing there.
func TestOneEndpointKeepsTheOldFork(t *testing.T) {
	r := newRig(t)
	r.fronts[src].Tag(8, 16)
	r.mine(src, 3)
	_, id := r.deposit()
	r.round()
	e := r.fronts[src].Endpoints[0] // the one that tells the head
	old, err := e.Keep(t.Context(), 8)
	if err != nil {
		t.Fatal(err)
	}
	e.Set(old)
	r.reorganise(src, 2)
	r.mine(src, 24)
	r.until("the deposit is gone", func() bool { return r.fact(id, order.EventOpened) == order.Unproved })
}

// A final deposit that vanishes stops its chain, also after a restart, until an
// operator accepts the alarm.
func TestFinalBlockIsLost(t *testing.T) {
	r := newRig(t)
	r.fronts[src].Tag(0, 1)
	r.mine(src, 3)
	_, id := r.deposit()
	r.mine(src, 1)
	r.round()
	r.want(id, order.EventOpened, order.Final)
	r.reorganise(src, 3)
	r.mine(src, 2)
	r.until("the chain is broken", func() bool { return r.tag(src).Broken })
	r.want(id, order.EventOpened, order.Unproved)
	lost := r.health(src).Broken
	if facts, err := r.journal.Facts(t.Context(), id); err != nil || len(facts) != 1 || !facts[0].Gone || facts[0].Proof != order.Final {
		t.Errorf("facts = %+v, %v; want the final one kept as gone", facts, err)
	}
	_, next := r.deposit()
	r.mine(src, 2)
	r.restart()
	r.until("the chain is broken after a restart", func() bool { return r.tag(src).Broken })
	r.want(next, order.EventOpened, order.Told)

	alarms, err := r.journal.Alarms(t.Context())
	if err != nil || len(alarms) != 1 || alarms[0].Chain != src || alarms[0].Name != step.FinalityBroken || alarms[0].Subject != lost {
		t.Fatalf("alarms = %+v, %v, want one that names the lost block %v", alarms, err, lost)
	}
	alarms[0].Accepted = time.Now()
	if err := r.writer.Write(t.Context(), func(tx journal.Tx) error { return tx.PutAlarm(t.Context(), alarms[0]) }); err != nil {
		t.Fatal(err)
	}
	r.until("the chain is trusted again", func() bool { return r.fact(next, order.EventOpened) == order.Final })
	if tag := r.tag(src); tag.Broken {
		t.Errorf("tag = %+v, want one that is not broken", tag)
	}
	if tag := r.tag(dst); tag.Broken {
		t.Errorf("tag of the other chain = %+v, want one that is not broken", tag)
	}
}

// A final pass that was stopped on its way leaves no hash to check. What it had
// found final is checked instead.
func TestFinalBlockIsLostBetweenTwoPasses(t *testing.T) {
	r := newRig(t)
	r.fronts[src].Tag(0, 1)
	r.mine(src, 3)
	_, id := r.deposit()
	r.mine(src, 1)
	r.round()
	r.want(id, order.EventOpened, order.Final)
	head, err := r.net.Chains[src].Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cursor := journal.Cursor{Chain: src, Pass: "final", Number: head - 1}
	if err := r.writer.Write(t.Context(), func(tx journal.Tx) error { return tx.SetCursor(t.Context(), cursor) }); err != nil {
		t.Fatal(err)
	}
	r.reorganise(src, 3)
	r.mine(src, 4)
	r.restart()
	r.until("the chain is broken", func() bool { return r.tag(src).Broken })
	r.want(id, order.EventOpened, order.Unproved)
}

// A tag that stands still counts as stalled when a deposit waits for it.
func TestStalledTag(t *testing.T) {
	r := newRig(t)
	head, err := r.net.Chains[src].Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	r.fronts[src].Stop(head, head)
	usual := func(d time.Duration) func(*watch.Chain) { return func(c *watch.Chain) { c.Usual = d } }
	r.restart(usual(time.Millisecond))
	r.mine(src, 5)
	r.round()
	if r.tag(src).Stalled {
		t.Error("the tag is stalled, want it not to be while no deposit waits")
	}
	_, id := r.deposit()
	r.restart(usual(time.Hour))
	r.round()
	r.round()
	if r.tag(src).Stalled {
		t.Error("the tag is stalled, want it not to be before three times the usual time")
	}
	r.restart(usual(time.Millisecond))
	r.round()
	r.until("the tag is stalled", func() bool { return r.tag(src).Stalled })
	r.want(id, order.EventOpened, order.Agreed)
	r.fronts[src].Tag(0, 0)
	r.until("the deposit is final", func() bool { return r.fact(id, order.EventOpened) == order.Final })
	r.until("the tag moves again", func() bool { return !r.tag(src).Stalled })
}

// One endpoint cannot invent a deposit, nor a payment of one that exists.
func TestInventedLogs(t *testing.T) {
	r := newRig(t)
	_, id := r.deposit()
	block, err := rpcBlock(t, r.net.Chains[src].URL)
	if err != nil {
		t.Fatal(err)
	}
	fake := r.forge(block)
	r.fronts[src].Endpoints[0].Set(endpoint.Invent(fake.log))
	r.round()
	r.want(fake.id, order.EventOpened, order.Unproved)
	r.mine(src, 3)
	r.until("the true order is final", func() bool { return r.fact(id, order.EventOpened) == order.Final })
	facts, err := r.journal.Facts(t.Context(), fake.id)
	if err != nil || len(facts) != 1 || !facts[0].Gone {
		t.Errorf("facts = %+v, %v; want that of the invented order as gone", facts, err)
	}
}

type forgery struct {
	id  order.ID
	log endpoint.Log
}

// forge makes an OrderOpened log that no contract wrote.
func (r *rig) forge(block map[string]any) forgery {
	o := contract.Order{SrcPlace: bigOf(uint64(src)), SrcPool: common.Address(r.pool(src).Address), RefundTo: common.Address(devnet.Account(devnet.Carol).Address),
		Nonce: bigOf(99), SrcDecimals: 6, Amount: bigOf(25_000_000_000), DstPlace: bigOf(uint64(dst)), DstPool: common.Address(r.pool(dst).Address),
		DstToken: common.Address(r.token(dst).Address), Recipient: make([]byte, 20), Deadline: bigOf(uint64(time.Now().Add(time.Hour).Unix()))}
	event := contract.Pool.ABI().Events["OrderOpened"]
	data, err := event.Inputs.NonIndexed().Pack(o.RefundTo, bigOf(0), o.Amount, o)
	if err != nil {
		r.t.Fatal(err)
	}
	return forgery{order.ID(o.ID()), endpoint.Log{
		"address": o.SrcPool, "topics": []any{event.ID.Hex(), o.ID().Hex(), common.BytesToHash(o.RefundTo[:]).Hex(), common.BigToHash(o.DstPlace).Hex()},
		"data": hexutil.Encode(data), "blockNumber": block["number"], "blockHash": block["hash"], "transactionHash": common.Hash{7}.Hex(),
		"transactionIndex": "0x0", "logIndex": "0x5", "removed": false,
	}}
}

func rpcBlock(t *testing.T, url string) (block map[string]any, err error) {
	text, err := rpcRaw(t.Context(), url, "eth_getBlockByNumber", "latest", false)
	if err != nil {
		return nil, err
	}
	return block, json.Unmarshal(text, &block)
}

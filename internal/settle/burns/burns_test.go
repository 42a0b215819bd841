package burns_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"go.uber.org/goleak"

	"hubquote/internal/contract"
	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/burns"
	"hubquote/internal/settle/burns/row"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
	"hubquote/swap"
	"hubquote/test/devnet"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestBurns(t *testing.T) {
	b := newBench(t, swap.Hub, gateway, source)
	for _, tt := range []struct {
		name string
		test func(*bench)
	}{
		{"a burn to the receiver becomes an order", inbound},
		{"a mint by another sender is a success", overtaken},
		{"a mint that is reorganised away is made again", reorganised},
		{"a delivery that failed is made again later", failed},
		{"a signature that is about to expire is made anew", expiring},
		{"a burn that the contracts would refuse is not asked about", strangers},
		{"a burn that is too small is left to its owner", dust},
		{"an unpayable burn is relayed within the budget, and so is its way back", unpayable},
		{"no more is delivered than the budget and the purse allow", budget},
		{"a payment of ours is delivered", outbound},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(b.fresh(t)) })
	}
}

// skip begins at the present blocks, after the burns of other tests.
func (b *bench) skip() {
	b.t.Helper()
	chains := b.chains()
	for i := range chains {
		head := must(b.Chains[chains[i].ID].Head(b.t.Context()))(b.t)
		chains[i].First = head + 65 // blocks that are read again
		b.mine(chains[i].ID, 65)
	}
	b.burns = b.carrier(chains)
}

func inbound(b *bench) {
	tx := b.burn(burned{})
	b.round()
	x := b.want("delivering", order.Ready)
	if x.Tx != tx || x.Way != "in" || x.Domain != b.terms.Domains[source] || x.Mined.IsZero() || x.Asks != 1 {
		b.t.Errorf("burn = %+v, want an inbound one of %v, asked about once", x, tx)
	}
	b.round()
	b.want("delivering", order.Ready)
	b.send(gateway)
	b.round()
	x = b.want("delivered", order.Done)
	if x.MintTx.IsZero() || x.MintBlock == 0 || x.Order != b.received(x.Nonce) {
		b.t.Errorf("minted in %v, block %d, as order %v, want those of the relay", x.MintTx, x.MintBlock, x.Order)
	}
	if x.NextAsk.IsZero() {
		b.t.Error("the mint is not final, want it looked at again")
	}
	b.mine(gateway, 70) // the chain calls a block final after 64
	b.round()
	if x := b.want("delivered", order.Done); x.Reason != "" || x.NextAsk.Before(time.Now().Add(time.Hour)) {
		b.t.Errorf("the mint is final by one endpoint, waits for %q and is looked at again at %v, want that in a day", x.Reason, x.NextAsk)
	}
	if n := b.asked.Requests(""); n != 1 {
		b.t.Errorf("%d questions to the issuer, want 1", n)
	}
	chains := b.chains()
	for i := range chains {
		if chains[i].ID == gateway {
			chains[i].Nodes = []*node.Node{b.node(gateway, "http://127.0.0.1:1")}
		}
	}
	b.burns = b.carrier(chains)
	b.wake()
	_ = b.burns.Round(b.t.Context()) // the network does not answer
	if x := b.want("delivered", order.Done); !x.Arrived() || x.MintTx.IsZero() {
		b.t.Errorf("a final mint whose network does not answer: %+v, want it final as before", x)
	}
}

// received returns the order that the receiver made of a message.
func (b *bench) received(nonce []byte) order.ID {
	b.t.Helper()
	event := contract.Receiver.ABI().Events["BurnReceived"].ID
	logs := must(b.Chains[gateway].Logs(b.t.Context(), query(b.receiver(), event, common.Hash{}, common.BytesToHash(nonce))))(b.t)
	if len(logs) != 1 {
		b.t.Fatalf("%d orders of that message, want 1", len(logs))
	}
	return order.ID(logs[0].Topics[1])
}

func overtaken(b *bench) {
	b.burn(burned{})
	b.round()
	b.want("delivering", order.Ready)
	task := must(b.journal.TasksReady(b.t.Context(), gateway))(b.t)[0]
	call := must(b.burns.Call(b.t.Context(), task))(b.t)
	b.tx(gateway, devnet.Account(devnet.Bob), call.To, call.Data)
	b.round()
	b.want("delivered", order.Void)
}

func reorganised(b *bench) {
	b.burn(burned{})
	b.round()
	b.send(gateway)
	b.round()
	b.want("delivered", order.Done)
	if err := b.Chains[gateway].Do(b.t.Context(), "anvil_reorg", 1, []any{}); err != nil {
		b.t.Fatal(err)
	}
	b.round()
	b.want("delivering", order.Done, order.Ready)
	b.send(gateway)
	b.round()
	b.want("delivered", order.Done, order.Done)
}

// expiring has the margin as long as the life of a signature, so that every one is
// about to expire.
func expiring(b *bench) {
	chains := b.chains()
	for i := range chains {
		chains[i].First = must(b.Chains[chains[i].ID].Head(b.t.Context()))(b.t)
	}
	b.burns = b.carrierWith(chains, func(o *burns.Options) {
		o.Rules = burn.Standard()
		o.Rules.First, o.Rules.Last, o.Rules.Margin = 0, 0, 43_200
	})
	b.burn(burned{})
	b.round()
	first := b.want("reattest")
	b.mine(gateway, 3)
	b.round()
	if again := b.want("attested"); again.Expires <= first.Expires || again.Asks <= first.Asks {
		b.t.Errorf("burn expires at %d after %d questions, and then at %d after %d, want a new signature", first.Expires, first.Asks, again.Expires, again.Asks)
	}
}

// failed has a lane that reports a transaction as mined that did nothing.
func failed(b *bench) {
	b.burn(burned{})
	b.round()
	x := b.want("delivering", order.Ready)
	ctx := b.t.Context()
	task := must(b.journal.TasksReady(ctx, gateway))(b.t)[0]
	key := devnet.Account(devnet.Relayer).Address
	b.write(func(tx journal.Tx) error {
		return tx.Commit(ctx, journal.Attempt{Hash: order.Hash{9}, Chain: gateway, Key: key, Raw: []byte{1}}, []journal.Reserved{{Task: task.ID}}, nil)
	})
	b.round()
	b.want("delivering", order.Sent)
	mined := func(block uint64) {
		b.write(func(tx journal.Tx) error {
			return tx.SetNonce(ctx, journal.Nonce{Chain: gateway, Key: key, State: journal.NonceMined, Mined: order.Hash{9}, Block: block})
		})
	}
	head := must(b.Chains[gateway].Head(ctx))(b.t)
	mined(head + 1)
	b.round()
	b.want("delivering", order.Sent) // the endpoint has not seen that block
	mined(head)
	b.round()
	x = b.want("delivering", order.Void)
	if x.Reason != order.Refused {
		b.t.Errorf("the reason is %s, want %s", x.Reason, order.Refused)
	}
	b.round()
	b.want("delivering", order.Void, order.Ready)
	refuse := func(tasks ...order.Progress) (burn journal.Burn, wait time.Duration) {
		start := time.Now()
		task := must(b.journal.TasksReady(ctx, gateway))(b.t)[0]
		if err := b.burns.Refused(ctx, task, "test"); err != nil {
			b.t.Fatal(err)
		}
		burn = b.want("delivering", tasks...)
		return burn, burn.NextAsk.Sub(start)
	}
	again, second := refuse(order.Void, order.Void)
	if !again.NextAsk.After(x.NextAsk) {
		b.t.Errorf("after the second failure it is tried at %v, want later than %v", again.NextAsk, x.NextAsk)
	}
	b.round()
	task = must(b.journal.TasksReady(ctx, gateway))(b.t)[0]
	b.write(func(tx journal.Tx) error { // it is made with a new signature
		return row.Change(ctx, tx, again.Key, func(x *journal.Burn) { x.Asked = task.Made })
	})
	if _, third := refuse(order.Void, order.Void, order.Void); third >= second {
		b.t.Errorf("after a failure with a new signature it waits %v, want less than the %v after two with the old one", third, second)
	}
}

func strangers(b *bench) {
	other := devnet.Account(devnet.Bob).Address
	none := swap.Address{}
	b.burn(burned{to: other, caller: &none})
	b.burn(burned{to: other})
	b.burn(burned{caller: &none})
	b.burn(burned{caller: &other})
	pool := b.Plan.Address("USDC@8453")
	b.sendMessage(source, gateway, b.receiver(), b.receiver())
	b.sendMessage(source, gateway, none, swap.Address(pool))
	b.sendMessage(gateway, source, none, swap.Address(pool))
	b.round()
	if list := b.image().Burns; len(list) != 0 {
		b.t.Errorf("%d burns are kept, want none", len(list))
	}
	if n := b.asked.Requests(""); n != 0 {
		b.t.Errorf("%d questions to the issuer, want none", n)
	}
}

func dust(b *bench) {
	b.burn(burned{amount: 1})
	b.round()
	if x := b.want("ignored"); !x.NextAsk.IsZero() {
		b.t.Errorf("it is looked at again at %v, want never", x.NextAsk)
	}
	if n := b.asked.Requests(""); n != 0 {
		b.t.Errorf("%d questions to the issuer, want none", n)
	}
}

func unpayable(b *bench) {
	b.allow(gateway, 100, 0)
	b.burn(burned{hook: []byte{1}})
	b.round()
	if x := b.want("delivering"); x.Reason != order.Budget {
		b.t.Errorf("the reason is %s, want %s", x.Reason, order.Budget)
	}
	b.allow(gateway, 100, 1)
	b.allow(source, 100, 0)
	b.round()
	b.want("delivering", order.Ready)
	if n := must(b.journal.Losses(b.t.Context(), time.Now().Add(-time.Hour)))(b.t)[gateway]; n != 1 {
		b.t.Errorf("%d deliveries at a loss, want 1", n)
	}
	b.send(gateway)
	b.round()
	x := b.want("delivered", order.Done)
	o := b.opened(x.Order)
	r := b.tx(gateway, devnet.Account(devnet.Bob), b.receiver(), contract.Receiver.Call("reclaim", o))
	b.round()
	list := must(b.journal.BurnsOf(b.t.Context(), x.Order))(b.t)
	if len(list) != 2 {
		b.t.Fatalf("%d burns of the order, want the one to it and the one back", len(list))
	}
	back := list[1]
	if back.Way == "in" {
		back = list[0]
	}
	if back.Way != string(burn.Back) || back.Tx != order.Hash(r.TxHash) || back.Reason != order.Budget {
		b.t.Fatalf("the burn back = %+v, want one of %v that waits for the budget", back, r.TxHash)
	}
	if back.NextAsk.IsZero() {
		b.t.Error("NextAsk is zero, want a time until the burn back is minted")
	}
	b.allow(source, 100, 1)
	b.round()
	alice := devnet.Account(devnet.Alice).Address
	before := b.balance(source, alice)
	b.send(source)
	b.mine(source, 70)
	b.round()
	back, _, _ = b.journal.Burn(b.t.Context(), back.Key)
	if back.Status != "delivered" || back.Reason != "" {
		b.t.Errorf("the burn back is %s and waits for %q, want it delivered for good", back.Status, back.Reason)
	}
	if got := new(big.Int).Sub(b.balance(source, alice), before); got.Sign() <= 0 {
		b.t.Errorf("Alice got %s back, want her money", got)
	}
}

// budget has one delivery at a loss left, and one of all.
func budget(b *bench) {
	count := func(calls, losses uint64) int {
		b.allow(gateway, calls, losses)
		b.round()
		return len(must(b.journal.TasksReady(b.t.Context(), gateway))(b.t))
	}
	b.burn(burned{hook: []byte{1}})
	b.burn(burned{hook: []byte{1}})
	if n := count(100, 1); n != 1 {
		b.t.Errorf("%d tasks with one loss left, want 1", n)
	}
	b.burn(burned{})
	b.burn(burned{})
	if n := count(1, 0); n != 2 {
		b.t.Errorf("%d tasks with one call left, want one more", n)
	}
}

func outbound(b *bench) {
	o, id := b.deposit()
	b.write(func(tx journal.Tx) error {
		row := journal.Order{Order: order.Order{ID: id, Body: []byte{1}}, State: order.Paid, NotBefore: time.Now().Add(time.Hour)}
		return tx.PutOrder(b.t.Context(), row)
	})
	b.tx(gateway, devnet.Account(devnet.Relayer), swap.Address(b.Plan.Address("USDC@8453")), contract.Pool.Call("fulfil", o, false))
	b.round()
	x := b.want("delivering", order.Ready)
	if x.Way != string(burn.Out) || x.Order != id {
		b.t.Errorf("burn = %s of order %v, want one out of %v", x.Way, x.Order, id)
	}
	b.send(source)
	b.round()
	b.want("delivered", order.Done)
	if due := must(b.journal.OrdersDue(b.t.Context(), time.Now(), 9))(b.t); len(due) != 1 || due[0].ID != id {
		b.t.Errorf("%d orders are due after the mint, want the one that it pays", len(due))
	}
}

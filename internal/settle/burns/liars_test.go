package burns_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/contract"
	"hubquote/internal/settle/burns"
	"hubquote/internal/settle/burns/scan"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/fake/endpoint"
)

// three puts three endpoints before a network, of which two must agree.
func (b *bench) three(id swap.ChainID) []*endpoint.Endpoint {
	b.t.Helper()
	c := endpoint.New(b.t, b.Chains[id].URL, 3)
	c.Tag(32, 64)
	chains := b.chains()
	for i := range chains {
		chains[i].First = must(b.Chains[chains[i].ID].Head(b.t.Context()))(b.t) + 1
	}
	i := slices.IndexFunc(chains, func(c burns.Chain) bool { return c.ID == id })
	chains[i].K, chains[i].Nodes = 2, nil
	for _, e := range c.Endpoints {
		chains[i].Nodes = append(chains[i].Nodes, b.node(id, e.URL))
	}
	b.burns = b.carrier(chains)
	return c.Endpoints
}

// receipts edits the JSON of receipts.
func receipts(change func(map[string]any)) endpoint.Fault {
	return func(ctx context.Context, r endpoint.Request, next endpoint.Next) endpoint.Answer {
		a := next(ctx, r)
		var m map[string]any
		if r.Method == "eth_getTransactionReceipt" && json.Unmarshal(a.Result, &m) == nil && m != nil {
			change(m)
			a.Result, _ = json.Marshal(m)
		}
		return a
	}
}

func dropFirstLog(m map[string]any) { m["logs"] = m["logs"].([]any)[1:] }

// moved puts all logs after others.
func moved(m map[string]any) {
	logs := m["logs"].([]any)
	m["logs"] = append(slices.Repeat(logs[:1], 50), logs...)
}

// repeated gives messages once more, before all other logs.
func repeated(m map[string]any) {
	sent, logs := contract.Transmitter.ABI().Events["MessageSent"].ID.String(), m["logs"].([]any)
	for _, l := range logs {
		if l.(map[string]any)["topics"].([]any)[0] == sent {
			m["logs"] = append([]any{l}, logs...)
		}
	}
}

func inBlock(number string) endpoint.Fault {
	return receipts(func(m map[string]any) { m["blockNumber"] = number })
}

// haveBlocks has a block for every number, made at some time.
func haveBlocks(at func(number uint64) time.Time) endpoint.Fault {
	return func(ctx context.Context, r endpoint.Request, next endpoint.Next) endpoint.Answer {
		a := next(ctx, r)
		var number hexutil.Uint64
		if r.Method == "eth_getBlockByNumber" && (a.Error != nil || string(a.Result) == "null") && json.Unmarshal(r.Params[0], &number) == nil {
			return endpoint.Answer{Result: json.RawMessage(fmt.Sprintf(`{"number":%s,"timestamp":"0x%x","hash":"0x%064x"}`, r.Params[0], at(uint64(number)).Unix(), 7))}
		}
		return a
	}
}

// renamed replaces an account in logs and receipts.
func renamed(from, to swap.Address) endpoint.Fault {
	hex := func(a swap.Address) []byte { return bytes.ToLower([]byte(a.String()[2:])) }
	return func(ctx context.Context, r endpoint.Request, next endpoint.Next) endpoint.Answer {
		a := next(ctx, r)
		a.Result = bytes.ReplaceAll(a.Result, hex(from), hex(to))
		return a
	}
}

// misnamed names another order as the one that is paid.
func misnamed() endpoint.Fault {
	event := contract.Pool.ABI().Events["OrderFulfilled"].ID.String()
	return receipts(func(m map[string]any) {
		for _, l := range m["logs"].([]any) {
			if topics := l.(map[string]any)["topics"].([]any); topics[0] == event {
				topics[1] = order.Hash{0xee}.String()
			}
		}
	})
}

// withExpiry puts an expiry into messages, which only the issuer does.
func withExpiry() endpoint.Fault {
	sent := contract.Transmitter.ABI().Events["MessageSent"].ID.String()
	return endpoint.Alter(func(l endpoint.Log) {
		data, at := l["data"].(string), 2+2*(64+375)
		if topics := l["topics"].([]any); topics[0] == sent && len(data) > at+2 {
			l["data"] = data[:at] + "77" + data[at+2:]
		}
	})
}

// low names a block far below the head as its latest one, and answers calls with the
// present state.
func low(number uint64) []endpoint.Fault {
	return []endpoint.Fault{endpoint.Names("latest", number), func(ctx context.Context, r endpoint.Request, next endpoint.Next) endpoint.Answer {
		if r.Method == "eth_call" {
			r.Params[1] = json.RawMessage(`"latest"`)
		}
		return next(ctx, r)
	}}
}

// payOut pays an order by a burn at the gateway.
func (b *bench) payOut() order.ID {
	b.t.Helper()
	o, id := b.deposit()
	b.write(func(tx journal.Tx) error {
		row := journal.Order{Order: order.Order{ID: id, Body: []byte{1}}, State: order.Paid, NotBefore: time.Now().Add(time.Hour)}
		return tx.PutOrder(b.t.Context(), row)
	})
	b.tx(gateway, devnet.Account(devnet.Relayer), swap.Address(b.Plan.Address("USDC@8453")), contract.Pool.Call("fulfil", o, false))
	return id
}

// last returns the last transaction of a network that burned.
func (b *bench) last(id swap.ChainID) order.Hash {
	b.t.Helper()
	logs := must(b.Chains[id].Logs(b.t.Context(), query(b.terms.Transmitter, contract.Transmitter.ABI().Events["MessageSent"].ID)))(b.t)
	return order.Hash(logs[len(logs)-1].TxHash)
}

// carry has everything happen until burns are minted for good.
func (b *bench) carry(to swap.ChainID) {
	b.t.Helper()
	b.round()
	b.send(to)
	for range 3 {
		b.mine(source, 70)
		b.mine(gateway, 70)
		b.round()
	}
}

// One endpoint of three that lies can neither hide a burn, nor have one shown that
// is made up, nor end one early or never.
func TestOneLiarOfThree(t *testing.T) {
	b := newBench(t, swap.Hub, gateway, source)
	stranger := swap.Address{0x77, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}
	for _, tt := range []struct {
		name string
		test func(*bench)
	}{
		{"moves a burn among the logs", func(b *bench) {
			e := b.three(source)
			e[0].Set(receipts(dropFirstLog))
			b.burn(burned{})
			b.carry(gateway)
			if x := b.only(); !x.Agreed || !x.Arrived() {
				b.t.Errorf("the burn is %+v, want it delivered", x)
			}
		}},
		{"moves the burn of a payment", func(b *bench) {
			e := b.three(gateway)
			e[0].Set(receipts(dropFirstLog))
			id := b.payOut()
			b.carry(source)
			if x := b.only(); x.Order != id || !x.Arrived() {
				b.t.Errorf("the burn is %+v, want that of order %v, delivered", x, id)
			}
		}},
		{"names another order before the others have the payment", func(b *bench) {
			e := b.three(gateway)
			e[0].Set(misnamed())
			e[1].Set(endpoint.Null("eth_getTransactionReceipt"))
			e[2].Set(endpoint.Null("eth_getTransactionReceipt"))
			id := b.payOut()
			b.round()
			if x := b.only(); !x.Order.IsZero() {
				b.t.Errorf("order of the burn = %v, want none: only one endpoint names it", x.Order)
			}
			e[1].Set()
			e[2].Set()
			b.mine(gateway, 1)
			b.round()
			if x := b.only(); x.Order != id {
				b.t.Errorf("the burn is one of order %v, want %v", x.Order, id)
			}
		}},
		{"names another order while another does not have the payment", func(b *bench) {
			e := b.three(gateway)
			e[0].Set(misnamed())
			e[2].Set(endpoint.Null("eth_getTransactionReceipt"))
			id := b.payOut()
			b.round()
			e[0].Set()
			e[2].Set()
			b.carry(source)
			if x := b.only(); x.Order != id || !x.Agreed || !x.Arrived() {
				b.t.Errorf("the burn is %+v, want that of order %v, delivered", x, id)
			}
		}},
		{"repeats the message of a payment before the others have it", func(b *bench) {
			e := b.three(gateway)
			b.round()
			id := b.payOut()
			tx := b.last(gateway)
			e[1].Set(endpoint.Null("eth_getTransactionReceipt"))
			e[2].Set(endpoint.Null("eth_getTransactionReceipt"))
			for _, lie := range []func(map[string]any){moved, repeated} {
				e[0].Set(receipts(lie))
				if err := b.burns.Hint(b.t.Context(), gateway, tx); err != nil {
					b.t.Fatal(err)
				}
			}
			b.round()
			for i := range e {
				e[i].Set()
			}
			b.mine(gateway, 1)
			b.carry(source)
			if list := must(b.journal.BurnsOf(b.t.Context(), id))(b.t); len(list) != 1 || !list[0].Arrived() {
				b.t.Errorf("the burns are %+v, want one, delivered", list)
			}
		}},
		{"fills in what is the issuer's", func(b *bench) {
			e := b.three(gateway)
			e[0].Set(withExpiry())
			e[1].Set(endpoint.Null("eth_getTransactionReceipt"))
			e[2].Set(endpoint.Null("eth_getTransactionReceipt"))
			id := b.payOut()
			b.round()
			for i := range e {
				e[i].Set()
			}
			b.mine(gateway, 1)
			b.carry(source)
			if x := b.only(); x.Order != id || !x.Arrived() {
				b.t.Errorf("the burn is %+v, want that of order %v, delivered", x, id)
			}
		}},
		{"puts a burn into a block that is not there", func(b *bench) {
			e := b.three(source)
			e[1].Set(inBlock("0xffffffffff"))
			b.burn(burned{})
			b.finds(1)
			b.wantAgreed(1)
		}},
		{"puts a made up burn into a block that is not there", func(b *bench) {
			e := b.three(source)
			e[0].Set(inBlock("0xffffffffff"), renamed(stranger, b.receiver()))
			b.burn(burned{to: stranger})
			b.mine(source, 1)
			b.finds(0)
			e[0].Set(renamed(stranger, b.receiver()))
			tx := b.burn(burned{})
			b.mine(source, 1)
			b.round()
			b.findsIn(tx)
		}},
		{"puts a made up burn into a block that no journal can hold", func(b *bench) {
			e := b.three(source)
			e[0].Set(inBlock("0xffffffffffffffff"), haveBlocks(func(uint64) time.Time { return time.Now() }), renamed(stranger, b.receiver()))
			b.burn(burned{to: stranger})
			tx := b.burn(burned{})
			b.mine(source, 1)
			b.findsIn(tx)
		}},
		{"puts a burn into an old block", func(b *bench) {
			e := b.three(source)
			e[0].Set(inBlock("0x1"))
			b.burn(burned{})
			head := must(b.Chains[source].Head(b.t.Context()))(b.t)
			b.finds(1)
			if x := b.only(); x.Block != head {
				b.t.Errorf("the burn is in block %d, want %d", x.Block, head)
			}
		}},
		{"makes up a burn, which is read once", func(b *bench) {
			e := b.three(source)
			e[0].Set(renamed(stranger, b.receiver()))
			b.burn(burned{to: stranger})
			b.finds(1)
			b.wantAgreed(0)
			before := e[0].Calls("eth_getTransactionReceipt")
			for range 5 {
				b.mine(source, 1)
				b.round()
			}
			if got := e[0].Calls("eth_getTransactionReceipt") - before; got != 0 {
				b.t.Errorf("its transaction is read %d times more, want none", got)
			}
		}},
		{"names a head below a mint", func(b *bench) {
			e := b.three(gateway)
			b.burn(burned{})
			b.round()
			b.want("delivering", order.Ready)
			e[0].Set(low(5)...)
			b.send(gateway)
			b.round()
			if x := b.want("delivered", order.Done); x.Arrived() {
				b.t.Errorf("the mint counts as final in block %d, want it not final", x.MintBlock)
			}
			e[0].Set()
			if err := b.Chains[gateway].Do(b.t.Context(), "anvil_reorg", 1, []any{}); err != nil {
				b.t.Fatal(err)
			}
			b.mine(gateway, 1)
			b.round()
			if x := b.only(); x.Status == "delivered" {
				b.t.Errorf("status after the mint was reorganised away = %s, want another", x.Status)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(b.fresh(t)) })
	}
}

// A mint that is reorganised away, and made again in a later block by another, is
// final when that block is.
func TestMintMoves(t *testing.T) {
	b := newBench(t, gateway, source).fresh(t)
	b.three(gateway)
	b.burn(burned{})
	b.round()
	call := must(b.burns.Call(t.Context(), must(b.journal.TasksReady(t.Context(), gateway))(t)[0]))(t)
	b.send(gateway)
	b.round()
	b.want("delivered", order.Done)
	if err := b.Chains[gateway].Do(t.Context(), "anvil_reorg", 1, []any{}); err != nil {
		t.Fatal(err)
	}
	b.mine(gateway, 40)
	r := b.tx(gateway, devnet.Account(devnet.Bob), call.To, call.Data)
	b.mine(gateway, 40) // the final block is between the two
	b.round()
	if x := b.only(); x.Arrived() || x.MintTx != order.Hash(r.TxHash) {
		t.Errorf("arrived %v in %v, want not yet, and %v", x.Arrived(), x.MintTx, r.TxHash)
	}
	b.mine(gateway, 70)
	b.round()
	if x := b.only(); !x.Arrived() {
		t.Errorf("the burn is %s (%s), want it arrived", x.Status, x.Reason)
	}
}

// The order that a burn became is known in the end, also when one endpoint hides the
// event and another is behind until the mint is final.
func TestHiddenMint(t *testing.T) {
	b := newBench(t, gateway, source).fresh(t)
	e := b.three(gateway)
	b.burn(burned{})
	b.round()
	e[0].Set(endpoint.LeaveOut(contract.Receiver.ABI().Events["BurnReceived"].ID.String()))
	e[2].Set(endpoint.Behind(100))
	b.send(gateway)
	for range 3 {
		b.round()
		b.mine(gateway, 40)
	}
	if x := b.only(); !x.Arrived() {
		t.Fatalf("the burn is %s (%s), want it arrived", x.Status, x.Reason)
	}
	b.mine(gateway, 2100) // more than are looked through
	e[2].Set()
	b.round()
	if x := b.only(); x.Order != b.received(x.Nonce) || !x.Arrived() || !x.NextAsk.IsZero() {
		t.Errorf("the burn is %+v, want its order, and an end", x)
	}
}

// A burn that is in the journal by the name that it had before is not added again.
func TestOldNames(t *testing.T) {
	b := newBench(t, swap.Hub, gateway, source).fresh(t)
	b.three(gateway)
	id := b.payOut()
	b.carry(source)
	x := b.only()
	x.Key = scan.Key(x.Domain, x.Tx, x.Log, x.Sent)
	b.open()
	b.write(func(tx journal.Tx) error { return tx.PutBurn(t.Context(), x) })
	b.burns = b.carrier(b.chains())
	if err := b.burns.Hint(t.Context(), gateway, x.Tx); err != nil {
		t.Fatal(err)
	}
	if got := b.only(); got.Order != id || !got.Arrived() {
		t.Errorf("the burn is %+v, want it as it was", got)
	}
}

// What one endpoint alone gave while the other was away is confirmed within the hour,
// however many blocks have passed.
func TestDoubtedBurnIsConfirmed(t *testing.T) {
	b := newBench(t, gateway, source).fresh(t)
	e := b.endpoints()
	e[1].Set(endpoint.Down)
	b.burn(burned{})
	b.mine(source, 600) // more than are read again
	b.finds(1)
	b.wantAgreed(0)
	e[1].Set()
	b.finds(1)
	b.wantAgreed(0)
	if err := b.burns.Sweep(b.t.Context()); err != nil {
		b.t.Fatal(err)
	}
	b.wantAgreed(1)
}

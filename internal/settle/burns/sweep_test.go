package burns_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"hubquote/internal/contract"
	"hubquote/internal/settle/burns"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/swap"
	"hubquote/test/fake/endpoint"
)

// depositForBurn is the topic of the issuer's event.
var depositForBurn = contract.Messenger.ABI().Events["DepositForBurn"].ID.String()

// again carries burns through the same endpoints of the source, of which two must
// agree, with nothing in memory.
func (b *bench) again(e []*endpoint.Endpoint) {
	chains := b.chains()
	for i := range chains {
		chains[i].First = must(b.Chains[chains[i].ID].Head(b.t.Context()))(b.t) + 1
		if chains[i].ID == source {
			chains[i].K, chains[i].Nodes = 2, b.nodes(&endpoint.Chain{Endpoints: e})
		}
	}
	b.burns = b.carrier(chains)
}

// nowhere names so many transactions beside each burn to a stranger, which no
// endpoint has.
func (b *bench) nowhere(stranger swap.Address, n int) endpoint.Fault {
	word := func(x swap.Address) string { return strings.Repeat("0", 24) + strings.ToLower(x.String()[2:]) }
	return func(ctx context.Context, r endpoint.Request, next endpoint.Next) endpoint.Answer {
		a := next(ctx, r)
		var list []map[string]any
		if r.Method != "eth_getLogs" || json.Unmarshal(a.Result, &list) != nil {
			return a
		}
		i := slices.IndexFunc(list, func(l map[string]any) bool { return strings.Contains(l["data"].(string), word(stranger)) })
		for k := 0; i >= 0 && k < n; k++ {
			l := maps.Clone(list[i])
			l["transactionHash"] = fmt.Sprintf("0x%064x", 0xabc0000+k)
			l["data"] = strings.Replace(l["data"].(string), word(stranger), word(b.receiver()), 1)
			list = append(list, l)
		}
		a.Result, _ = json.Marshal(list)
		return a
	}
}

// manyBurns repeats each message so often, each time with another amount.
func manyBurns(n int) endpoint.Fault {
	sent := contract.Transmitter.ABI().Events["MessageSent"].ID.String()
	return receipts(func(m map[string]any) {
		logs := m["logs"].([]any)
		i := slices.IndexFunc(logs, func(l any) bool { return l.(map[string]any)["topics"].([]any)[0] == sent })
		for k := range n {
			l := maps.Clone(logs[i].(map[string]any))
			data, at := l["data"].(string), 2+2*(64+240)
			l["data"] = data[:at] + fmt.Sprintf("%08x", k+1<<20) + data[at+8:]
			logs = append(logs, l)
		}
		m["logs"] = logs
	})
}

// hides leaves out the logs of a transaction.
func hides(tx order.Hash) endpoint.Fault {
	return func(ctx context.Context, r endpoint.Request, next endpoint.Next) endpoint.Answer {
		a := next(ctx, r)
		var list []map[string]any
		if r.Method == "eth_getLogs" && json.Unmarshal(a.Result, &list) == nil {
			list = slices.DeleteFunc(list, func(l map[string]any) bool { return l["transactionHash"] == tx.String() })
			a.Result, _ = json.Marshal(list)
		}
		return a
	}
}

// One endpoint of three with wrong answers, or the only one that answers, neither moves what
// was read nor makes it be read for ever.
func TestOneEndpointDoesNotMoveTheCursor(t *testing.T) {
	b := newBench(t, gateway, source)
	stranger := swap.Address{0x77, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}
	for _, tt := range []struct {
		name string
		test func(*bench)
	}{
		{"a low head of one endpoint moves no cursor", func(b *bench) {
			e := b.three(source)
			b.mine(source, 1200)
			b.round()
			before := b.burns.Health().Chains[source].Read
			e[0].Set(endpoint.Names("latest", 5), datedNow())
			tx := b.burn(burned{})
			b.findsIn(tx)
			e[1].Set(endpoint.Down)
			e[2].Set(endpoint.Down)
			b.mine(source, 1)
			_ = b.burns.Round(b.t.Context())
			if after := b.burns.Health().Chains[source].Read; after < before {
				b.t.Errorf("cursor = %d, want at least %d", after, before)
			}
		}},
		{"a head far ahead at the first start keeps nothing from being read later", func(b *bench) {
			c := endpoint.New(b.t, b.Chains[source].URL, 3)
			c.Endpoints[0].Set(endpoint.Ahead(1<<40), haveBlocks(func(number uint64) time.Time {
				if number < 1<<40 {
					return time.Now().AddDate(0, -1, 0)
				}
				return time.Now()
			}))
			c.Endpoints[2].Set(endpoint.Down)
			b.begin(burns.Chain{ID: source, Nodes: b.nodes(c), K: 2})
			_ = b.burns.Round(b.t.Context())
			c.Endpoints[0].Set()
			c.Endpoints[2].Set()
			b.findsIn(b.burn(burned{}))
		}},
		{"what the second leaves out while the first is behind is found by a third", func(b *bench) {
			e := b.three(source)
			b.mine(source, 1)
			b.round()
			e[0].Set(endpoint.Behind(2))
			e[1].Set(endpoint.LeaveOut(depositForBurn))
			tx := b.burn(burned{})
			b.mine(source, 1)
			b.again(e)
			b.round()
			e[0].Set()
			b.mine(source, 1100)
			b.round()
			b.again(e) // the first is in use again
			for range 3 {
				b.mine(source, 1)
				b.round()
				b.sweep()
			}
			b.findsIn(tx)
		}},
		{"transactions that are nowhere are read ever more rarely", func(b *bench) {
			e := b.three(source)
			b.burn(burned{to: stranger})
			e[0].Set(b.nowhere(stranger, 150))
			var asked []int
			for range 8 {
				before := e[1].Calls("eth_getTransactionReceipt")
				b.mine(source, 1)
				b.round()
				asked = append(asked, (e[1].Calls("eth_getTransactionReceipt")-before)/2)
			}
			for i, most := range []int{150, 100, 100, 100, 100, 100, 100, 100} {
				if asked[i] > most {
					b.t.Errorf("%v transactions are read by round, want at most %d in round %d", asked, most, i)
				}
			}
			if asked[0] != 150 || asked[5]+asked[6]+asked[7] > 250 {
				b.t.Errorf("%v transactions are read by round, want all at first, and fewer later", asked)
			}
		}},
		{"transactions that are nowhere do not keep a round from its end", func(b *bench) {
			e := b.three(source)
			b.burn(burned{to: stranger})
			tx := b.burn(burned{})
			e[0].Set(hides(tx), b.nowhere(stranger, 600))
			for i, most := range []int{200, 0} {
				before := e[1].Calls("eth_getTransactionReceipt")
				b.mine(source, 1)
				b.round()
				if asked := (e[1].Calls("eth_getTransactionReceipt") - before) / 2; asked > most+1 {
					b.t.Errorf("%d transactions are read in round %d, want %d", asked, i, most)
				}
			}
			b.findsIn(tx)
		}},
		{"burns that are made up do not fill the journal", func(b *bench) {
			e := b.three(source)
			e[0].Set(manyBurns(600))
			for i := range 2 {
				e[1+i].Set(endpoint.Null("eth_getTransactionReceipt"))
			}
			for range 3 {
				b.burn(burned{})
			}
			b.round()
			if n := len(b.image().Burns); n > 1000 {
				b.t.Errorf("%d burns in the journal on the word of one endpoint, want 1000 at most", n)
			}
			for i := range e {
				e[i].Set()
			}
			tx := b.burn(burned{})
			b.mine(source, 1)
			b.findsIn(tx)
		}},
		{"false times make no sweep longer", func(b *bench) {
			e := b.three(source)
			if err := b.Chains[source].Do(b.t.Context(), "anvil_mine", 2500, 20); err != nil {
				b.t.Fatal(err)
			}
			b.round()
			count := func() (n int) {
				before := e[1].Calls("eth_getLogs")
				b.sweep()
				return e[1].Calls("eth_getLogs") - before
			}
			want := count()
			b.again(e)
			b.mine(source, 1)
			b.round()
			e[1].Set(datedNow())
			if got := count(); got > want {
				b.t.Errorf("%d questions, want %d", got, want)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(b.fresh(t)) })
	}
}

// While one of two endpoints is down the other is read up to the present, and all of
// it again when the second is back.
func TestOneOfTwoIsDown(t *testing.T) {
	b := newBench(t, gateway, source).fresh(t)
	c := endpoint.New(b.t, b.Chains[source].URL, 2)
	head := must(b.Chains[source].Head(t.Context()))(t)
	b.begin(burns.Chain{ID: source, Nodes: b.nodes(c), First: head + 1, Range: 1})
	b.round()
	c.Endpoints[1].Set(endpoint.Down)
	c.Endpoints[0].Set(endpoint.LeaveOut(depositForBurn))
	hidden := b.burn(burned{})
	b.mine(source, 1600)
	b.round()
	c.Endpoints[0].Set()
	tx := b.burn(burned{})
	b.mine(source, 1)
	b.round()
	b.findsIn(tx)
	c.Endpoints[1].Set()
	for range 3 {
		b.mine(source, 1)
		b.round()
	}
	b.findsIn(hidden)
}

// Burns that one endpoint alone gave are confirmed, whatever else there is to confirm.
func TestConfirming(t *testing.T) {
	b := newBench(t, gateway, source)
	agreed := func(b *bench, tx order.Hash) {
		b.t.Helper()
		if x := must(b.journal.BurnsByTx(b.t.Context(), tx))(b.t); !x[0].Agreed {
			b.t.Error("Agreed = false, want the burn confirmed")
		}
	}
	for _, signed := range []bool{true, false} {
		t.Run(fmt.Sprintf("beside many that are made up, signed %v", signed), func(t *testing.T) {
			b := b.fresh(t)
			e := b.three(source)
			e[1].Set(endpoint.Null("eth_getTransactionReceipt"))
			e[2].Set(endpoint.Down)
			tx := b.burn(burned{})
			b.finds(1)
			b.wantAgreed(0)
			x := b.only()
			b.write(func(w journal.Tx) error {
				if !signed {
					x.Nonce, x.Attestation, x.Signed = nil, nil, nil
				}
				if err := w.PutBurn(t.Context(), x); err != nil {
					return err
				}
				x.Nonce, x.Attestation, x.Signed, x.Mined = nil, nil, nil, x.Mined.Add(time.Second)
				for i := range byte(200) {
					x.Key, x.Tx = order.Hash{0, i}, order.Hash{8, i}
					if err := w.PutBurn(t.Context(), x); err != nil {
						return err
					}
				}
				return nil
			})
			e[1].Set()
			e[2].Set()
			for range map[bool]int{true: 1, false: 3}[signed] {
				b.sweep()
			}
			agreed(b, tx)
		})
	}
	t.Run("by the only endpoint that is left", func(t *testing.T) {
		b := b.fresh(t)
		e := b.endpoints()
		e[1].Set(endpoint.Down)
		tx := b.burn(burned{})
		b.mine(source, 600)
		b.finds(1)
		b.begin(burns.Chain{ID: source, Nodes: b.nodes(&endpoint.Chain{Endpoints: e[:1]}), First: must(b.Chains[source].Head(t.Context()))(t)})
		b.write(func(w journal.Tx) error {
			return w.SetCursor(t.Context(), journal.Cursor{Chain: source, Pass: "burn", Number: must(b.Chains[source].Head(t.Context()))(t)})
		})
		b.round()
		b.sweep()
		agreed(b, tx)
	})
	t.Run("and doubted when it is reorganised away for good", func(t *testing.T) {
		b := b.fresh(t)
		e := b.three(source)
		of := func(tx order.Hash) journal.Burn { return must(b.journal.BurnsByTx(t.Context(), tx))(t)[0] }
		tx := b.burn(burned{})
		if err := b.burns.Hint(t.Context(), source, tx); err != nil {
			t.Fatal(err)
		}
		if err := b.Chains[source].Do(t.Context(), "anvil_reorg", 1, []any{}); err != nil {
			t.Fatal(err)
		}
		b.mine(source, 1)
		b.round()
		b.sweep()
		agreed(b, tx) // it may be mined again
		x := of(tx)
		x.Mined = x.Mined.Add(-2 * time.Hour)
		b.write(func(w journal.Tx) error { return w.PutBurn(t.Context(), x) })
		e[1].Set(endpoint.Down)
		e[2].Set(endpoint.Down)
		_ = b.burns.Sweep(t.Context())
		agreed(b, tx) // by one endpoint
		e[1].Set()
		b.sweep()
		if of(tx).Agreed {
			t.Error("the burn is believed, and it is not there")
		}
	})
	t.Run("beside one that is too large to be read", func(t *testing.T) {
		b := b.fresh(t)
		e := b.endpoints()
		e[1].Set(endpoint.Null("eth_getTransactionReceipt"))
		one, other := b.burn(burned{}), b.burn(burned{})
		b.finds(2)
		e[0].Set(tooLarge("eth_getTransactionReceipt", one.String()))
		e[1].Set(tooLarge("eth_getTransactionReceipt", one.String()))
		b.sweep()
		agreed(b, other)
	})
}

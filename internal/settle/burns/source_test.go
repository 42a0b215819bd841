package burns_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/burns"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/pace"
	"hubquote/swap"
	"hubquote/test/fake"
	"hubquote/test/fake/endpoint"
)

// endpoints puts two endpoints before the source network, and carries burns
// through them.
func (b *bench) endpoints() []*endpoint.Endpoint {
	b.t.Helper()
	c := endpoint.New(b.t, b.Chains[source].URL, 2)
	b.restart(c)
	return c.Endpoints
}

// restart carries burns with nothing in memory.
func (b *bench) restart(c *endpoint.Chain) {
	b.t.Helper()
	head := must(b.Chains[source].Head(b.t.Context()))(b.t)
	b.begin(burns.Chain{ID: source, Nodes: b.nodes(c), First: head + 1})
}

func (b *bench) begin(c burns.Chain) {
	chains := b.chains()
	i := slices.IndexFunc(chains, func(c burns.Chain) bool { return c.ID == source })
	chains[i] = c
	b.burns = b.carrier(chains)
}

func (b *bench) nodes(c *endpoint.Chain) (list []*node.Node) {
	for _, e := range c.Endpoints {
		list = append(list, b.node(source, e.URL))
	}
	return list
}

// finds fails the test unless a round finds so many burns.
func (b *bench) finds(want int) {
	b.t.Helper()
	b.round()
	if got := len(b.image().Burns); got != want {
		b.t.Fatalf("%d burns are found, want %d", got, want)
	}
}

// findsIn fails the test unless the burn of a transaction is found by a round.
func (b *bench) findsIn(tx order.Hash) {
	b.t.Helper()
	b.round()
	if found := must(b.journal.BurnsByTx(b.t.Context(), tx))(b.t); len(found) != 1 {
		b.t.Errorf("%d burns of the transaction are found, want 1", len(found))
	}
}

// restartAt carries burns through the same endpoints with nothing in memory.
func (b *bench) restartAt(e []*endpoint.Endpoint) {
	b.t.Helper()
	b.begin(burns.Chain{ID: source, Nodes: b.nodes(&endpoint.Chain{Endpoints: e}), First: 1 << 40})
}

// wantSigned fails the test unless the issuer has signed so many burns.
func (b *bench) wantSigned(want int) {
	b.t.Helper()
	got := 0
	for _, x := range b.image().Burns {
		if x.Attestation != nil {
			got++
		}
	}
	if got != want {
		b.t.Errorf("%d burns are signed, want %d", got, want)
	}
}

// wantAgreed fails the test unless endpoints agree on so many burns.
func (b *bench) wantAgreed(want int) {
	b.t.Helper()
	got := 0
	for _, x := range b.image().Burns {
		if x.Agreed {
			got++
		}
	}
	if got != want {
		b.t.Errorf("endpoints agree on %d burns, want %d", got, want)
	}
}

// alterBurner names another account as the one that burned.
func alterBurner() endpoint.Fault {
	sent := "0x8c5261668696ce22758910d05bab8f186d6eb247ceac2af2e82c7dc17669b036" // MessageSent
	return endpoint.Alter(func(l endpoint.Log) {
		data, at := l["data"].(string), 2+2*(64+279) // its last byte
		if topics := l["topics"].([]any); topics[0] == sent && len(data) > at+2 {
			l["data"] = data[:at] + "77" + data[at+2:]
		}
	})
}

// tooLarge answers one question with more bytes than are read.
func tooLarge(method, about string) endpoint.Fault {
	return func(ctx context.Context, r endpoint.Request, next endpoint.Next) endpoint.Answer {
		if r.Method == method && strings.Contains(string(r.Params[0]), about) {
			return endpoint.Answer{Result: json.RawMessage(`"` + strings.Repeat("f", 2<<20) + `"`)}
		}
		return next(ctx, r)
	}
}

// tooLargeBlock has more logs in a block than are read.
func tooLargeBlock(block uint64) endpoint.Fault {
	huge := tooLarge("eth_getLogs", "")
	return func(ctx context.Context, r endpoint.Request, next endpoint.Next) endpoint.Answer {
		var q struct{ FromBlock, ToBlock hexutil.Uint64 }
		if r.Method == "eth_getLogs" && json.Unmarshal(r.Params[0], &q) == nil && uint64(q.FromBlock) <= block && block <= uint64(q.ToBlock) {
			return huge(ctx, r, next)
		}
		return next(ctx, r)
	}
}

func TestSources(t *testing.T) {
	b := newBench(t, gateway, source)
	burnSent := "0x0c8c1cbdc5190613ebd485511d4e2812cfa45eecb79d845893331fedad5130a5" // DepositForBurn
	for _, tt := range []struct {
		name string
		test func(*bench)
	}{
		{"an endpoint that is down is left", func(b *bench) {
			e := b.endpoints()
			b.burn(burned{})
			e[0].Set(endpoint.Down)
			b.finds(1)
			if h := b.burns.Health().Chains[source]; h.Endpoint != 1 || h.Fault != "" || h.Read == 0 {
				b.t.Errorf("Health = %+v, want the second endpoint in use", h)
			}
		}},
		{"an endpoint of another chain is left", func(b *bench) {
			e := b.endpoints()
			b.burn(burned{})
			e[0].Set(endpoint.OtherChain(1))
			b.finds(1)
		}},
		{"while all are down nothing is skipped", func(b *bench) {
			e := b.endpoints()
			e[0].Set(endpoint.Down)
			e[1].Set(endpoint.Down)
			b.burn(burned{})
			if err := b.burns.Round(b.t.Context()); err == nil {
				b.t.Error("Round without an endpoint = nil, want an error")
			}
			if h := b.burns.Health().Chains[source]; h.Fault == "" || h.Since.IsZero() {
				b.t.Errorf("Health = %+v, want a fault", h)
			}
			e[1].Set()
			b.finds(1)
		}},
		{"a head far ahead of all others skips nothing", func(b *bench) {
			e := b.endpoints()
			e[0].Set(endpoint.Ahead(100_000))
			_ = b.burns.Round(b.t.Context()) // blocks that are not there cannot be read
			e[0].Set()
			b.mine(source, 1)
			b.burn(burned{})
			b.mine(source, 1)
			b.finds(1)
		}},
		{"a head a little ahead skips nothing", func(b *bench) {
			e := b.endpoints()
			e[0].Set(endpoint.Ahead(200))
			_ = b.burns.Round(b.t.Context())
			e[0].Set()
			b.burn(burned{})
			b.finds(1)
		}},
		{"of three endpoints one that is ahead is not read", func(b *bench) {
			c := endpoint.New(b.t, b.Chains[source].URL, 3)
			b.restart(c)
			c.Endpoints[0].Set(endpoint.Ahead(100_000))
			b.finds(0)
			c.Endpoints[0].Set()
			b.burn(burned{})
			b.finds(1)
		}},
		{"a cursor above the head is pulled back", func(b *bench) {
			c := endpoint.New(b.t, b.Chains[source].URL, 1)
			tx := b.burn(burned{})
			b.write(func(t journal.Tx) error {
				return t.SetCursor(b.t.Context(), journal.Cursor{Chain: source, Pass: "burn", Number: 1 << 40})
			})
			b.restart(c)
			b.findsIn(tx)
		}},
		{"an endpoint that stands still is left", func(b *bench) {
			e := b.endpoints()
			b.finds(0)
			head := must(b.Chains[source].Head(b.t.Context()))(b.t)
			e[0].Set(endpoint.Names("latest", head))
			tx := b.burn(burned{})
			b.mine(source, 100)
			b.restartAt(e)
			b.findsIn(tx)
		}},
		{"a wrong receipt hides no burn", func(b *bench) {
			e := b.endpoints()
			e[0].Set(alterBurner())
			b.burn(burned{})
			b.finds(2) // one of them is made up
			b.wantAgreed(0)
			e[0].Set()
			b.mine(source, 1)
			b.round()
			b.wantSigned(1)
		}},
		{"of three endpoints two tell which burn is made up", func(b *bench) {
			c := endpoint.New(b.t, b.Chains[source].URL, 3)
			c.Endpoints[0].Set(alterBurner())
			b.restart(c)
			b.burn(burned{})
			b.finds(2)
			b.wantAgreed(1)
			b.wantSigned(1)
			if x := journal.Real(b.image().Burns); len(x) != 1 || x[0].Attestation == nil {
				b.t.Errorf("the burns that are believed = %+v, want the one that the issuer signed", x)
			}
		}},
		{"a second endpoint confirms what one gave", func(b *bench) {
			e := b.endpoints()
			e[1].Set(endpoint.Null("eth_getTransactionReceipt"))
			b.burn(burned{})
			b.finds(1)
			b.wantAgreed(0)
			e[1].Set()
			b.mine(source, 1)
			b.finds(1)
			b.wantAgreed(1)
		}},
		{"a wrong receipt of the only endpoint is found out by another", func(b *bench) {
			c := endpoint.New(b.t, b.Chains[source].URL, 2)
			c.Endpoints[0].Set(alterBurner())
			c.Endpoints[1].Set(endpoint.Down)
			b.restart(c)
			b.burn(burned{})
			b.finds(1)
			b.wantSigned(0)
			c.Endpoints[0].Set()
			c.Endpoints[1].Set()
			b.mine(source, 1)
			b.finds(2)
			b.wantSigned(1)
		}},
		{"a transaction that is too large to be read holds up no other", func(b *bench) {
			e := b.endpoints()
			huge := b.burn(burned{})
			e[0].Set(tooLarge("eth_getTransactionReceipt", huge.String()))
			e[1].Set(tooLarge("eth_getTransactionReceipt", huge.String()))
			b.burn(burned{})
			b.finds(1)
		}},
		{"one endpoint alone cannot say that a transaction is too large", func(b *bench) {
			e := b.endpoints()
			e[0].Set(tooLarge("eth_getTransactionReceipt", b.burn(burned{}).String()))
			b.finds(1)
		}},
		{"a block that is too large to be read holds up no other", func(b *bench) {
			e := b.endpoints()
			tx := b.burn(burned{})
			huge := must(b.Chains[source].Head(b.t.Context()))(b.t)
			b.burn(burned{})
			e[0].Set(tooLargeBlock(huge))
			e[1].Set(tooLargeBlock(huge))
			b.finds(1)
			b.burn(burned{})
			b.finds(2)
			e[1].Set() // it is smaller there
			if err := b.burns.Sweep(b.t.Context()); err != nil {
				b.t.Fatal(err)
			}
			b.findsIn(tx)
		}},
		{"a range that is refused is made smaller", func(b *bench) {
			e := b.endpoints()
			e[0].Set(endpoint.CapRange(20))
			e[1].Set(endpoint.CapRange(20))
			b.burn(burned{})
			b.mine(source, 300)
			b.burn(burned{})
			b.finds(2)
		}},
		{"what one endpoint leaves out the other has within the hour", func(b *bench) {
			e := b.endpoints()
			e[0].Set(endpoint.LeaveOut(burnSent))
			tx := b.burn(burned{})
			b.mine(source, 600) // more than are read again
			b.finds(0)
			e[0].Set()
			b.finds(0)
			for range 2 {
				if err := b.burns.Sweep(b.t.Context()); err != nil {
					b.t.Fatal(err)
				}
				if found := must(b.journal.BurnsByTx(b.t.Context(), tx))(b.t); len(found) != 1 {
					b.t.Fatalf("%d burns are found, want 1", len(found))
				}
			}
		}},
		{"a burn that comes late is found when its blocks are read again", func(b *bench) {
			e := b.endpoints()
			e[0].Set(endpoint.LeaveOut(burnSent))
			b.burn(burned{})
			b.finds(0)
			e[0].Set()
			b.mine(source, 1)
			b.finds(1)
		}},
		{"an endpoint that lags is not asked for later blocks", func(b *bench) {
			c := endpoint.New(b.t, b.Chains[source].URL, 2)
			b.restart(c)
			b.finds(0)
			b.mine(source, 1)
			b.finds(0)
			c.Endpoints[0].Set(endpoint.Refuse("eth_getLogs"))
			c.Endpoints[1].Set(endpoint.Behind(200))
			b.burn(burned{})
			b.mine(source, 100)
			if err := b.burns.Round(b.t.Context()); err == nil {
				b.t.Error("Round with an endpoint that is behind = nil, want an error")
			}
			c.Endpoints[1].Set()
			b.finds(1)
		}},
		{"a burn in a block that is reorganised away keeps its place", func(b *bench) {
			b.endpoints()
			tx := b.burn(burned{})
			b.finds(1)
			if err := b.Chains[source].Do(b.t.Context(), "anvil_reorg", 1, []any{}); err != nil {
				b.t.Fatal(err)
			}
			b.mine(source, 2)
			b.round()
			if x := b.only(); x.Tx != tx {
				b.t.Errorf("burn = %v, want that of %v", x.Tx, tx)
			}
		}},
		{"a hint is read at once", func(b *bench) {
			e := b.endpoints()
			e[0].Set(endpoint.Refuse("eth_getLogs"))
			e[1].Set(endpoint.Refuse("eth_getLogs"))
			tx := b.burn(burned{})
			for range 2 {
				if err := b.burns.Hint(b.t.Context(), source, tx); err != nil {
					b.t.Fatal(err)
				}
			}
			b.only()
			if err := b.burns.Hint(b.t.Context(), 1, tx); err == nil {
				b.t.Error("Hint for a network without an endpoint = nil, want an error")
			}
		}},
		{"after a restart it goes on where it was", func(b *bench) {
			c := endpoint.New(b.t, b.Chains[source].URL, 2)
			b.restart(c)
			b.mine(source, 1)
			b.finds(0)
			tx := b.burn(burned{})
			b.begin(burns.Chain{ID: source, Nodes: b.nodes(c), First: 1 << 40})
			b.findsIn(tx)
		}},
		{"without a cursor the last days are read", func(b *bench) {
			c := endpoint.New(b.t, b.Chains[source].URL, 1)
			b.burn(burned{})
			b.begin(burns.Chain{ID: source, Nodes: b.nodes(c), Range: 100})
			b.round()
			if got := len(b.image().Burns); got < 1 {
				b.t.Errorf("%d burns are found, want those of the last days", got)
			}
		}},
		{"a look at an idle network is two calls", func(b *bench) {
			c := endpoint.New(b.t, b.Chains[source].URL, 1)
			b.restart(c)
			b.finds(0)
			before := c.Endpoints[0].Calls()
			for range 10 {
				b.mine(source, 1)
				b.finds(0)
			}
			if got := c.Endpoints[0].Calls() - before; got != 20 {
				b.t.Errorf("%d calls in ten rounds, want 20", got)
			}
		}},
		{"an idle hour costs 280 calls at most, however fast blocks come", func(b *bench) {
			c := endpoint.New(b.t, b.Chains[source].URL, 3)
			b.restart(c)
			for range int(pace.Confirmed / pace.Source) {
				b.mine(source, 100)
				b.finds(0)
			}
			calls := 0
			for _, e := range c.Endpoints {
				calls += e.Calls() - e.Calls("eth_chainId")
			}
			if hour := calls * int(time.Hour/pace.Confirmed); hour > 280 {
				b.t.Errorf("%d calls an hour, want 280", hour)
			}
		}},
		{"quiet days hide no burn of the busy ones before", func(b *bench) { // the clock of the chain stays ahead, so it is the last
			c := endpoint.New(b.t, b.Chains[source].URL, 1)
			tx := b.burn(burned{})
			for _, mine := range [][]any{{300, 1}, {1000, 1200}} { // blocks, and seconds between them
				if err := b.Chains[source].Do(b.t.Context(), "anvil_mine", mine...); err != nil {
					b.t.Fatal(err)
				}
			}
			b.begin(burns.Chain{ID: source, Nodes: b.nodes(c)})
			b.findsIn(tx)
		}},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(b.fresh(t)) })
	}
}

// fresh returns the same chains with another journal, from the present blocks on.
func (b *bench) fresh(t *testing.T) *bench {
	again := *b
	again.t, again.asked, again.nonces = t, &fake.Recorder{}, map[swap.ChainID]uint64{}
	again.allow(gateway, 100, 100)
	again.open()
	again.skip()
	return &again
}

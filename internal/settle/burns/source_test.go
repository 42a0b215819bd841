package burns_test

import (
	"slices"
	"testing"

	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/burns"
	"hubquote/swap"
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
				b.t.Error("Round succeeded without an endpoint")
			}
			if h := b.burns.Health().Chains[source]; h.Fault == "" || h.Since.IsZero() {
				b.t.Errorf("Health = %+v, want a fault", h)
			}
			e[1].Set()
			b.finds(1)
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
			b.mine(source, 70) // more than are read again
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
				b.t.Error("Round succeeded with logs of an endpoint that has not seen the blocks")
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
				b.t.Error("Hint for a network without an endpoint succeeded")
			}
		}},
		{"after a restart it goes on where it was", func(b *bench) {
			c := endpoint.New(b.t, b.Chains[source].URL, 2)
			b.restart(c)
			b.mine(source, 1)
			b.finds(0)
			b.burn(burned{})
			b.begin(burns.Chain{ID: source, Nodes: b.nodes(c), First: 1 << 40})
			b.finds(1)
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
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(b.fresh(t)) })
	}
}

// fresh returns the same chains with another journal, from the present blocks on.
func (b *bench) fresh(t *testing.T) *bench {
	again := *b
	again.t, again.asked, again.nonces = t, &listener{}, map[swap.ChainID]uint64{}
	again.allow(gateway, 100, 100)
	again.open()
	again.skip()
	return &again
}

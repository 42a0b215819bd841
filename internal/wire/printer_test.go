package wire_test

import (
	"context"
	"encoding/json"
	"testing"

	"hubquote/internal/catalog"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/internal/wire"
	"hubquote/swap"
)

const private = "0zk1qyk9nn28x0u3rwn5pknglda68wrn7gw6anjw8gg94mcj6eq5u48tlrv7j6fe3z53lama02nutwtcqc979wnce0qwly4y7w4rls5cq040g7z8eagshxrw5ajy990"

// The printer writes what encoding/json writes, on every route, with and
// without an integrator.
func TestPrinter(t *testing.T) {
	c, quotes := allQuotes(t)
	p, err := wire.NewPrinter(c.Routes())
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range quotes {
		want, err := json.Marshal(wire.NewV3(q, wire.Includes{}))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := p.AppendV3(nil, q, wire.Includes{}); err != nil || string(got) != string(want) {
			t.Errorf("%v\n got %s\nwant %s", err, got, want)
		}
	}
}

func BenchmarkV3(b *testing.B) {
	c, quotes := allQuotes(b)
	p, err := wire.NewPrinter(c.Routes())
	if err != nil {
		b.Fatal(err)
	}
	b.Run("printer", func(b *testing.B) {
		b.ReportAllocs()
		var buf []byte
		for b.Loop() {
			buf, _ = p.AppendV3(buf[:0], quotes[0], wire.Includes{})
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := json.Marshal(wire.NewV3(quotes[0], wire.Includes{})); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// allQuotes returns a quote on every route, at the minimum and the maximum,
// without and with an integrator.
func allQuotes(t testing.TB) (*catalog.Catalog, []*swap.Quote) {
	t.Helper()
	c, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	q, err := quoter.New(quoter.Options{Catalog: c, IssuerFees: issuer.Published{}, Integrators: everyone{}})
	if err != nil {
		t.Fatal(err)
	}
	var quotes []*swap.Quote
	for _, r := range c.Routes() {
		for _, amount := range []swap.Amount{r.Limits.Min, r.Limits.Max} {
			for _, id := range []swap.IntegratorID{{}, {31: 7}} {
				quote, err := q.Quote(context.Background(), swap.Request{
					SrcChain: r.Src.ID, SrcToken: swap.TokenName{Address: r.SrcToken.Address},
					DstChain: r.Dst.ID, DstToken: swap.TokenName{Address: r.DstToken.Address},
					Amount: amount, Recipient: recipient(r), Integrator: id,
				})
				if err != nil {
					t.Fatal(err)
				}
				quotes = append(quotes, quote)
			}
		}
	}
	return c, quotes
}

func recipient(r *swap.Route) swap.Recipient {
	if r.Shields() {
		return swap.Recipient{Private: private}
	}
	return swap.Recipient{Address: swap.Address{1, 2, 3}}
}

// everyone is registered and active.
type everyone struct{}

func (everyone) Integrator(_ context.Context, _ swap.ChainID, id swap.IntegratorID) (swap.Integrator, error) {
	return swap.Integrator{ID: id, Wallet: swap.Address{9, 8, 7}, Rate: 1_250}, nil
}

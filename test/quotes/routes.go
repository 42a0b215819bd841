package quotes

import (
	"context"
	"testing"

	"hubquote/internal/catalog"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/swap"
	"hubquote/test/fake"
	"hubquote/test/zk"
)

// private is a recipient on every privacy route.
const private = zk.Alice

// OnEveryRoute returns quotes on every route, at the minimum and the maximum,
// without and with an integrator, and where it can be with an account for
// refunds.
func OnEveryRoute(t testing.TB) []*swap.Quote {
	t.Helper()
	c, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	q, err := quoter.New(quoter.Options{Catalog: c, IssuerFees: issuer.Published{}, Integrators: fake.Partners(1_250)})
	if err != nil {
		t.Fatal(err)
	}
	var quotes []*swap.Quote
	for _, r := range c.Routes() {
		for _, amount := range []swap.Amount{r.Limits.Min, r.Limits.Max} {
			for _, x := range extras(r) {
				quote, err := q.Quote(context.Background(), swap.Request{
					SrcChain: r.Src.ID, SrcToken: swap.TokenName{Address: r.SrcToken.Address},
					DstChain: r.Dst.ID, DstToken: swap.TokenName{Address: r.DstToken.Address},
					Amount: amount, Recipient: recipient(r), Integrator: x.id, RefundTo: x.refundTo,
				})
				if err != nil {
					t.Fatal(err)
				}
				quotes = append(quotes, quote)
			}
		}
	}
	return quotes
}

// An extra is what a request may name besides its swap.
type extra struct {
	id       swap.IntegratorID
	refundTo swap.Address
}

func extras(r *swap.Route) []extra {
	list := []extra{{}, {id: swap.IntegratorID{31: 7}}}
	if r.Kind == swap.Direct {
		list = append(list, extra{refundTo: swap.Address{5, 6, 7}})
	}
	return list
}

func recipient(r *swap.Route) swap.Recipient {
	if r.Shields() {
		return swap.MustRecipient(private)
	}
	return swap.MustRecipient("0x0102030000000000000000000000000000000000")
}

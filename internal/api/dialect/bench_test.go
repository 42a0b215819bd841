package dialect

import (
	"context"
	"net/http"
	"testing"

	"hubquote/internal/catalog"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/test/zk"
)

// BenchmarkAnswer measures a whole quote without HTTP: from the query string to
// the bytes of the answer.
func BenchmarkAnswer(b *testing.B) {
	const common = "srcToken=USDC&dstToken=USDC&amount=100000000&recipient="
	const alice = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	const private = zk.Alice
	e := newEndpoint(b)
	for _, bm := range []struct{ name, query string }{
		{"direct", common + alice + "&srcChain=1&dstChain=369"},
		{"cctp", common + alice + "&srcChain=10&dstChain=369"},
		{"shield", common + private + "&srcChain=1&dstChain=69696969"},
	} {
		b.Run(bm.name, func(b *testing.B) {
			h := http.Header{}
			b.ReportAllocs()
			for b.Loop() {
				x := newExchange(bm.query)
				if err := e.quote(context.Background(), h, &v3, x); err != nil {
					b.Fatal(err)
				}
				exchanges.Put(x)
			}
		})
	}
}

func newEndpoint(tb testing.TB) *Endpoint {
	tb.Helper()
	c, err := catalog.Embedded()
	if err != nil {
		tb.Fatal(err)
	}
	q, err := quoter.New(quoter.Options{Catalog: c, IssuerFees: issuer.Published{}})
	if err != nil {
		tb.Fatal(err)
	}
	e, err := New(q, c, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return e
}

package dialect

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"golang.org/x/crypto/sha3"

	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/test/reference"
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

// BenchmarkInKeccaks measures a whole quote in hashes of 40 bytes, which are made in
// turns with quotes: a slow phase of the machine slows both.
func BenchmarkInKeccaks(b *testing.B) {
	const chunk, hashes = 50, 10 // each chunk is so many quotes, and ten times as many hashes
	e, h, hash := newEndpoint(b), http.Header{}, sha3.NewLegacyKeccak256()
	var in [40]byte
	var out [32]byte
	for name, chain := range map[string]string{"direct": "1", "cctp": "10"} {
		query := "srcToken=USDC&dstToken=USDC&amount=100000000&recipient=0x70997970C51812dc3A010C7d01b50e0d17dc79C8&dstChain=369&srcChain=" + chain
		b.Run(name, func(b *testing.B) {
			var ratios []float64
			for b.Loop() {
				start := time.Now()
				for range chunk {
					x := newExchange(query)
					if err := e.quote(context.Background(), h, &v3, x); err != nil {
						b.Fatal(err)
					}
					exchanges.Put(x)
				}
				middle := time.Now()
				for range chunk * hashes {
					hash.Reset()
					hash.Write(in[:])
					hash.Sum(out[:0])
				}
				ratios = append(ratios, hashes*middle.Sub(start).Seconds()/time.Since(middle).Seconds())
			}
			slices.Sort(ratios)
			b.ReportMetric(ratios[len(ratios)/2], "keccaks")
			b.ReportMetric(0, "ns/op")
		})
	}
}

func newEndpoint(tb testing.TB) *Endpoint {
	tb.Helper()
	c := reference.Catalog(tb)
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

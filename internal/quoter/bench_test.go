package quoter_test

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"hubquote/internal/catalog"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/swap"
)

// BenchmarkQuote measures a whole quote of each kind, without reading the
// request or writing the answer.
func BenchmarkQuote(b *testing.B) {
	q, c := newQuoter(b)
	for name, r := range map[string]*swap.Route{"direct": find(c, 1, "USDC"), "native": find(c, 1, "ETH"), "cctp": find(c, 10, "USDC")} {
		b.Run(name, func(b *testing.B) { benchQuote(b, q, request(r)) })
	}
	for _, r := range c.Routes() {
		if r.Shields() {
			b.Run("shield", func(b *testing.B) { benchQuote(b, q, request(r)) })
			break
		}
	}
}

// BenchmarkGrowth measures the same quote on catalogs with ten and a hundred
// times as many chains, tokens and pairs. The time should not change.
func BenchmarkGrowth(b *testing.B) {
	for _, factor := range []int{1, 10, 100} {
		b.Run(fmt.Sprintf("%dx", factor), func(b *testing.B) {
			c := grown(b, factor)
			q, err := quoter.New(quoter.Options{Catalog: c, IssuerFees: issuer.Published{}})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(len(c.Routes())), "routes")
			benchQuote(b, q, request(find(c, 1, "USDC")))
		})
	}
}

func benchQuote(b *testing.B, q *quoter.Quoter, r swap.Request) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := q.Quote(context.Background(), r); err != nil {
			b.Fatal(err)
		}
	}
}

// Benchmarks are not run with the tests, so their catalog is loaded here.
func TestGrownCatalogHasTwiceThePairs(t *testing.T) {
	before, after := len(grown(t, 1).Routes()), len(grown(t, 2).Routes())
	if after != 2*before {
		t.Errorf("the grown catalog has %d routes, want twice %d", after, before)
	}
}

// grown adds generated chains of the issuer to the embedded catalog until it has
// factor times its pairs.
func grown(tb testing.TB, factor int) *catalog.Catalog {
	tb.Helper()
	dir := os.DirFS("../catalog/data")
	files := fstest.MapFS{}
	for _, name := range []string{"chains.toml", "deployment.toml", "pairs.toml", "policy.toml"} {
		text, err := fs.ReadFile(dir, name)
		if err != nil {
			tb.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	var chains, from strings.Builder
	for i := range 86 * (factor - 1) {
		id := 5_000_000 + i
		fmt.Fprintf(&chains, `
[[chain]]
id = %d
name = "made up"
explorer = "https://explorer.example"
source = "made up"
[chain.cctp]
domain = %d
messenger = "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d"
fee_bps = "1"
source = "made up"
[[chain.token]]
symbol = "USDC"
name = "made up"
address = "0x%040d"
decimals = 6
source = "made up"
`, id, 1000+i, 1+i)
		fmt.Fprintf(&from, "%q, ", fmt.Sprintf("USDC@%d", id))
	}
	files["chains.toml"].Data = append(files["chains.toml"].Data, chains.String()...)
	files["pairs.toml"].Data = fmt.Appendf(files["pairs.toml"].Data,
		"\n[[pairs]]\ntitle = \"made up\"\nkind = \"CCTP_INBOUND\"\nfrom = [%s]\nto = [\"USDC@369\"]\n", from.String())
	c, err := catalog.Load(files)
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

package api_test

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/cryptotest"

	"github.com/google/go-cmp/cmp"

	"hubquote/internal/api"
	"hubquote/internal/catalog"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/swap"
	"hubquote/test/quotes"
	"hubquote/test/zk"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const quotesDir = "../../test/quotes"

const (
	alice   = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	private = zk.Alice
)

// Every supported pair has a case, and every case is answered as it says.
func TestGolden(t *testing.T) {
	s := newServer(t, api.Options{})
	if *update {
		writeCases(t, s)
	}
	cases, err := quotes.Load(quotesDir)
	if err != nil {
		t.Fatal(err)
	}
	covered := map[string]bool{}
	for _, c := range cases {
		covered[c.Name] = true
		t.Run(c.Name, func(t *testing.T) {
			got := answer(t, s, c)
			if diff := cmp.Diff(text(c), text(got)); diff != "" {
				t.Errorf("answers (-want +got), rewrite with -update:\n%s", diff)
			}
		})
	}
	for _, r := range embedded(t).Routes() {
		if !covered[caseName(r)] {
			t.Errorf("no case for %s, want one for each pair", caseName(r))
		}
	}
	if len(cases) != 86 {
		t.Errorf("%d cases, want one for each of the 86 pairs", len(cases))
	}
}

// answer asks for the case in every version. The randomness of shielding is
// fixed for the test, which only a test can do.
func answer(t *testing.T, s http.Handler, c quotes.Case) quotes.Case {
	ask := func(path string, more ...string) []byte {
		cryptotest.SetGlobalRandom(t, 1)
		q := url.Values{}
		for k, v := range c.Query {
			q[k] = v
		}
		for i := 0; i < len(more); i += 2 {
			q.Set(more[i], more[i+1])
		}
		w := get(s, path+"?"+q.Encode())
		if w.Code != http.StatusOK {
			if path == "/v1/quote" && strings.Contains(w.Body.String(), "CHAIN_UNSUPPORTED") {
				return nil
			}
			t.Fatalf("%s: status = %d, want 200: %s", path, w.Code, w.Body)
		}
		return quotes.Indent(w.Body.Bytes())
	}
	c.V3 = ask("/v3/swap/quote")
	c.EarlyV3 = ask("/v3/swap/quote", "revision", "1")
	c.V1 = ask("/v1/quote")
	return c
}

func writeCases(t *testing.T, s http.Handler) {
	for i, r := range embedded(t).Routes() {
		amount, err := swap.ParseUnits(fmt.Sprintf("%d.%s", 1+i*7, "123456789012345678"[:r.SrcToken.Decimals]), r.SrcToken.Decimals)
		if err != nil {
			t.Fatal(err)
		}
		if !amount.Gt(&r.Limits.Min) {
			amount.Add(&amount, &r.Limits.Min)
		}
		if amount.Gt(&r.Limits.Max) {
			amount.Mod(&amount, &r.Limits.Max)
		}
		c := quotes.Case{
			Name:    caseName(r),
			Comment: fmt.Sprintf("%s on %d to %s on %d", r.SrcToken.Symbol, r.Src.ID, r.DstToken.Symbol, r.Dst.ID),
			Query: url.Values{
				"srcChain": {r.Src.ID.String()}, "srcToken": {r.SrcToken.Symbol},
				"dstChain": {r.Dst.ID.String()}, "dstToken": {r.DstToken.Symbol},
				"amount": {amount.Dec()}, "recipient": {recipientFor(r)},
			},
		}
		c = answer(t, s, c)
		if err := c.Write(quotesDir); err != nil {
			t.Fatal(err)
		}
	}
}

func caseName(r *swap.Route) string {
	return strings.ToLower(fmt.Sprintf("%s-%d-to-%s-%d", r.SrcToken.Symbol, r.Src.ID, r.DstToken.Symbol, r.Dst.ID))
}

func recipientFor(r *swap.Route) string {
	if r.Shields() {
		return private
	}
	return alice
}

func text(c quotes.Case) map[string]string {
	return map[string]string{"v3": string(c.V3), "revision 1": string(c.EarlyV3), "v1": string(c.V1)}
}

// newServer returns a server on the embedded catalog, with what opts leaves
// out filled in as the program does, but for the limiter.
func newServer(t testing.TB, opts api.Options) *api.Server {
	t.Helper()
	opts.Catalog = embedded(t)
	if opts.Quoter == nil {
		q, err := quoter.New(quoter.Options{Catalog: opts.Catalog, IssuerFees: issuer.Published{}})
		if err != nil {
			t.Fatal(err)
		}
		opts.Quoter = q
	}
	s, err := api.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// embedded is the catalog that ships with the program, loaded once.
func embedded(t testing.TB) *catalog.Catalog {
	t.Helper()
	c, err := loadEmbedded()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var loadEmbedded = sync.OnceValues(catalog.Embedded)

func get(s http.Handler, target string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("GET", target, nil))
	return w
}

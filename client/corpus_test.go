package client_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"testing/cryptotest"

	"github.com/google/go-cmp/cmp"

	"hubquote/client"
	"hubquote/internal/catalog"
	"hubquote/internal/issuer"
	"hubquote/internal/pinfile"
	"hubquote/internal/quoter"
	"hubquote/internal/wire"
	"hubquote/swap"
	"hubquote/test/fake"
	"hubquote/test/quotes"
)

// An exchange is a request and the server's answer to it, on one line.
type exchange struct {
	name    string
	query   string
	request swap.Request
	answer  []byte
}

// partner is not in a registry: its rate is an input of the tests.
var partner = swap.Integrator{
	ID:     swap.IntegratorIDOf(swap.MustAddress("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC")),
	Wallet: swap.MustAddress("0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"),
	Rate:   2_500,
}

func newQuoter(t testing.TB) *quoter.Quoter {
	t.Helper()
	q, err := quoter.New(quoter.Options{Catalog: embedded(t), Integrators: fake.Partners(partner.Rate), IssuerFees: issuer.Published{}})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

var loadEmbedded = sync.OnceValues(catalog.Embedded)

func embedded(t testing.TB) *catalog.Catalog {
	t.Helper()
	c, err := loadEmbedded()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func embeddedPins(t testing.TB) *client.Pins {
	t.Helper()
	p, err := client.EmbeddedPins()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// partnerPins have the rate of the partner.
func partnerPins(t testing.TB) *client.Pins {
	t.Helper()
	return newPins(t, pinfile.Allowances{Integrators: []swap.Integrator{partner}})
}

// exchanges are the corpus: every case with its golden answer, to which
// shielding ones have their proof added, a few with all that a request can ask
// for besides, and one of each kind of deposit with an account for refunds.
func exchanges(t *testing.T) []exchange {
	t.Helper()
	cases, err := quotes.Load("../test/quotes")
	if err != nil {
		t.Fatal(err)
	}
	q := newQuoter(t)
	var list []exchange
	for _, c := range cases {
		e := exchange{name: c.Name, query: c.Query.Encode()}
		if strings.HasPrefix(c.Query.Get("recipient"), "0zk") {
			e.query += "&include=proof"
		}
		e.quote(t, q, wire.Includes{Proof: true})
		checkGolden(t, e, c.V3)
		list = append(list, e)
	}
	for _, i := range []string{"usdt-1-to-usdc-369", "usdc-10-to-usdc-369", "eth-1-to-weth-69696969", "usdc-56-to-usdc-96969696", "weth-69696969-to-eth-1"} {
		e := find(t, list, i)
		e.name += "-integrator"
		e.query = strings.TrimSuffix(e.query, "&include=proof") + "&include=decoded,calls,proof&integratorId=" + partner.Wallet.String()
		e.quote(t, q, wire.Includes{Decoded: true, Calls: true, Proof: true})
		list = append(list, e)
	}
	return append(list, refunds(t, q, list)...)
}

// refundTo is not the sender, the recipient or the partner.
const refundTo = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"

// refunds are exchanges of the list with an account for refunds, as deposits of
// a token, of the native coin, out of a privacy pool and into one, and as a
// deposit with its call taken apart.
func refunds(t *testing.T, q *quoter.Quoter, list []exchange) (out []exchange) {
	t.Helper()
	for _, x := range []struct{ name, include string }{
		{"usdc-369-to-usdc-8453", ""}, {"eth-1-to-weth-369", ""}, {"usdc-69696969-to-usdc-1", ""}, {"usdt-1-to-usdc-69696969", ""},
		{"usdt-1-to-usdc-369", "&include=decoded,calls"},
	} {
		e := find(t, list, x.name)
		e.name += "-refund"
		e.query += x.include + "&refundTo=" + refundTo
		e.quote(t, q, wire.Includes{Decoded: x.include != "", Calls: x.include != "", Proof: true})
		out = append(out, e)
	}
	return out
}

func find(t *testing.T, list []exchange, name string) exchange {
	t.Helper()
	for _, e := range list {
		if e.name == name {
			return e
		}
	}
	t.Fatalf("no case %s", name)
	return exchange{}
}

// quote answers the request. The randomness of shielding is fixed as it was for
// the golden answers, which only a test can do.
func (e *exchange) quote(t *testing.T, q *quoter.Quoter, in wire.Includes) {
	t.Helper()
	var err error
	if e.request, err = client.ParseRequest(e.query); err != nil {
		t.Fatal(err)
	}
	cryptotest.SetGlobalRandom(t, 1)
	quote, err := q.Quote(t.Context(), e.request)
	if err != nil {
		t.Fatal(err)
	}
	if e.answer, err = json.Marshal(wire.NewV3(quote, in)); err != nil {
		t.Fatal(err)
	}
}

func checkGolden(t *testing.T, e exchange, golden []byte) {
	t.Helper()
	var v wire.V3
	if err := json.Unmarshal(e.answer, &v); err != nil {
		t.Fatal(err)
	}
	v.Proof = nil
	plain, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(golden), string(quotes.Indent(plain))); diff != "" {
		t.Fatalf("%s is not the golden answer (-want +got):\n%s", e.name, diff)
	}
}

func indent(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", "  "); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

package api_test

import (
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"hubquote/internal/api"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/test/fake"
)

// For any query string the answer is a quote or a problem of the client: never a
// panic, never an internal error. A quote is for the recipient of the request, and
// every spelling of the same parameters gives the same one.
func FuzzQuery(f *testing.F) {
	q, err := quoter.New(quoter.Options{Catalog: embedded(f), IssuerFees: issuer.Published{}, Integrators: fake.Partners(1_000)})
	if err != nil {
		f.Fatal(err)
	}
	s := newServer(f, api.Options{Quoter: q})
	for _, tt := range errorTests {
		if _, query, ok := strings.Cut(tt.target, "?"); ok {
			f.Add(query)
		}
	}
	f.Add(strings.TrimPrefix(valid(), "/v3/swap/quote?"))
	f.Add(strings.TrimPrefix(valid("srcChain", "10", "integratorId", alice), "/v3/swap/quote?"))
	for _, account := range []string{refundTo, strings.ToLower(refundTo), "", usdc1, "0x0000000000000000000000000000000000000000"} {
		for _, chain := range []string{"1", "10", "69696969"} {
			f.Add(strings.TrimPrefix(valid("srcChain", chain), "/v3/swap/quote?") + "&refundTo=" + account)
		}
	}
	f.Add(strings.Repeat("&amount=1%2e", 600))
	f.Fuzz(func(t *testing.T, query string) {
		ask := func(query string) *httptest.ResponseRecorder {
			r := httptest.NewRequest("GET", "/v3/swap/quote", nil)
			r.URL.RawQuery = query
			w := httptest.NewRecorder()
			s.ServeHTTP(w, r)
			return w
		}
		w := ask(query)
		if w.Code != 200 && w.Code != 400 {
			t.Fatalf("status = %d, want 200 or 400: %s", w.Code, w.Body)
		}
		if !json.Valid(w.Body.Bytes()) {
			t.Fatalf("body = %s, want JSON", w.Body)
		}
		values, err := url.ParseQuery(query)
		if w.Code != 200 {
			return
		}
		if err != nil {
			t.Fatalf("status = 200, want 400: %v", err)
		}
		if recipient := values.Get("recipient"); !strings.HasPrefix(recipient, "0z") && !strings.HasPrefix(recipient, "0Z") {
			if again := ask(values.Encode()); again.Body.String() != w.Body.String() {
				t.Errorf("answer to another spelling = %s, want %s", again.Body, w.Body)
			}
			if !strings.Contains(w.Body.String(), strings.ToLower(strings.TrimPrefix(recipient, "0x"))) {
				t.Errorf("answer = %s, want recipient %s in it", w.Body, recipient)
			}
		}
		if account := values.Get("refundTo"); account != "" && !strings.Contains(w.Body.String(), strings.ToLower(strings.TrimPrefix(account, "0x"))) {
			t.Errorf("answer = %s, want refundTo %s in it", w.Body, account)
		}
	})
}

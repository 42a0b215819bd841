package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"hubquote/internal/api"
	"hubquote/internal/api/dialect"
	"hubquote/internal/issuer"
	"hubquote/internal/quoter"
	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/memory"
	"hubquote/swap"
	"hubquote/test/fake"
	"hubquote/test/zk"
)

// valid is a request that succeeds; each row of the table below changes it.
func valid(change ...string) string {
	q := url.Values{
		"srcChain": {"1"}, "srcToken": {"USDC"}, "dstChain": {"369"}, "dstToken": {"USDC"},
		"amount": {"100000000"}, "recipient": {alice},
	}
	for i := 0; i < len(change); i += 2 {
		if change[i+1] == "" {
			q.Del(change[i])
		} else {
			q.Set(change[i], change[i+1])
		}
	}
	return "/v3/swap/quote?" + q.Encode()
}

func shielding(recipient string) string {
	return valid("dstChain", "69696969", "recipient", recipient)
}

const (
	usdc1    = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
	refundTo = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"
)

// status is a request for a status that lacks only a settler.
const status = "/v3/swap/status?txHash=0xA1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1"

// The errors a request can cause by itself. The name says how.
var errorTests = []struct {
	name   string
	target string
	status int
	code   swap.Code
	param  string
}{
	{"a semicolon between parameters", valid() + "&x=1;y=2", 400, swap.QueryMalformed, ""},
	{"a broken escape", valid("srcToken", "") + "&srcToken=%zz", 400, swap.QueryMalformed, "srcToken"},
	{"no amount", valid("amount", ""), 400, swap.ParamMissing, "amount"},
	{"an empty amount", valid("amount", "") + "&amount=", 400, swap.ParamMissing, "amount"},
	{"no recipient", valid("recipient", ""), 400, swap.ParamMissing, "recipient"},
	{"an amount twice", valid() + "&amount=100000000", 400, swap.ParamRepeated, "amount"},
	{"an amount in capitals", valid() + "&AMOUNT=5", 400, swap.ParamMisspelt, "amount"},
	{"an amount of 79 digits", valid("amount", strings.Repeat("9", 79)), 400, swap.ParamTooLong, "amount"},
	{"a chain of eleven digits", valid("srcChain", "12345678901"), 400, swap.ParamTooLong, "srcChain"},
	{"a recipient of 128 characters", valid("recipient", strings.Repeat("a", 128)), 400, swap.ParamTooLong, "recipient"},
	{"a type that does not exist", valid("recipientType", "1"), 400, swap.ParamInvalid, "recipientType"},
	{"an empty type", valid() + "&recipientType=", 400, swap.ParamInvalid, "recipientType"},
	{"an unknown include", valid("include", "everything"), 400, swap.ParamInvalid, "include"},
	{"an unknown revision", valid("revision", "9"), 400, swap.ParamInvalid, "revision"},

	{"an amount with a sign", valid("amount", "+100000000"), 400, swap.AmountInvalid, "amount"},
	{"an amount with a point", valid("amount", "100.0"), 400, swap.AmountInvalid, "amount"},
	{"an amount with an exponent", valid("amount", "1e8"), 400, swap.AmountInvalid, "amount"},
	{"an amount in hexadecimal", valid("amount", "0x5f5e100"), 400, swap.AmountInvalid, "amount"},
	{"an amount with a leading zero", valid("amount", "0100000000"), 400, swap.AmountInvalid, "amount"},
	{"zero", valid("amount", "0"), 400, swap.AmountInvalid, "amount"},
	{"an amount with a space", valid("amount", "100000000 "), 400, swap.AmountInvalid, "amount"},
	{"an amount over 256 bits", valid("amount", strings.Repeat("9", 78)), 400, swap.AmountInvalid, "amount"},
	{"one unit below the minimum", valid("amount", "9999999"), 400, swap.AmountTooLow, "amount"},
	{"one unit above the maximum", valid("amount", "25000000001"), 400, swap.AmountTooHigh, "amount"},
	{"a minimum counted with the wrong decimals", valid("srcChain", "56", "amount", "10000000"), 400, swap.AmountTooLow, "amount"},

	{"a chain with a leading zero", valid("srcChain", "01"), 400, swap.ChainInvalid, "srcChain"},
	{"a chain in hexadecimal", valid("dstChain", "0x171"), 400, swap.ChainInvalid, "dstChain"},
	{"a chain that is not served", valid("srcChain", "2"), 400, swap.ChainUnsupported, "srcChain"},
	{"a token with a hyphen", valid("srcToken", "USD-C"), 400, swap.TokenInvalid, "srcToken"},
	{"a token that is not there", valid("srcToken", "USD1"), 400, swap.TokenUnsupported, "srcToken"},
	{"an Ethereum address on the hub", valid("dstToken", usdc1), 400, swap.TokenUnsupported, "dstToken"},
	{"the native coin of the hub", valid("dstToken", "ETH"), 400, swap.TokenUnsupported, "dstToken"},
	{"inbound-only, outbound", valid("srcChain", "369", "dstChain", "1", "dstToken", "USDT"), 400, swap.PairUnsupported, "dstToken"},
	{"between two public chains", valid("dstChain", "8453"), 400, swap.PairUnsupported, "dstToken"},
	{"to the same place", valid("dstChain", "1"), 400, swap.PairUnsupported, "dstToken"},
	{"from one privacy pool to the other", valid("srcChain", "69696969", "dstChain", "96969696", "recipient", private), 400, swap.PairUnsupported, "dstToken"},

	{"a token with a wrong capital", valid("srcToken", strings.Replace(usdc1, "A", "a", 1)), 400, swap.AddressChecksum, "srcToken"},
	{"a recipient with a wrong capital", valid("recipient", strings.Replace(alice, "C", "c", 1)), 400, swap.AddressChecksum, "recipient"},
	{"a recipient of 39 digits", valid("recipient", alice[:41]), 400, swap.RecipientInvalid, "recipient"},
	{"a recipient with a capital X", valid("recipient", "0X"+alice[2:]), 400, swap.RecipientInvalid, "recipient"},
	{"a name instead of a recipient", valid("recipient", "alice.eth"), 400, swap.RecipientInvalid, "recipient"},
	{"the zero address", valid("recipient", "0x0000000000000000000000000000000000000000"), 400, swap.RecipientZero, "recipient"},
	{"a token as recipient", valid("recipient", usdc1), 400, swap.RecipientContract, "recipient"},
	{"the messenger as recipient", valid("recipient", "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d"), 400, swap.RecipientContract, "recipient"},
	{"the native sentinel as recipient", valid("recipient", swap.Native.String()), 400, swap.RecipientContract, "recipient"},
	{"type 2 with an EVM address", valid("recipientType", "2"), 400, swap.RecipientMismatch, "recipient"},
	{"a 0zk address on a public route", valid("recipient", private), 400, swap.RecipientMismatch, "recipient"},
	{"an EVM address on a shielding route", shielding(alice), 400, swap.RecipientMismatch, "recipient"},

	{"refunds to an address of 39 digits", valid("refundTo", refundTo[:41]), 400, swap.RefundToInvalid, "refundTo"},
	{"refunds to an address with a capital X", valid("refundTo", "0X"+refundTo[2:]), 400, swap.RefundToInvalid, "refundTo"},
	{"refunds to an address with a space", valid("refundTo", refundTo[:41]+" "), 400, swap.RefundToInvalid, "refundTo"},
	{"refunds to an empty address", valid() + "&refundTo=", 400, swap.RefundToInvalid, "refundTo"},
	{"refunds to a private address", valid("refundTo", private), 400, swap.ParamTooLong, "refundTo"},
	{"refunds to an address of 43 characters", valid("refundTo", refundTo+"0"), 400, swap.ParamTooLong, "refundTo"},
	{"refunds to two addresses", valid("refundTo", refundTo) + "&refundTo=" + refundTo, 400, swap.ParamRepeated, "refundTo"},
	{"refunds in other letters", valid() + "&refundto=" + refundTo, 400, swap.ParamMisspelt, "refundTo"},
	{"refunds to an address with a wrong capital", valid("refundTo", strings.Replace(refundTo, "A", "a", 1)), 400, swap.AddressChecksum, "refundTo"},
	{"refunds to the zero address", valid("refundTo", "0x0000000000000000000000000000000000000000"), 400, swap.RefundToZero, "refundTo"},
	{"refunds to a token", valid("refundTo", usdc1), 400, swap.RefundToContract, "refundTo"},
	{"refunds to the messenger", valid("refundTo", "0x28b5a0e9C621a5BadaA536219b3a228C8168cf5d"), 400, swap.RefundToContract, "refundTo"},
	{"refunds to the native sentinel", valid("refundTo", swap.Native.String()), 400, swap.RefundToContract, "refundTo"},
	{"refunds of a burn", valid("srcChain", "10", "refundTo", refundTo), 400, swap.RefundUnsupported, "refundTo"},
	{"refunds in the earlier revision", valid("refundTo", refundTo, "revision", "1"), 400, swap.RefundUnsupported, "refundTo"},
	{"refunds in v1", "/v1" + strings.TrimPrefix(valid("refundTo", refundTo), "/v3/swap"), 400, swap.RefundUnsupported, "refundTo"},

	{"an integrator with another byte than zero before the address", valid("integratorId", "0x1"+strings.Repeat("0", 23)+alice[2:]), 400, swap.IntegratorInvalid, "integratorId"},
	{"an integrator padded on the right", valid("integratorId", alice+strings.Repeat("0", 24)), 400, swap.IntegratorInvalid, "integratorId"},
	{"the zero integrator", valid("integratorId", "0x"+strings.Repeat("0", 64)), 400, swap.IntegratorInvalid, "integratorId"},
	{"an empty integrator", valid() + "&integratorId=", 400, swap.IntegratorInvalid, "integratorId"},
	{"an integrator with a wrong capital", valid("integratorId", strings.Replace(alice, "C", "c", 1)), 400, swap.AddressChecksum, "integratorId"},
	{"an integrator in the earlier revision", valid("integratorId", alice, "revision", "1"), 400, swap.IntegratorRefused, "integratorId"},
	{"an integrator in v1", "/v1" + strings.TrimPrefix(valid("integratorId", alice), "/v3/swap"), 400, swap.IntegratorRefused, "integratorId"},
	{"an integrator, and no RPC to verify it", valid("integratorId", alice), 503, swap.RegistryUnavailable, "integratorId"},

	{"a status without a hash", "/v3/swap/status", 400, swap.ParamMissing, "txHash"},
	{"a hash that is too short", "/v3/swap/status?txHash=0x12", 400, swap.HashInvalid, "txHash"},
	{"a status at a chain that is not served", status + "&srcChain=7", 400, swap.ChainUnsupported, "srcChain"},
	{"a wait without a unit", status + "&wait=25", 400, swap.ParamInvalid, "wait"},
	{"a wait that is too long", status + "&wait=26s", 400, swap.ParamInvalid, "wait"},
	{"a mark without a step", status + "&after=1", 400, swap.ParamInvalid, "after"},
	{"a status, and no settler to ask", status, 503, swap.StatusUnavailable, ""},

	{"a v3 chain in v1", "/v1/quote?srcChain=10&srcToken=USDC&dstChain=369&dstToken=USDC&amount=100000000", 400, swap.ChainUnsupported, "srcChain"},
	{"no recipient on a privacy route in v1", "/v1/quote?srcChain=69696969&srcToken=USDC&dstChain=369&dstToken=USDC&amount=100000000", 400, swap.ParamMissing, "recipient"},

	{"letters that are not ASCII", shielding("0zké" + private[5:]), 400, swap.ZKNotASCII, "recipient"},
	{"a shorter 0zk address", shielding(private[:126]), 400, swap.ZKLength, "recipient"},
	{"a 0zk address in mixed case", shielding("0zK" + private[3:]), 400, swap.ZKMixedCase, "recipient"},
	{"a 0zk address with a typo", shielding(private[:126] + "q"), 400, swap.ZKChecksum, "recipient"},
	{"a 0zk address with a foreign letter", shielding(private[:60] + "b" + private[61:]), 400, swap.ZKCharset, "recipient"},
	{"a 0zk address for another network", shielding(zk.AliceOn56), 400, swap.ZKChain, "recipient"},

	{"a path that is not served", "/v3/swap/quotes", 404, swap.NotFound, ""},
	{"a path with a slash too many", "/v3/swap/quote/", 404, swap.NotFound, ""},
	{"an address of 8 KiB", valid() + "&x=" + strings.Repeat("x", 8<<10), 414, swap.URITooLong, ""},
}

func TestErrors(t *testing.T) {
	s := newServer(t, api.Options{})
	for _, tt := range errorTests {
		t.Run(tt.name, func(t *testing.T) {
			p := wantProblem(t, get(s, tt.target), tt.status)
			if p.Code != tt.code || p.Param != tt.param {
				t.Errorf("code = %s and param = %q, want %s and %q", p.Code, p.Param, tt.code, tt.param)
			}
		})
	}
}

// Every code of the vocabulary is caused by a test of this package, or by the
// tests of the package that returns it.
func TestEveryCodeIsTested(t *testing.T) {
	tested := map[swap.Code]bool{
		swap.MethodNotAllowed: true, swap.Internal: true, swap.RateLimited: true, // below
		swap.IntegratorUnknown: true, swap.IntegratorInactive: true, swap.IssuerFeeUnavailable: true, // TestUpstreamErrors
		swap.PoolPaused: true, swap.PoolShort: true, swap.PoolCapped: true, swap.PoolUnknown: true, swap.RouteClosed: true, swap.DeploymentDiffers: true, // TestPoolErrors
		// An address that gets past its checksum with these faults is made
		// by hand; the tests of package swap have one for each.
		swap.ZKBech32: true, swap.ZKPrefix: true, swap.ZKPadding: true, swap.ZKVersion: true, swap.ZKMasterKey: true,
		swap.ZKViewingPoint: true, swap.ZKNonCanonical: true, swap.ZKSmallOrder: true, swap.ZKTorsion: true,
	}
	for _, tt := range errorTests {
		tested[tt.code] = true
	}
	for _, code := range codes(t) {
		if !tested[code] {
			t.Errorf("no test causes %s, want one for every code", code)
		}
	}
}

// codes reads the vocabulary's own source, which is the list.
func codes(t *testing.T) (list []swap.Code) {
	t.Helper()
	src, err := os.ReadFile("../../swap/error.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`Code = "([A-Z0-9_]+)"`).FindAllSubmatch(src, -1) {
		list = append(list, swap.Code(m[1]))
	}
	return list
}

func TestEveryCodeHasAStatus(t *testing.T) {
	page := get(newServer(t, api.Options{}), "/errors").Body.String()
	for _, code := range codes(t) {
		if !strings.Contains(page, string(code)) {
			t.Errorf("%s is not in the table of problems, want it there", code)
		}
	}
}

func TestAllProblemsAreReportedTogether(t *testing.T) {
	s := newServer(t, api.Options{})
	w := get(s, "/v3/swap/quote?srcChain=1x&srcToken=NOPE&dstChain=369&dstToken=NOPE&amount=1.5&recipient=0x12&recipientType=7&refundTo=0x12")
	p := wantProblem(t, w, 400)
	got := map[string]swap.Code{}
	for _, e := range p.Errors {
		got[e.Param] = e.Code
	}
	want := map[string]swap.Code{
		"srcChain": swap.ChainInvalid, "dstToken": swap.TokenUnsupported, "amount": swap.AmountInvalid,
		"recipient": swap.RecipientInvalid, "recipientType": swap.ParamInvalid,
		"refundTo": swap.RefundToInvalid,
	}
	for param, code := range want {
		if got[param] != code {
			t.Errorf("code of %s = %q, want %s", param, got[param], code)
		}
	}
}

func TestLimitsInTheProblem(t *testing.T) {
	s := newServer(t, api.Options{})
	if w := get(s, valid("amount", "10000000")); w.Code != 200 {
		t.Errorf("status at the minimum = %d, want 200", w.Code)
	}
	if w := get(s, valid("amount", "25000000000")); w.Code != 200 {
		t.Errorf("status at the maximum = %d, want 200", w.Code)
	}
	p := wantProblem(t, get(s, valid("amount", "9999999")), 400)
	want := problemLimits{Token: "USDC", Decimals: 6, Min: "10000000", Max: "25000000000", MinHuman: "10", MaxHuman: "25000"}
	if p.Limits == nil || *p.Limits != want {
		t.Errorf("limits = %+v, want %+v", p.Limits, want)
	}
}

// A panic does not end the process, and nothing of it is shown.
func TestInternal(t *testing.T) {
	for name, q := range map[string]dialect.Quoter{
		"panic":         stubQuoter{func() error { panic("secret in a panic") }},
		"foreign error": stubQuoter{func() error { return errors.New("secret in an error") }},
	} {
		t.Run(name, func(t *testing.T) {
			w := get(newServer(t, api.Options{Quoter: q}), valid())
			p := wantProblem(t, w, 500)
			if p.Code != swap.Internal || strings.Contains(w.Body.String(), "secret") {
				t.Errorf("body = %s, want code %s and no secret", w.Body, swap.Internal)
			}
		})
	}
}

// The answer of an upstream decides the status: 400 for a proved negative, 503
// without proof.
func TestUpstreamErrors(t *testing.T) {
	tests := []struct {
		code   swap.Code
		target string
		status int
	}{
		{swap.IntegratorUnknown, valid("integratorId", alice), 400},
		{swap.IntegratorInactive, valid("integratorId", alice), 400},
		{swap.RegistryUnavailable, valid("integratorId", alice), 503},
		{swap.IssuerFeeUnavailable, valid("srcChain", "10"), 503},
	}
	for _, tt := range tests {
		t.Run(string(tt.code), func(t *testing.T) {
			up := upstream{&swap.Error{Code: tt.code, Message: "as it says", Err: errors.New("secret")}}
			q, err := quoter.New(quoter.Options{Catalog: embedded(t), Integrators: up, IssuerFees: up})
			if err != nil {
				t.Fatal(err)
			}
			s := newServer(t, api.Options{Quoter: q})
			w := get(s, tt.target)
			p := wantProblem(t, w, tt.status)
			if p.Code != tt.code || strings.Contains(w.Body.String(), "secret") {
				t.Errorf("body = %s, want code %s and no secret", w.Body, tt.code)
			}
			if tt.status == 503 && (w.Header().Get("Retry-After") == "" || !p.Retryable) {
				t.Errorf("Retry-After = %q and retryable = %t, want a time and true", w.Header().Get("Retry-After"), p.Retryable)
			}
			if w := get(s, valid()); w.Code != 200 {
				t.Errorf("status of a quote that needs no upstream = %d, want 200", w.Code)
			}
		})
	}
}

type upstream struct{ err error }

func (u upstream) Integrator(context.Context, swap.ChainID, swap.IntegratorID) (swap.Integrator, error) {
	return swap.Integrator{}, u.err
}

func (u upstream) IssuerRate(*swap.Burn) (swap.IssuerRate, error) { return 0, u.err }

// An active integrator's fee is added, and its ID goes into the calldata.
func TestIntegratorFee(t *testing.T) {
	q, err := quoter.New(quoter.Options{Catalog: embedded(t), Integrators: activePartner{}, IssuerFees: issuer.Published{}})
	if err != nil {
		t.Fatal(err)
	}
	w := get(newServer(t, api.Options{Quoter: q}), valid("integratorId", strings.ToLower(alice)))
	id := "0x000000000000000000000000" + strings.ToLower(alice[2:])
	for _, want := range []string{
		`"integrator":{"percentage":0.25,"amount":"250000","id":"` + id + `","address":"` + alice + `"}`,
		`"total":{"amount":"550000"}`, `"destAmount":"99450000"`, id[2:],
	} {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("body = %s, want %s in it", w.Body, want)
		}
	}
}

// activePartner is registered on chain 369 only.
type activePartner struct{}

func (activePartner) Integrator(ctx context.Context, chain swap.ChainID, id swap.IntegratorID) (swap.Integrator, error) {
	if chain != 369 {
		return swap.Integrator{}, errors.New("the wrong registry was asked")
	}
	return fake.Partners(2_500).Integrator(ctx, chain, id)
}

type stubQuoter struct{ do func() error }

func (s stubQuoter) Quote(context.Context, swap.Request) (*swap.Quote, error) { return nil, s.do() }
func (s stubQuoter) Check(swap.Draft) error                                   { return nil }

type problemLimits struct {
	Token              string
	Decimals           int
	Min, Max           string
	MinHuman, MaxHuman string
}

type problem struct {
	Type, Title, Detail, Instance, Param, RequestID, Error string
	Status                                                 int
	Code                                                   swap.Code
	Retryable                                              bool
	Limits                                                 *problemLimits
	Errors                                                 []struct {
		Code          swap.Code
		Param, Detail string
	}
}

// wantProblem checks what every problem has, and returns it.
func wantProblem(t *testing.T, w *httptest.ResponseRecorder, status int) (p problem) {
	t.Helper()
	if w.Code != status {
		t.Fatalf("status = %d, want %d: %s", w.Code, status, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil {
		t.Fatal(err)
	}
	if p.Status != status || p.Title == "" || p.Detail == "" || p.Detail != p.Error || p.Instance == "" ||
		!strings.HasPrefix(p.Type, "/errors#") || p.RequestID != w.Header().Get("X-Request-Id") {
		t.Errorf("problem = %+v, want status %d and every common field", p, status)
	}
	if ct := w.Header().Get("Content-Type"); ct != "application/problem+json" {
		t.Errorf("Content-Type = %s, want application/problem+json", ct)
	}
	return p
}

func TestMethodNotAllowed(t *testing.T) {
	s := newServer(t, api.Options{})
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest("POST", valid(), nil))
	wantProblem(t, w, http.StatusMethodNotAllowed)
	if got := w.Header().Get("Allow"); got != "GET, HEAD, OPTIONS" {
		t.Errorf("Allow = %s, want GET, HEAD, OPTIONS", got)
	}
}

func TestRateLimited(t *testing.T) {
	limiter, err := memory.New(ratelimit.Standard())
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, api.Options{Limiter: limiter})
	for i := range 30 {
		if w := get(s, valid()); w.Code != 200 {
			t.Fatalf("status of request %d = %d, want 200", i+1, w.Code)
		}
	}
	w := get(s, valid())
	p := wantProblem(t, w, 429)
	if p.Code != swap.RateLimited || !p.Retryable || w.Header().Get("Retry-After") == "" {
		t.Errorf("problem = %+v, headers = %v, want %s and Retry-After", p, w.Header(), swap.RateLimited)
	}
	for _, path := range []string{"/v1/quote", "/swap/v1/quote", "/v3/app/routers", "/v3/app/tokens", "/v3/app/routes"} {
		if w := get(s, path); w.Code != 429 {
			t.Errorf("status of %s = %d, want 429: all paths share a budget", path, w.Code)
		}
	}
	for _, path := range []string{"/v3/swap/healthcheck", "/openapi.json", "/errors", "/"} {
		if w := get(s, path); w.Code != 200 {
			t.Errorf("status of %s = %d, want 200: it is not limited", path, w.Code)
		}
	}
}

package client_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/client"
	"hubquote/internal/service"
	"hubquote/swap"
	"hubquote/test/fake"
	"hubquote/test/servicetest"
	"hubquote/test/zk"
)

// handler is that of the service, with a registry that has the partner.
func handler(t testing.TB) http.Handler {
	t.Helper()
	return servicetest.New(t, service.Options{Integrators: fake.Partners(partner.Rate), Limit: servicetest.Generous}).Handler()
}

func serve(t testing.TB, h http.Handler) string {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func newClient(t testing.TB, address string, options ...client.Option) *client.Client {
	t.Helper()
	c, err := client.New(address, options...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func request(t testing.TB, query string) swap.Request {
	t.Helper()
	r, err := client.ParseRequest(query)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const (
	alice    = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
	private  = zk.Alice
	outbound = "srcChain=369&srcToken=USDC&dstChain=8453&dstToken=USDC&amount=25500000&recipient=" + alice
	burn     = "srcChain=10&srcToken=USDC&dstChain=369&dstToken=USDC&amount=25500000&recipient=" + alice
	shields  = "srcChain=1&srcToken=USDT&dstChain=69696969&dstToken=USDC&amount=25500000&recipient=" + private
)

// The client accepts the answers of the real service, and asks for proofs.
func TestQuoteFromTheService(t *testing.T) {
	base := serve(t, handler(t))
	for _, e := range exchanges(t) {
		for _, address := range []string{base, base + "/", base + "/v3/swap"} {
			q, err := newClient(t, address, client.WithPins(partnerPins(t))).Quote(t.Context(), e.request)
			if err != nil {
				t.Fatalf("%s from %s: error = %v, want none", e.name, address, err)
			}
			if q.Route.Shields() != (q.Proof != nil) {
				t.Errorf("%s: shields = %t and proof = %v, want a proof if it shields", e.name, q.Route.Shields(), q.Proof)
			}
		}
	}
}

func TestNewRefusesOtherAddresses(t *testing.T) {
	for _, address := range []string{"", "quotes.example", "ftp://quotes.example", "https://", "https://quotes.example/?a=b", "https://quotes.example/#a", "http://%"} {
		if _, err := client.New(address); err == nil {
			t.Errorf("New(%q) = nil error, want one", address)
		}
	}
}

// Errors of the server come out as the errors of the vocabulary.
func TestRefusals(t *testing.T) {
	c := newClient(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "abc")
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusBadRequest)
		io.WriteString(w, `{"code":"AMOUNT_TOO_LOW","param":"amount","detail":"too \u001b[31mlittle",
			"limits":{"token":"USDC","decimals":6,"min":"10","max":"20"},
			"errors":[{"code":"AMOUNT_TOO_LOW","param":"amount","detail":"too \u001b[31mlittle","limits":{"token":"USDC","decimals":6,"min":"10","max":"20"}},
			          {"code":"RECIPIENT_ZERO","param":"recipient","detail":"zero"}]}`)
	})))
	_, err := c.Quote(t.Context(), request(t, outbound))
	refusal, ok := errors.AsType[*client.Refusal](err)
	if !ok || refusal.Status != 400 || refusal.RequestID != "abc" || refusal.RetryAfter != 0 {
		t.Fatalf("Quote: %#v, want a refusal with its status and request ID, and nothing to wait for", err)
	}
	many, ok := errors.AsType[swap.Errors](err)
	if !ok || len(many) != 2 || many[1].Code != swap.RecipientZero || swap.CodeOf(err) != swap.AmountTooLow {
		t.Fatalf("Quote: %v, want both errors", err)
	}
	if l := many[0].Limits; l == nil || l.Min.Dec() != "10" || l.Max.Dec() != "20" || many[0].Token.Symbol != "USDC" || many[0].Token.Decimals != 6 {
		t.Errorf("limits %v of %v, want 10 to 20 USDC", l, many[0].Token)
	}
	if strings.Contains(err.Error(), "\x1b") {
		t.Errorf("error = %q, want no control characters", err)
	}
}

// The rest of a problem document is read when a part is missing or wrong.
func TestIncompleteProblemDocuments(t *testing.T) {
	tests := []struct {
		name, body string
		code       swap.Code
		limits     bool
	}{
		{"one error without a list", `{"code":"AMOUNT_TOO_LOW","limits":{"token":"USDC","decimals":6,"min":"10","max":"20"}}`, swap.AmountTooLow, true},
		{"an error without limits", `{"code":"AMOUNT_TOO_LOW"}`, swap.AmountTooLow, false},
		{"a smallest amount that is none", `{"code":"AMOUNT_TOO_LOW","limits":{"min":"x","max":"20"}}`, swap.AmountTooLow, false},
		{"a largest amount that is none", `{"code":"AMOUNT_TOO_LOW","limits":{"min":"10","max":"x"}}`, swap.AmountTooLow, false},
		{"no code", `{"detail":"no"}`, swap.Internal, false},
		{"a code that is no text", `{"code":1}`, swap.Internal, false},
		{"errors that are no list", `{"code":"AMOUNT_TOO_LOW","errors":{}}`, swap.AmountTooLow, false},
		{"errors that are text", `{"code":"AMOUNT_TOO_LOW","errors":"abc"}`, swap.AmountTooLow, false},
		{"errors of null", `{"code":"AMOUNT_TOO_LOW","errors":null}`, swap.AmountTooLow, false},
		{"an empty list of errors", `{"code":"AMOUNT_TOO_LOW","errors":[]}`, swap.AmountTooLow, false},
		{"limits that are text", `{"code":"AMOUNT_TOO_LOW","limits":"10"}`, swap.AmountTooLow, false},
		{"no object", `[{"code":"AMOUNT_TOO_LOW"}]`, swap.Internal, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newClient(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, tt.body, http.StatusBadRequest) })))
			_, err := c.Quote(t.Context(), request(t, outbound))
			e, _ := errors.AsType[*swap.Error](err)
			if swap.CodeOf(err) != tt.code || (e != nil && e.Limits != nil) != tt.limits {
				t.Errorf("Quote: %v, want %s with limits %t", err, tt.code, tt.limits)
			}
		})
	}
}

// An answer of 64 KiB is read, and a larger one refused.
func TestAnswerSizeLimit(t *testing.T) {
	r := request(t, outbound)
	honest := plot(t, r, func(*scheme) {})
	for size, want := range map[int]bool{64 << 10: true, 64<<10 + 1: false} {
		padded := append(bytes.Repeat([]byte(" "), size-len(honest)), honest...)
		c := newClient(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.Write(padded) })))
		if _, err := c.Quote(t.Context(), r); (err == nil) != want {
			t.Errorf("an answer of %d bytes: %v, want it read: %t", size, err, want)
		}
	}
}

// Responses that are no quotes are refused, whatever sent them.
func TestAnswersThatAreNoQuotes(t *testing.T) {
	tests := []struct {
		name   string
		answer http.HandlerFunc
		says   string
	}{
		{"an error of something else", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<html>", http.StatusBadGateway) }, "ANSWER_STATUS: the server answers with status 502"},
		{"a redirect is not followed", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) }, "ANSWER_STATUS: the server answers with status 302"},
		{"an endless answer is not read", func(w http.ResponseWriter, _ *http.Request) {
			w.Write([]byte(strings.Repeat(" ", 70_000) + "{}"))
		}, "ANSWER_TOO_LARGE: the answer is no quote: it has more than 65536 bytes"},
		{"text that is no JSON", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") }, "ANSWER_NOT_JSON: the answer is no quote: it is not one well-formed JSON value"},
		{"JSON nested to exhaust a reader", func(w http.ResponseWriter, _ *http.Request) {
			io.WriteString(w, strings.Repeat(`{"a":`, 1000)+"1"+strings.Repeat("}", 1000))
		}, "ANSWER_NOT_JSON: the answer is no quote: it is nested deeper than 32 levels"},
		{"an answer cut short", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "{")
		}, "reading a quote"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := newClient(t, serve(t, tt.answer)).Quote(t.Context(), request(t, outbound))
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("Quote: %v, want one that says %q", err, tt.says)
			}
		})
	}
}

// A transport answers from memory, so that waiting costs no time.
type transport func(*http.Request) *http.Response

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r), r.Context().Err() }

// A request is retried only when the server says when, and only within the
// caller's patience.
func TestPatience(t *testing.T) {
	tests := []struct {
		name       string
		status     int
		retryAfter string
		patience   time.Duration
		asks       int
		waits      time.Duration
	}{
		{"without patience nothing is sent twice", 429, "10", 0, 1, 0},
		{"too many requests", 429, "10", time.Minute, 3, 20 * time.Second},
		{"unavailable", 503, "5", time.Minute, 3, 10 * time.Second},
		{"patience ends", 429, "10", 15 * time.Second, 2, 10 * time.Second},
		{"exactly as long as patience", 429, "30", time.Minute, 3, time.Minute},
		{"longer than patience", 429, "61", time.Minute, 1, 0},
		{"at once is not a time", 429, "0", time.Minute, 1, 0},
		{"the server does not say when", 503, "", time.Minute, 1, 0},
		{"the server names a date", 503, "Fri, 31 Dec 1999 23:59:59 GMT", time.Minute, 1, 0},
		{"other errors are not retried", 400, "1", time.Minute, 1, 0},
		{"nor is an internal error", 500, "1", time.Minute, 1, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := handler(t)
				asks, start := 0, time.Now()
				h := &http.Client{Transport: transport(func(r *http.Request) *http.Response {
					w := httptest.NewRecorder()
					if asks++; asks < 3 {
						w.Header().Set("Retry-After", tt.retryAfter)
						w.WriteHeader(tt.status)
					} else {
						server.ServeHTTP(w, httptest.NewRequest("GET", r.URL.String(), nil))
					}
					return w.Result()
				})}
				c := newClient(t, "http://quotes.example", client.WithHTTPClient(h), client.WithPatience(tt.patience))
				_, err := c.Quote(t.Context(), request(t, outbound))
				if (err == nil) != (tt.asks == 3) || asks != tt.asks || time.Since(start) != tt.waits {
					t.Errorf("asked %d times in %v: %v; want %d in %v", asks, time.Since(start), err, tt.asks, tt.waits)
				}
			})
		})
	}
}

// A request that the pins refuse is not sent.
func TestRefusedRequestsAreNotSent(t *testing.T) {
	tests := []struct {
		name, query string
		code        swap.Code
	}{
		{"no such pair", strings.Replace(outbound, "dstChain=8453", "dstChain=4663", 1), swap.PairUnsupported},
		{"too little", strings.Replace(outbound, "25500000", "9999999", 1), swap.AmountTooLow},
		{"too much", strings.Replace(outbound, "25500000", "25000000001", 1), swap.AmountTooHigh},
		{"an EVM address in a privacy pool", strings.Replace(shields, private, alice, 1), swap.RecipientMismatch},
		{"a 0zk address in public", strings.Replace(outbound, alice, private, 1), swap.RecipientMismatch},
		{"a 0zk address for another network", strings.Replace(shields, private, privateOn56, 1), swap.ZKChain},
	}
	c := newClient(t, serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request was sent, want none") })))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := c.Quote(t.Context(), request(t, tt.query)); swap.CodeOf(err) != tt.code {
				t.Errorf("Quote: %v, want %s", err, tt.code)
			}
		})
	}
}

const privateOn56 = zk.AliceOn56

// A recipient is checked when it is parsed, with the codes of the server.
func TestParseRequestRefusesRecipients(t *testing.T) {
	for text, want := range map[string]swap.Code{
		"0zk1qyk8" + private[8:]:                     swap.ZKChecksum,
		"0x0000000000000000000000000000000000000000": swap.RecipientZero,
	} {
		r, err := client.ParseRequest(strings.Replace(outbound, alice, text, 1))
		if swap.CodeOf(err) != want {
			t.Errorf("ParseRequest to %s = %v, %v, want %s", text, r, err, want)
		}
	}
}

func TestParseRequestRefuses(t *testing.T) {
	for _, query := range []string{
		"", outbound + "&amount=1", outbound + "&integratorId=1", outbound + "&%zz",
		strings.Replace(outbound, "srcChain=369", "srcChain=0369", 1),
		strings.Replace(outbound, "srcToken=USDC", "srcToken=", 1),
		strings.Replace(outbound, "amount=2", "amount=-2", 1),
		strings.Replace(outbound, alice, strings.Replace(alice, "C8", "c8", 1), 1),
	} {
		if r, err := client.ParseRequest(query); err == nil {
			t.Errorf("ParseRequest(%q) = %v, want an error", query, r)
		}
	}
}

func TestParseRequestIsTheInverseOfQueryOf(t *testing.T) {
	for _, e := range exchanges(t) {
		got := request(t, "http://quotes.example/v3/swap/quote?"+client.QueryOf(e.request).Encode())
		if got != e.request {
			t.Errorf("%s: %v, want %v", e.name, got, e.request)
		}
	}
}

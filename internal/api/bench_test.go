package api_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hubquote/internal/api"
)

// BenchmarkServe measures the handler from the parsed request to the last byte
// of the answer, one quote of each kind.
func BenchmarkServe(b *testing.B) {
	s := newServer(b, api.Options{})
	for _, bm := range []struct{ name, target string }{
		{"direct", valid()},
		{"native", valid("srcToken", "ETH", "dstToken", "WETH", "amount", "1000000000000000000")},
		{"cctp", valid("srcChain", "10")},
		{"shield", shielding(private)},
		{"v1", "/v1/quote?" + valid()[len("/v3/swap/quote?"):]},
		{"revision 1", valid("revision", "1")},
		{"problem", valid("amount", "1")},
		{"8 KiB of one name", "/v3/swap/quote?" + strings.Repeat("amount=1&", 900)},
		{"8 KiB of escapes", "/v3/swap/quote?" + strings.Repeat("%61mount=%31&", 600)},
		{"8 KiB of nothing", "/v3/swap/quote?" + strings.Repeat("&", 8100)},
		{"8 KiB of digits", "/v3/swap/quote?amount=" + strings.Repeat("9", 8100)},
	} {
		b.Run(bm.name, func(b *testing.B) {
			r := httptest.NewRequest("GET", bm.target, nil)
			b.ReportAllocs()
			for b.Loop() {
				w := sink{http.Header{}}
				s.ServeHTTP(w, r)
			}
		})
	}
}

// A sink drops the response.
type sink struct{ header http.Header }

func (s sink) Header() http.Header         { return s.header }
func (s sink) Write(b []byte) (int, error) { return len(b), nil }
func (s sink) WriteHeader(int)             {}

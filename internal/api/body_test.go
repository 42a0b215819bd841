package api_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"hubquote/internal/api"
)

// A request with a body is refused, and what follows it on the connection is not
// read as a request.
func TestRequestsWithABodyAreClosed(t *testing.T) {
	const second = "GET /v3/swap/healthcheck HTTP/1.1\r\nHost: t\r\n\r\n"
	tests := []struct {
		name, request string
		want          int
	}{
		{"GET with a length", "GET %s HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhello", 400},
		{"GET with chunks", "GET %s HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
		{"GET with both", "GET %s HTTP/1.1\r\nHost: t\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
		{"HEAD with a length", "HEAD %s HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhello", 400},
		{"POST", "POST %s HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhello", 405},
		{"OPTIONS", "OPTIONS %s HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhello", 204},
	}
	srv := httptest.NewServer(newServer(t, api.Options{}))
	defer srv.Close()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			conn, err := net.Dial("tcp", srv.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprintf(conn, tt.request+second, valid())
			r := bufio.NewReader(conn)
			method, _, _ := strings.Cut(tt.request, " ")
			resp, err := http.ReadResponse(r, &http.Request{Method: method})
			if err != nil {
				t.Fatal(err)
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			rest, _ := io.ReadAll(r)
			if resp.StatusCode != tt.want || !resp.Close || len(rest) > 0 {
				t.Errorf("status = %d, closing: %t, then %q; want %d, true and nothing", resp.StatusCode, resp.Close, rest, tt.want)
			}
			if resp.Header.Get("X-Request-Id") == "" || resp.Header.Get("Access-Control-Allow-Origin") != "*" {
				t.Errorf("headers = %v, want those of every answer", resp.Header)
			}
		})
	}
}

// Requests that net/http could answer itself have the headers of every answer.
func TestRequestsWithoutAPath(t *testing.T) {
	for target, want := range map[string]int{"OPTIONS *": 204, "CONNECT host:443": 405} {
		method, uri, _ := strings.Cut(target, " ")
		r := httptest.NewRequest(method, "/", nil)
		r.RequestURI, r.URL.Path, r.URL.Host = uri, "", uri
		w := httptest.NewRecorder()
		newServer(t, api.Options{}).ServeHTTP(w, r)
		if w.Code != want || w.Header().Get("X-Request-Id") == "" {
			t.Errorf("%s = %d with %v, want %d and the headers of every answer", target, w.Code, w.Header(), want)
		}
	}
}

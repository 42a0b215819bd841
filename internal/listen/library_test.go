package listen

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
)

// What is not a request of HTTP/1.x is answered by net/http, without the headers of
// the handler. The manual lists the statuses.
func TestAnswersOfTheLibrary(t *testing.T) {
	tests := []struct {
		name, request string
		want          int
	}{
		{"not a request", "hello\r\n\r\n", 400},
		{"no host", "GET / HTTP/1.1\r\n\r\n", 400},
		{"two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
		{"two lengths", "GET / HTTP/1.1\r\nHost: t\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
		{"a large header", "GET / HTTP/1.1\r\nHost: t\r\nX: " + strings.Repeat("a", 32<<10) + "\r\n\r\n", 431},
		{"an unknown expectation", "GET / HTTP/1.1\r\nHost: t\r\nExpect: money\r\n\r\n", 417},
		{"an unknown encoding", "GET / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
		{"another version", "GET / HTTP/3.0\r\nHost: t\r\n\r\n", 505},
	}
	manual, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	const listed = "(400, 431, 501, 505), or expects what it does not know (417), is answered by the HTTP library"
	if !strings.Contains(string(manual), listed) {
		t.Errorf("docs/operating.md does not say %q, want it to", listed)
	}
	address := serveMarked(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp := respond(t, address, tt.request)
			if resp.StatusCode != tt.want || resp.Header.Get(mark) != "" || !resp.Close {
				t.Errorf("answer = %d with %v, closing: %t, want %d without %s, closing", resp.StatusCode, resp.Header, resp.Close, tt.want, mark)
			}
		})
	}
	for _, request := range []string{"GET /a HTTP/1.0\r\n\r\n", "TRACE / HTTP/1.1\r\nHost: t\r\n\r\n", "CONNECT t:1 HTTP/1.1\r\nHost: t:1\r\n\r\n"} {
		if resp := respond(t, address, request); resp.Header.Get(mark) == "" {
			t.Errorf("answer to %q = %d with %v, want the handler's", request, resp.StatusCode, resp.Header)
		}
	}
}

// mark is a header of the handler.
const mark = "X-Request-Id"

func serveMarked(t *testing.T) (address string) {
	t.Helper()
	list := Servers{{Name: "public", Address: "127.0.0.1:0", HTTP: Public(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set(mark, "1")
	}), quiet)}}
	if err := list.Open(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(list.Close)
	go list[0].HTTP.Serve(list[0].listener)
	return list[0].Addr().String()
}

// respond sends a text and reads one answer.
func respond(t *testing.T, address, text string) *http.Response {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, text)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp
}

package client_test

import (
	"errors"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"hubquote/client"
	"hubquote/internal/pinfile"
)

// serveRaw answers one connection with these bytes.
func serveRaw(t *testing.T, answer string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			c.Read(make([]byte, 1<<16))
			io.WriteString(c, answer)
			c.Close()
		}
	}()
	return "http://" + l.Addr().String()
}

// An error of the transport prints safely, and without the recipient.
func TestTransportErrorsArePrintable(t *testing.T) {
	evil := "\x1b]0;x\x07\x1b[2J\x1b[32mproved: sign" + strings.Repeat("k", 500)
	for name, answer := range map[string]string{
		"a header":  "HTTP/1.1 200 OK\r\n" + evil + "\r\n\r\n{}",
		"a status":  evil + "\r\n\r\n",
		"a chunk":   "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + evil + "\r\n{}\r\n0\r\n\r\n",
		"a trailer": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n2\r\n{}\r\n0\r\n" + evil + "\r\n\r\n",
		"an end":    "HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n{}",
		"nothing":   "",
	} {
		t.Run(name, func(t *testing.T) {
			c, err := client.New(serveRaw(t, answer), client.WithPins(newPins(t, pinfile.Allowances{})))
			if err != nil {
				t.Fatal(err)
			}
			r := request(t, outbound)
			_, err = c.Quote(t.Context(), r)
			if err == nil {
				t.Fatal("Quote succeeds, want an error")
			}
			said := err.Error()
			if strings.Contains(said, r.Recipient.String()) || strings.Contains(said, strings.Repeat("k", 81)) || strings.ContainsFunc(said, func(r rune) bool { return !strconv.IsPrint(r) }) {
				t.Errorf("Quote: %q, want printable text without the recipient", said)
			}
			if u, ok := errors.AsType[*url.Error](err); ok && strings.Contains(u.URL, "?") {
				t.Errorf("the error has the address %s, want it without the query", u.URL)
			}
		})
	}
}

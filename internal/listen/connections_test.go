package listen

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// A client that sends a header that is too large can read the answer 431, although
// the server does not read the whole header: it closes one direction first.
func TestOversizedHeaderIsAnswered(t *testing.T) {
	list := Servers{{Name: "public", Address: "127.0.0.1:0", MaxConnections: 1, HTTP: Public(http.NotFoundHandler(), quiet)}}
	if err := list.Open(); err != nil {
		t.Fatal(err)
	}
	defer list.Close()
	go list[0].HTTP.Serve(list[0].listener)
	conn, err := net.Dial("tcp", list[0].Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: test\r\nX-Padding: "+strings.Repeat("a", 200<<10)+"\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusRequestHeaderFieldsTooLarge || err != nil {
		t.Errorf("status = %d (%s), error %v; want %d", resp.StatusCode, body, err, http.StatusRequestHeaderFieldsTooLarge)
	}
}

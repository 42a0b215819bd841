package listen

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"testing"
)

// OPTIONS * gets to the handler, which sets the headers of every answer.
func TestGeneralOptionsAreHandled(t *testing.T) {
	list := Servers{{Name: "public", Address: "127.0.0.1:0", HTTP: Public(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
	}), quiet)}}
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
	fmt.Fprint(conn, "OPTIONS * HTTP/1.1\r\nHost: test\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || resp.StatusCode != http.StatusTeapot {
		t.Errorf("response = %v, %v, want that of the handler", resp, err)
	}
}

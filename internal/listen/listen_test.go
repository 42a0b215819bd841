package listen

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

var quiet = slog.New(slog.DiscardHandler)

// Requests in progress are finished before Run returns, and no goroutine is left.
func TestRunFinishesRequests(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	entered, open, drained := make(chan struct{}), make(chan struct{}), make(chan struct{})
	list := Servers{{Name: "public", Address: "127.0.0.1:0", HTTP: &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(entered)
			<-open
			_, _ = io.WriteString(w, "whole")
		}),
	}}}
	if err := list.Open(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended, body, address := make(chan error), make(chan string), list[0].Addr().String()
	go func() { ended <- list.Run(ctx, Drain{Begin: func() { close(drained) }}, quiet) }()
	go func() { body <- bodyAt("http://" + address) }()
	<-entered
	stop()
	<-drained
	for accepts(address) {
		time.Sleep(10 * time.Millisecond)
	}
	close(open)
	if got := <-body; got != "whole" {
		t.Errorf("body of the request in progress = %q, want %q", got, "whole")
	}
	if err := <-ended; err != nil {
		t.Errorf("Run = %v, want nil", err)
	}
}

func accepts(address string) bool {
	conn, err := net.Dial("tcp", address)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

// A client that does not read its answer is disconnected before the shutdown
// times out, so that it does not turn a clean stop into a failure. net/http polls
// its connections every half second.
func TestUnreadAnswerEndsBeforeShutdown(t *testing.T) {
	s := Public(nil, quiet)
	if held := s.WriteTimeout + s.ReadTimeout/2; s.WriteTimeout == 0 || ShutdownTimeout <= held {
		t.Errorf("a client may hold a request for %v, want less than ShutdownTimeout, %v", held, ShutdownTimeout)
	}
}

// An address that is in use is reported before any request is served, and the
// other addresses are closed again.
func TestOpenAllOrNone(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	list := Servers{
		{Name: "public", Address: "127.0.0.1:0", HTTP: Public(nil, quiet)},
		{Name: "admin", Address: busy.Addr().String(), HTTP: Admin(http.NotFoundHandler(), quiet)},
	}
	if err := list.Open(); err == nil || !strings.HasPrefix(err.Error(), "admin address: ") {
		t.Errorf("Open = %v, want an error about the admin address", err)
	}
	if accepts(list[0].Addr().String()) {
		t.Error("the public address is still open; want it closed")
	}
}

func bodyAt(url string) string {
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(url)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	return string(body)
}

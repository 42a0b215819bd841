package main

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/goleak"

	"hubquote/swap"
	"hubquote/test/fake"
)

// drains waits for the health check to tell load balancers to go elsewhere.
func drains(t *testing.T, p *program) {
	t.Helper()
	fake.Eventually(t, "draining", func() bool {
		h, status := p.health()
		return h.Status == "draining" && status == 503
	})
}

// The first signal makes the program say that it drains, and go on; the second
// ends it at once.
func TestTwoSignals(t *testing.T) {
	t.Parallel()
	p := launch(t, "--drain-delay", "1h")
	p.signal(syscall.SIGINT)
	drains(t, p)
	p.quotesDirect()
	p.signal(syscall.SIGTERM)
	<-p.process.Exited
	if status := p.process.Cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGTERM {
		t.Errorf("ended with %v", p.process.Cmd.ProcessState)
	}
}

// A request that waits for a registry when the signal comes is answered, and
// then the program ends well.
func TestSignalLeavesRequestsTheirTime(t *testing.T) {
	t.Parallel()
	hub, asked, open := newNode(t, 369), make(chan struct{}, 8), make(chan struct{})
	hub.answer(func(w http.ResponseWriter, r *http.Request) {
		asked <- struct{}{}
		<-open
		says(`{"jsonrpc":"2.0","id":1,"result":null}`)(w, r)
	})
	p := launch(t, append(rpc(hub), "--drain-delay", "0s")...)
	answered := make(chan answer)
	go func() { answered <- p.get(quotePath(laneTo(369).query, partner)) }()
	<-asked
	p.signal(syscall.SIGTERM)
	fake.Eventually(t, "no new connection is taken", func() bool { return refusesConnections(p.public) })
	close(open)
	p.isRefused(<-answered, 503, swap.RegistryUnavailable)
	<-p.process.Exited
	if code := p.process.Cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d; the program said:\n%s", code, p.heard())
	}
}

func refusesConnections(base string) bool {
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err == nil {
		_ = conn.Close()
	}
	return err != nil
}

// The same without a registry's deadline: however long a request takes, within
// reason, it is finished before the program ends, and nothing is left behind.
func TestShutdownWaits(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	entered, open, drained := make(chan struct{}), make(chan struct{}), make(chan struct{})
	e := &endpoint{name: "public", address: "127.0.0.1:0", server: &http.Server{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			close(entered)
			<-open
			_, _ = io.WriteString(w, "whole")
		}),
	}}
	if err := listen([]*endpoint{e}); err != nil {
		t.Fatal(err)
	}
	ended, body, base := make(chan error), make(chan string), "http://"+e.listener.Addr().String()
	go func() {
		ended <- serveUntilSignal([]*endpoint{e}, func() { close(drained) }, 0, slog.New(slog.DiscardHandler))
	}()
	go func() { body <- bodyAt(base) }()
	<-entered
	if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-drained
	fake.Eventually(t, "no new connection is taken", func() bool { return refusesConnections(base) })
	close(open)
	if got := <-body; got != "whole" {
		t.Errorf("the request under way got %q", got)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// A client that does not read its answer is cut off before the program stops
// waiting for it: it must not turn a clean stop into a failure. net/http looks
// every half second whether its connections are done.
func TestUnreadAnswersDoNotSpoilTheShutdown(t *testing.T) {
	s := publicServer(nil, slog.New(slog.DiscardHandler))
	if cut := s.WriteTimeout + s.ReadTimeout/2; s.WriteTimeout == 0 || shutdownTime <= cut {
		t.Errorf("a client may hold a request for %v, and the shutdown waits %v", s.WriteTimeout, shutdownTime)
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

// freeAddress returns one that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

package main

import (
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

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

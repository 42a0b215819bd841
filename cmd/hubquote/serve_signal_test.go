package main

import (
	"net"
	"strings"
	"syscall"
	"testing"

	"hubquote/swap"
	"hubquote/test/fake"
)

// drains waits until the health check is draining.
func drains(t *testing.T, p *program) {
	t.Helper()
	fake.Eventually(t, "draining", func() bool {
		h, status := p.health()
		return h.Status == "draining" && status == 503
	})
}

// After the first signal the program drains and still serves; the second ends it at
// once.
func TestTwoSignals(t *testing.T) {
	t.Parallel()
	p := launch(t, "--drain-delay", "1h")
	p.signal(syscall.SIGINT)
	drains(t, p)
	p.quotesDirect()
	p.signal(syscall.SIGTERM)
	<-p.process.Exited
	if status := p.process.Cmd.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGTERM {
		t.Errorf("process ended with %v, want %v", p.process.Cmd.ProcessState, syscall.SIGTERM)
	}
}

// A request that waits for a registry when the signal comes is answered. Then the
// program exits with 0.
func TestRequestsAreFinishedAfterASignal(t *testing.T) {
	t.Parallel()
	hub, asked, open := newNode(t, 369), make(chan struct{}, 8), make(chan struct{})
	hub.Entry = func(uint64, swap.IntegratorID) string {
		asked <- struct{}{}
		<-open
		return "0x" // no contract
	}
	p := launch(t, append(rpc(hub), "--drain-delay", "0s")...)
	answered := make(chan answer)
	go func() { answered <- p.get(quotePath(laneTo(369).query, partner)) }()
	<-asked
	p.signal(syscall.SIGTERM)
	fake.Eventually(t, "new connections are refused", func() bool { return refusesConnections(p.public) })
	close(open)
	p.isRefused(<-answered, 503, swap.RegistryUnavailable)
	<-p.process.Exited
	if code := p.process.Cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code = %d, want 0; output:\n%s", code, p.output())
	}
}

func refusesConnections(base string) bool {
	conn, err := net.Dial("tcp", strings.TrimPrefix(base, "http://"))
	if err == nil {
		_ = conn.Close()
	}
	return err != nil
}

package main

import (
	"bufio"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"
	"time"

	"hubquote/test/fake"
)

// launchPiped starts the program with a pipe for its log. The log is read only
// until the program serves; the caller decides what the reader does then.
func launchPiped(t *testing.T, args ...string) (p *program, log *os.File) {
	t.Helper()
	log, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	p = newProgram(t, args...)
	cmd := exec.Command("hubquote", p.args...)
	cmd.Stderr = w
	if p.process, err = fake.Start(cmd, nil); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.end)
	_ = w.Close()
	go func() {
		lines := bufio.NewReaderSize(log, 16)
		for !isReady(p) {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			p.read(line)
		}
	}()
	p.await(p.ready)
	return p, log
}

func isReady(p *program) bool {
	select {
	case <-p.ready:
		return true
	default:
		return false
	}
}

// failMany sends requests that are logged, more than a pipe holds.
func failMany(t *testing.T, p *program) {
	t.Helper()
	for range 3000 {
		if a := p.get("/nothing"); a.status != http.StatusNotFound {
			t.Fatalf("status of a request that is logged = %d (%s), want 404", a.status, a.Code)
		}
	}
}

// A client must not be able to end the program by a request that is logged when
// the reader of the log is gone.
func TestLogReaderThatIsGone(t *testing.T) {
	t.Parallel()
	p, log := launchPiped(t)
	_ = log.Close()
	for range 3 {
		p.isRefused(p.get(quotePath(laneTo(369).query, partner)), 503, "REGISTRY_UNAVAILABLE")
	}
	p.quotesDirect()
	p.signal(syscall.SIGTERM)
	p.endsWell()
}

// A reader that stalls delays no request and no shutdown.
func TestLogReaderThatStalls(t *testing.T) {
	t.Parallel()
	p, _ := launchPiped(t)
	failMany(t, p)
	p.quotesDirect()
	p.signal(syscall.SIGTERM)
	p.endsWell()
}

func TestHangUpDrains(t *testing.T) {
	t.Parallel()
	// Under nohup the tests would hand an ignored signal down to the program.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	p := launch(t, "--drain-delay", "1s")
	p.signal(syscall.SIGHUP)
	drains(t, p)
	p.quotesDirect()
	p.endsWell()
}

// endsWell waits for the exit, whose code must be zero.
func (p *program) endsWell() {
	p.t.Helper()
	select {
	case <-p.process.Exited:
	case <-time.After(time.Minute):
		p.t.Fatal("the program runs a minute after the signal, want it ended")
	}
	if state := p.process.Cmd.ProcessState; state.ExitCode() != 0 {
		p.t.Errorf("the program ended with %v, want exit code 0; output:\n%s", state, p.output())
	}
}

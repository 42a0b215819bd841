package main

import (
	"net/http"
	"os/exec"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"hubquote/swap"
	"hubquote/test/fake"
)

// hiddenHosts are flags of upstreams whose host does not exist and has the secret in
// its name. The errors of the resolver contain the name.
var hiddenHosts = []string{
	"--rpc", "369=http://" + canary + ".invalid/",
	"--issuer", "https://" + canary + ".invalid/",
	"--redis", "redis://" + canary + ".invalid:6379/",
}

func TestSecretsInHostNames(t *testing.T) {
	t.Parallel()
	p := launch(t, hiddenHosts...)
	p.quotesDirect()
	p.refuses(laneTo(369).query, partner, 503, swap.RegistryUnavailable)
	p.refuses(burn, "", 503, swap.IssuerFeeUnavailable)
	p.readDiagnostics()
	// SIGQUIT prints the stacks of all goroutines.
	p.signal(syscall.SIGQUIT)
	<-p.process.Exited
}

// runCheck returns the output of hubquote serve --check, and its exit code.
func runCheck(t *testing.T, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command("hubquote", append([]string{"serve", "--check"}, args...)...)
	out, _ := cmd.CombinedOutput()
	hidesSecrets(t, string(out))
	return string(out), cmd.ProcessState.ExitCode()
}

func TestCheckSendsNoRequests(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	upstream := fake.Serve(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	out, code := runCheck(t, "--rpc", "369="+urlOf(upstream), "--issuer", urlOf(upstream))
	if code != 0 || asked.Load() != 0 {
		t.Errorf("exit code = %d after %d requests, want 0 after 0\n%s", code, asked.Load(), out)
	}
}

func TestCheckUpstreams(t *testing.T) {
	hub, issuer, redis := newNode(t, 369), fake.Serve(t, fake.NewIssuer(fake.Flat("1"))), newRedis(t)
	upstreams := []struct {
		name string
		args []string
		kill func()
	}{
		{"registry", rpc(hub), hub.Down},
		{"issuer", []string{"--issuer", urlOf(issuer)}, issuer.Down},
		{"redis", []string{"--redis", redis.url()}, redis.Kill},
	}
	for _, u := range upstreams {
		t.Run(u.name, func(t *testing.T) {
			t.Parallel()
			args := append(u.args, "--check-upstreams")
			// A busy machine may make an upstream look slow.
			fake.Eventually(t, "the upstream is up", func() bool { _, code := runCheck(t, args...); return code == 0 })
			u.kill()
			if out, code := runCheck(t, args...); code != 1 || !strings.Contains(out, "down") {
				t.Errorf("exit code with the upstream down = %d, want 1 and a check that is down\n%s", code, out)
			}
		})
	}
	t.Run("hosts that do not exist", func(t *testing.T) {
		t.Parallel()
		if out, code := runCheck(t, append(hiddenHosts, "--check-upstreams")...); code != 1 {
			t.Errorf("exit code = %d, want 1\n%s", code, out)
		}
	})
}

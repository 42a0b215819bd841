package main

import (
	"regexp"
	"strings"
	"testing"

	"hubquote/internal/contract"
	"hubquote/test/fake"
)

// The comparison of catalog and chain is a table of everything, and a difference
// in it is a failure.
func TestCheckUpstreamsComparesTheContracts(t *testing.T) {
	t.Parallel()
	hub := newNode(t, 369)
	args := append(rpc(hub), "--check-upstreams")
	var out string
	// A busy machine may make the node look slow.
	fake.Eventually(t, "all is as the catalog says", func() (ok bool) {
		var code int
		out, code = runCheck(t, args...)
		return code == 0
	})
	for _, want := range []string{`(?m)^369 +USDC@369 +code +Pool +Pool *$`, `(?m)^369 +USDC@369 +rate to USDC@1 +5000 +5000 *$`, `(?m)^369 +USDC@369 +relayer +true +true *$`} {
		if !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("the table has no row %s:\n%s", want, out)
		}
	}
	leg := hub.Pools.Leg("USDC@369", "USDC@1")
	hub.Pools.Change(leg.From, func(s *contract.Snapshot) {
		leg.Destination(s).Rate = 5_001
		s.PaymentsPaused = true
	})
	var code int
	fake.Eventually(t, "two differences", func() bool {
		out, code = runCheck(t, args...)
		return strings.Contains(out, "2 of these differ:")
	})
	for _, want := range []string{`(?m)^369 +USDC@369 +rate to USDC@1 +5000 +5001 +differs, and is not quoted$`, `(?m)^369 +USDC@369 +payments paused +false +true +differs$`, `(?m)^2 of these differ:$`} {
		if code != 1 || !regexp.MustCompile(want).MatchString(out) {
			t.Errorf("exit code %d, want 1 and a row %s:\n%s", code, want, out)
		}
	}
	if !strings.Contains(out, "the contracts on chain are not as the catalog says") {
		t.Errorf("output = %s, want that the contracts are not as the catalog says", out)
	}
}

// A pool that is seen to be paused is refused by the running program, and served
// again when it is not; other routes are served all the time.
func TestProgramRefusesWhatIsNotPaid(t *testing.T) {
	t.Parallel()
	hub := newNode(t, 369)
	leg := hub.Pools.Leg("USDC@1", "USDC@369")
	hub.Pools.Change(leg.To, func(s *contract.Snapshot) { s.PaymentsPaused = true })
	p := launch(t, rpc(hub)...)
	inbound := quotePath("srcChain=1&srcToken=USDC&dstChain=369&dstToken=USDC&amount=100000000", "")
	outbound := quotePath("srcChain=369&srcToken=USDC&dstChain=1&dstToken=USDC&amount=100000000", "")
	fake.Eventually(t, "the inbound route is refused", func() bool {
		a := p.get(inbound)
		return a.status == 503 && strings.Contains(string(a.body), "POOL_PAUSED")
	})
	if a := p.get(outbound); a.status != 200 {
		t.Errorf("status of the outbound route = %d, want 200: %s", a.status, a.body)
	}
	hub.Pools.Change(leg.To, func(s *contract.Snapshot) { s.PaymentsPaused = false })
	fake.Eventually(t, "the inbound route is served again", func() bool { return p.get(inbound).status == 200 })
}

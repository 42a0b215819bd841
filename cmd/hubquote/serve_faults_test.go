package main

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hubquote/swap"
	"hubquote/test/fake"
)

func TestIntegrators(t *testing.T) {
	t.Parallel()
	var nodes []*node
	for _, l := range lanes {
		nodes = append(nodes, newNode(t, l.registry))
	}
	p := launch(t, rpc(nodes...)...)
	for _, l := range lanes {
		p.quotes(l, partner)
		p.refuses(l.query, retired, 400, swap.IntegratorInactive)
		p.refuses(l.query, stranger, 400, swap.IntegratorUnknown)
	}

	nodes[0].Down()
	p.refuses(lanes[0].query, partner2, 503, swap.RegistryUnavailable)
	for _, l := range lanes[1:] {
		p.quotes(l, partner2)
	}
	p.quotesDirect()
	degraded(t, p)
}

func TestIntegratorsWithoutRPC(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, rpc(newNode(t, 369))} {
		p := launch(t, args...)
		p.refuses(laneTo(56).query, partner, 503, swap.RegistryUnavailable)
		p.quotesDirect()
		fake.Eventually(t, "the pools of the chain with an endpoint are seen", func() bool {
			h, _ := p.health()
			return h.Status == "ok"
		})
		if h, status := p.health(); h.Status != "ok" || status != 200 || p.check("registry 56") != "off" {
			t.Errorf("health = %d %+v, want 200, ok and registry 56 off", status, h)
		}
	}
}

// On a busy machine the one lookup may fail for all requests that wait for it. Then
// the next partner is tried.
func TestManyRequestsCauseOneLookup(t *testing.T) {
	t.Parallel()
	hub := newNode(t, 369)
	p := launch(t, rpc(hub)...)
	attempt := 0
	fake.Eventually(t, "1,000 quotes", func() bool {
		attempt++
		before := hub.Calls(fake.Lookup)
		failed := p.quotesAtOnce(1000, laneTo(369), fmt.Sprintf("%s%02x", partners, attempt))
		if got := hub.Calls(fake.Lookup) - before; failed == 0 && got != 1 {
			t.Fatalf("%d lookups for 1,000 requests, want 1", got)
		}
		return failed == 0
	})
}

// quotesAtOnce sends n requests in parallel, and returns how many were refused.
func (p *program) quotesAtOnce(n int, l lane, id string) int64 {
	var all sync.WaitGroup
	var failed atomic.Int64
	for range n {
		all.Go(func() {
			switch a := p.get(quotePath(l.query, id)); a.status {
			case 200:
				p.hasFee(a, l, id)
			case 503:
				failed.Add(1)
			default:
				p.t.Errorf("status = %d %s, want 200 or 503", a.status, a.Code)
			}
		})
	}
	all.Wait()
	return failed.Load()
}

// says returns a handler with one answer.
func says(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }
}

const html = `<!doctype html><title>Sign in to get your ` + canary + `</title>`

// floods writes until the client closes the connection.
func floods(w http.ResponseWriter, _ *http.Request) {
	for err := error(nil); err == nil; {
		_, err = io.WriteString(w, strings.Repeat("[", 1<<16))
	}
}

func redirects(w http.ResponseWriter, r *http.Request) {
	http.Redirect(w, r, "http://169.254.169.254/"+canary, http.StatusTemporaryRedirect)
}

// With every fault of a registry, a quote with an integrator is correct or refused,
// other chains are not affected, and quotes without an integrator succeed.
func TestRegistryFaults(t *testing.T) {
	faults := []struct {
		name  string
		cause func(*node)
	}{
		{"down", func(n *node) { n.Down() }},
		{"slow", func(n *node) { n.Mute() }},
		{"cut in the middle", func(n *node) { n.Cut() }},
		{"wrong chain", func(n *node) { n.Chain = 5 }},
		{"stale block", func(n *node) { n.Behind = time.Hour }},
		{"no contract", func(n *node) { n.Entry = func(uint64, swap.IntegratorID) string { return "0x" } }},
		{"null result", func(n *node) { n.answer(says(`{"jsonrpc":"2.0","id":1,"result":null}`)) }},
		{"error that names the key", func(n *node) {
			n.answer(says(`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"` + canary + `"}}`))
		}},
		{"HTML", func(n *node) { n.answer(says(html)) }},
		{"huge body", func(n *node) { n.answer(floods) }},
		{"redirect", func(n *node) { n.answer(redirects) }},
	}
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			only, one, two := newNode(t, 56), trio(t, 369), trio(t, 1)
			for _, n := range []*node{only, one[1], two[0], two[2]} {
				f.cause(n)
			}
			nodes := slices.Concat(one, two, []*node{only, newNode(t, 8453), newNode(t, 4663)})
			p := launch(t, rpc(nodes...)...)
			p.refuses(laneTo(56).query, partner, 503, swap.RegistryUnavailable)
			p.refuses(laneTo(1).query, partner, 503, swap.RegistryUnavailable)
			for _, chain := range []swap.ChainID{369, 8453, 4663} {
				p.quotes(laneTo(chain), partner)
			}
			p.quotesDirect()
			degraded(t, p)
			p.readDiagnostics()
		})
	}
}

// One wrong answer of three is outvoted; with three different answers the quote is
// refused.
func TestRegistriesThatDisagree(t *testing.T) {
	t.Parallel()
	one, all := trio(t, 369), trio(t, 1)
	one[0].rate = 9_000
	all[0].rate, all[2].rate = 3_000, 4_000
	p := launch(t, rpc(slices.Concat(one, all)...)...)
	p.quotes(laneTo(369), partner)
	p.refuses(laneTo(1).query, partner, 503, swap.RegistryUnavailable)
	p.quotesDirect()
}

// trio returns three nodes of a chain, of which two must agree.
func trio(t *testing.T, chain swap.ChainID) []*node {
	return []*node{newNode(t, chain), newNode(t, chain), newNode(t, chain)}
}

func TestIssuer(t *testing.T) {
	t.Parallel()
	issuer := fake.Serve(t, fake.NewIssuer(fake.Flat("1.3")))
	p := launch(t, "--issuer", urlOf(issuer))
	fake.Eventually(t, "all fees are known", func() bool { return p.check("issuer fee") == "ok" })
	issuer.Down()
	// 1,000 USDC at 1.3 bps is 0.13, plus a margin of a fifth.
	if fee := p.maxFee(); fee != "156000" {
		t.Errorf("maxFee = %s, want 156000", fee)
	}
	p.quotesDirect()
	p.readDiagnostics()
}

// maxFee returns the fee that a burn offers to the issuer.
func (p *program) maxFee() string {
	p.t.Helper()
	a := p.get(quotePath(burn, "") + "&include=decoded")
	_, fee, found := strings.Cut(string(a.body), `"maxFee":"`)
	if !found || a.status != 200 {
		p.t.Fatalf("quote = %d %s, want 200 with maxFee", a.status, a.body)
	}
	fee, _, _ = strings.Cut(fee, `"`)
	return fee
}

// Without a valid fee of the issuer, only burns are refused.
func TestIssuerFaults(t *testing.T) {
	faults := []struct {
		name   string
		answer http.Handler
		cause  func(*fake.Proxy)
		fault  string // outcome in the metrics; empty when it takes long
	}{
		{"down", nil, (*fake.Proxy).Down, "unreachable"},
		{"slow", nil, (*fake.Proxy).Mute, ""},
		{"cut in the middle", fake.NewIssuer(fake.Flat("1")), (*fake.Proxy).Cut, "unreachable"},
		{"HTML", says(html), nil, "malformed"},
		{"huge body", http.HandlerFunc(floods), nil, "too_large"},
		{"redirect", http.HandlerFunc(redirects), nil, "redirected"},
		{"no fast tier", says("[]"), nil, "no_tier"},
		{"a negative fee", fake.NewIssuer(fake.Flat("-1")), nil, "bad_rate"},
		{"over one per cent", fake.NewIssuer(fake.Flat("101")), nil, "bad_rate"},
		{"not a number", fake.NewIssuer(fake.Flat(`"NaN"`)), nil, "bad_rate"},
	}
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			issuer := fake.Serve(t, f.answer)
			if f.cause != nil {
				f.cause(issuer)
			}
			p := launch(t, "--issuer", urlOf(issuer))
			if f.fault != "" {
				seen := fmt.Sprintf(`hubquote_upstream_seconds_count{outcome="%s",upstream="issuer"}`, f.fault)
				fake.Eventually(t, seen, func() bool { return p.metric(seen) != "" })
			}
			p.refuses(burn, "", 503, swap.IssuerFeeUnavailable)
			p.quotesDirect()
			degraded(t, p)
			p.readDiagnostics()
		})
	}
}

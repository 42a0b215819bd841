package integrator_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"hubquote/internal/integrator"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

func TestFailingEndpointIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(369)
		n.Handle = hang
		rs := open(t, n)
		tries := func(want int) {
			t.Helper()
			if got := n.Asked("eth_getBlockByNumber"); got != want {
				t.Fatalf("asked %d times, want %d", got, want)
			}
		}
		for i := range integrator.BreakAfter {
			refused(t, rs, 369, partner, swap.RegistryUnavailable)
			tries(i + 1)
		}
		before := time.Now()
		refused(t, rs, 369, partner, swap.RegistryUnavailable)
		tries(integrator.BreakAfter)
		if time.Since(before) != 0 {
			t.Error("being left alone took time")
		}
		time.Sleep(integrator.BreakPause)
		refused(t, rs, 369, partner, swap.RegistryUnavailable)
		refused(t, rs, 369, partner, swap.RegistryUnavailable)
		tries(integrator.BreakAfter + 1)
		n.Handle = nil
		time.Sleep(integrator.BreakPause)
		found(t, rs, 369)
		refused(t, rs, 369, stranger(1), swap.IntegratorUnknown)
		tries(integrator.BreakAfter + 3)
	})
}

// One bad entry in the registry is no way to switch the others off.
func TestBadEntryLeavesTheOthersAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(369)
		good := n.Registry
		n.Registry = func(block uint64, id swap.IntegratorID) string {
			if id == stranger(1) {
				return entry(wallet, 999_999, 1)
			}
			return good(block, id)
		}
		rs := open(t, n)
		for range 2 * integrator.BreakAfter {
			refused(t, rs, 369, stranger(1), swap.RegistryUnavailable)
		}
		found(t, rs, 369)
	})
}

// While one lookup tries an endpoint that failed, the others do not wait on it.
func TestOneLookupTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := newNode(369), newNode(369)
		first.Handle = hang
		rs := open(t, first, second)
		for i := range integrator.BreakAfter {
			refused(t, rs, 369, stranger(i), swap.IntegratorUnknown)
		}
		time.Sleep(integrator.BreakPause)
		go func() { _, _ = rs.Integrator(t.Context(), 369, stranger(100)) }()
		synctest.Wait()
		before := time.Now()
		found(t, rs, 369)
		if time.Since(before) != 0 {
			t.Error("two lookups tried at once")
		}
		if got := first.Asked("eth_getBlockByNumber"); got != integrator.BreakAfter+1 {
			t.Errorf("tried %d times", got)
		}
		time.Sleep(time.Second)
	})
}

func TestVisitsAndHealth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, second := newNode(369), newNode(369)
		first.Handle = hang
		var visits []integrator.Visit
		rs := start(t, integrator.Options{
			Chains: []integrator.Chain{{
				ID:        369,
				Registry:  registry,
				Endpoints: []upstream.URL{mustURL(t, "http://first"), mustURL(t, "http://second")},
			}},
			Observe:   func(v integrator.Visit) { visits = append(visits, v) },
			Transport: memory{"first": first, "second": second},
		})
		fresh := []integrator.ChainHealth{{Chain: 369, Up: true, Endpoints: []integrator.EndpointHealth{
			{Breaker: integrator.Closed},
			{Breaker: integrator.Closed},
		}}}
		if diff := cmp.Diff(fresh, rs.Health()); diff != "" {
			t.Error(diff)
		}
		for i := range integrator.BreakAfter + 1 {
			refused(t, rs, 369, stranger(i), swap.IntegratorUnknown)
		}
		const timeout = 800 * time.Millisecond
		want := []integrator.Visit{
			{Chain: 369, Endpoint: 1, Took: timeout, Fault: upstream.Timeout, Breaker: integrator.Closed},
			{Chain: 369, Endpoint: 2, Breaker: integrator.Closed},
			{Chain: 369, Endpoint: 1, Took: timeout, Fault: upstream.Timeout, Breaker: integrator.Closed},
			{Chain: 369, Endpoint: 2, Breaker: integrator.Closed},
			{Chain: 369, Endpoint: 1, Took: timeout, Fault: upstream.Timeout, Breaker: integrator.Open},
			{Chain: 369, Endpoint: 2, Breaker: integrator.Closed},
			{Chain: 369, Endpoint: 2, Breaker: integrator.Closed},
		}
		if diff := cmp.Diff(want, visits); diff != "" {
			t.Error(diff)
		}
		time.Sleep(time.Minute)
		half := []integrator.ChainHealth{{Chain: 369, Up: true, Endpoints: []integrator.EndpointHealth{
			{Fault: upstream.Timeout, Breaker: integrator.HalfOpen},
			{Answered: true, Age: time.Minute, Breaker: integrator.Closed},
		}}}
		if diff := cmp.Diff(half, rs.Health()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestChainIsDownWhenTooFewAreLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nodes := []*node{newNode(369), newNode(369), newNode(369)}
		rs := open(t, nodes...)
		found(t, rs, 369)
		synctest.Wait()
		if !rs.Health()[0].Up {
			t.Error("down with all three")
		}
		nodes[0].Handle, nodes[1].Handle = hang, hang
		refused(t, rs, 369, stranger(1), swap.RegistryUnavailable)
		synctest.Wait()
		if rs.Health()[0].Up {
			t.Error("up with one of three")
		}
	})
}

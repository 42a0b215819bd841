package integrator_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/integrator"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// stranger returns the i-th ID that is not registered.
func stranger(i int) swap.IntegratorID {
	return swap.IntegratorIDOf(swap.Address{1, byte(i >> 16), byte(i >> 8), byte(i)})
}

// gate makes a node answer only once the gate is closed.
func gate(n *node) chan struct{} {
	gate := make(chan struct{})
	n.Handle = func(_ http.ResponseWriter, r *http.Request, _ string) bool {
		select {
		case <-gate:
		case <-r.Context().Done():
		}
		return false
	}
	return gate
}

func TestManyRequestsAreOneLookup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(369)
		answer := gate(n)
		rs := open(t, n)
		var all sync.WaitGroup
		for range 1000 {
			all.Go(func() { found(t, rs, 369) })
		}
		synctest.Wait()
		close(answer)
		all.Wait()
		for _, method := range []string{"eth_chainId", "eth_getBlockByNumber", "eth_call"} {
			if got := n.Asked(method); got != 1 {
				t.Errorf("%s was called %d times for 1,000 requests", method, got)
			}
		}
	})
}

func TestFirstCallerMayLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(369)
		answer := gate(n)
		rs := open(t, n)
		ctx, leave := context.WithCancel(t.Context())
		var first, others sync.WaitGroup
		first.Go(func() {
			if _, err := rs.Integrator(ctx, 369, partner); swap.CodeOf(err) != swap.RegistryUnavailable {
				t.Errorf("who left got %v", err)
			}
		})
		synctest.Wait()
		for range 10 {
			others.Go(func() { found(t, rs, 369) })
		}
		synctest.Wait()
		leave()
		first.Wait()
		close(answer)
		others.Wait()
		if got := n.Asked("eth_call"); got != 1 {
			t.Errorf("%d lookups", got)
		}
	})
}

func TestHowLongAnAnswerIsRemembered(t *testing.T) {
	tests := []struct {
		name        string
		id          swap.IntegratorID
		code        swap.Code
		still, gone time.Duration
	}{
		{"a partner for half a minute", partner, "", 26 * time.Second, 34 * time.Second},
		{"anybody else for five seconds", stranger(1), swap.IntegratorUnknown, 4 * time.Second, 6 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNode(369)
				rs := open(t, n)
				asks := func(want int) {
					t.Helper()
					if _, err := rs.Integrator(t.Context(), 369, tt.id); err != nil && swap.CodeOf(err) != tt.code {
						t.Fatal(err)
					}
					if got := n.Asked("eth_call"); got != want {
						t.Errorf("%d lookups, want %d", got, want)
					}
				}
				asks(1)
				time.Sleep(tt.still)
				asks(1)
				time.Sleep(tt.gone - tt.still)
				asks(2)
			})
		})
	}
}

func TestFailureIsNotRemembered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(369)
		n.Handle = hang
		rs := open(t, n)
		refused(t, rs, 369, partner, swap.RegistryUnavailable)
		n.Handle = nil
		found(t, rs, 369)
	})
}

func TestStrangersDoNotCrowdOutPartners(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(369)
		rs := open(t, n)
		found(t, rs, 369)
		for i := range integrator.CacheSize + 100 {
			refused(t, rs, 369, stranger(i), swap.IntegratorUnknown)
		}
		if got := rs.Remembered(369); got > integrator.CacheSize+1 {
			t.Errorf("%d answers are remembered", got)
		}
		before := n.Asked("eth_call")
		found(t, rs, 369)
		if n.Asked("eth_call") != before {
			t.Error("the partner was forgotten")
		}
	})
}

func TestLookupsAreBoundedPerChain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck, fine := newNode(56), newNode(369)
		stuck.Handle = hang
		rs := start(t, integrator.Options{
			Chains: []integrator.Chain{
				{ID: 56, Registry: registry, Endpoints: []upstream.URL{mustURL(t, "http://stuck")}},
				{ID: 369, Registry: registry, Endpoints: []upstream.URL{mustURL(t, "http://fine")}},
			},
			Transport: memory{"stuck": stuck, "fine": fine},
		})
		var waiting sync.WaitGroup
		for i := range integrator.MaxLookups {
			waiting.Go(func() { refused(t, rs, 56, stranger(i), swap.RegistryUnavailable) })
		}
		synctest.Wait()
		before := time.Now()
		refused(t, rs, 56, partner, swap.RegistryUnavailable)
		found(t, rs, 369)
		if time.Since(before) != 0 {
			t.Error("one of them had to wait for the stuck chain")
		}
		waiting.Wait()
	})
}

func TestSlowEndpointsDoNotUseMoreThanTheBudget(t *testing.T) {
	for _, endpoints := range []int{1, 2, 3, 5} {
		synctest.Test(t, func(t *testing.T) {
			var nodes []*node
			for range endpoints {
				n := newNode(369)
				n.Handle = after(700 * time.Millisecond) // just within the time of one call
				nodes = append(nodes, n)
			}
			rs := open(t, nodes...)
			before := time.Now()
			refused(t, rs, 369, partner, swap.RegistryUnavailable)
			if took := time.Since(before); took > 2100*time.Millisecond {
				t.Errorf("%d endpoints took %v", endpoints, took)
			}
		})
	}
}

func TestOneSlowOfThreeIsNotWaitedForTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		nodes := []*node{newNode(369), newNode(369), newNode(369)}
		nodes[2].Handle = hang
		rs := open(t, nodes...)
		before := time.Now()
		found(t, rs, 369)
		if took := time.Since(before); took > 800*time.Millisecond {
			t.Errorf("took %v", took)
		}
	})
}

func TestCloseEndsLookups(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(369)
		n.Handle = hang
		rs := open(t, n)
		var waiting sync.WaitGroup
		waiting.Go(func() { refused(t, rs, 369, partner, swap.RegistryUnavailable) })
		synctest.Wait()
		before := time.Now()
		rs.Close()
		waiting.Wait()
		if time.Since(before) != 0 {
			t.Error("Close waited for a stuck endpoint")
		}
	})
}

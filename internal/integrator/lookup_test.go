package integrator_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/integrator"
	"hubquote/internal/quorum"
	"hubquote/swap"
	"hubquote/test/fake"
)

func TestManyRequestsAreOneLookup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(369)
		answer := gate(n)
		rs := open(t, n)
		var all sync.WaitGroup
		for range 1000 {
			all.Go(func() { wantFound(t, rs, 369) })
		}
		synctest.Wait()
		close(answer)
		all.Wait()
		for _, method := range []string{"eth_chainId", "eth_getBlockByNumber", "eth_call"} {
			if got := n.Calls(method); got != 1 {
				t.Errorf("%d calls of %s for 1,000 requests, want 1", got, method)
			}
		}
	})
}

func TestCancelledCallerDoesNotEndTheLookup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(369)
		answer := gate(n)
		rs := open(t, n)
		ctx, leave := context.WithCancel(t.Context())
		var first, others sync.WaitGroup
		first.Go(func() {
			if _, err := rs.Integrator(ctx, 369, partner); swap.CodeOf(err) != swap.RegistryUnavailable {
				t.Errorf("error of the cancelled caller = %v, want %s", err, swap.RegistryUnavailable)
			}
		})
		synctest.Wait()
		for range 10 {
			others.Go(func() { wantFound(t, rs, 369) })
		}
		synctest.Wait()
		leave()
		first.Wait()
		close(answer)
		others.Wait()
		if got := n.Calls("eth_call"); got != 1 {
			t.Errorf("%d lookups, want 1", got)
		}
	})
}

func TestEntryExpires(t *testing.T) {
	tests := []struct {
		name        string
		id          swap.IntegratorID
		code        swap.Code
		still, gone time.Duration
	}{
		{"an active integrator for half a minute", partner, "", 26 * time.Second, 34 * time.Second},
		{"any other ID for five seconds", unregistered(1), swap.IntegratorUnknown, 4 * time.Second, 6 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newNode(369)
				rs := open(t, n)
				wantLookups := func(want int) {
					t.Helper()
					if _, err := rs.Integrator(t.Context(), 369, tt.id); err != nil && swap.CodeOf(err) != tt.code {
						t.Fatal(err)
					}
					if got := n.Calls("eth_call"); got != want {
						t.Errorf("%d lookups, want %d", got, want)
					}
				}
				wantLookups(1)
				time.Sleep(tt.still)
				wantLookups(1)
				time.Sleep(tt.gone - tt.still)
				wantLookups(2)
			})
		})
	}
}

func TestFailureIsNotKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(369)
		n.Handle = fake.Hang
		rs := open(t, n)
		wantCode(t, rs, 369, partner, swap.RegistryUnavailable)
		n.Handle = nil
		wantFound(t, rs, 369)
	})
}

func TestUnregisteredIDsDoNotEvictIntegrators(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(369)
		rs := open(t, n)
		wantFound(t, rs, 369)
		for i := range integrator.CacheSize + 100 {
			wantCode(t, rs, 369, unregistered(i), swap.IntegratorUnknown)
		}
		if got, want := rs.Cached(369), integrator.CacheSize+1; got > want {
			t.Errorf("%d entries are kept, want at most %d", got, want)
		}
		before := n.Calls("eth_call")
		wantFound(t, rs, 369)
		if got := n.Calls("eth_call"); got != before {
			t.Errorf("%d lookups, want %d: the integrator is no longer kept", got, before)
		}
	})
}

func TestCloseEndsLookups(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(369)
		n.Handle = fake.Hang
		rs := open(t, n)
		var waiting sync.WaitGroup
		waiting.Go(func() { wantCode(t, rs, 369, partner, swap.RegistryUnavailable) })
		synctest.Wait()
		before := time.Now()
		rs.Close()
		waiting.Wait()
		if took := time.Since(before); took != 0 {
			t.Errorf("Close took %v, want 0", took)
		}
	})
}

// Made-up IDs leave room for an integrator that was active before.
func TestKnownIntegratorsComeFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newNode(369)
		rs := open(t, n)
		wantFound(t, rs, 369)
		time.Sleep(time.Minute) // until the entry has expired
		n.Handle = fake.After(100 * time.Millisecond)
		var made sync.WaitGroup
		for i := range 2 * quorum.MaxLookups {
			made.Go(func() {
				_, _ = rs.Integrator(context.Background(), 369, swap.IntegratorIDOf(swap.Address{0: 1, 18: byte(i >> 8), 19: byte(i)}))
			})
		}
		synctest.Wait()
		wantFound(t, rs, 369)
		made.Wait()
	})
}

package issuer_test

import (
	"io"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hubquote/internal/issuer"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
)

var (
	_ swap.IssuerFees = issuer.Published{}
	_ swap.IssuerFees = (*issuer.Live)(nil)
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	arbitrumPath  = "/v2/burn/USDC/fees/3/6"
	avalanchePath = "/v2/burn/USDC/fees/1/6"
)

// feesOf returns the fees of the two sources, to gateway 6.
func feesOf(arbitrum, avalanche string) fake.FeeFunc {
	return func(source, gateway swap.Domain) string {
		if gateway != 6 {
			return ""
		}
		return map[swap.Domain]string{3: arbitrum, 1: avalanche}[source]
	}
}

// An api is the issuer's, reached without sockets.
type api struct {
	*fake.Issuer
	fake.Network
}

func newAPI() api {
	i := fake.NewIssuer(feesOf("1.4", "0"))
	return api{i, fake.Network{"issuer": i}}
}

// requests returns the number of requests so far.
func (a api) requests() int { return len(a.Paths()) }

func hang(_ http.ResponseWriter, r *http.Request) bool {
	<-r.Context().Done()
	return true
}

func mustURL(t testing.TB, text string) upstream.URL {
	t.Helper()
	u, err := upstream.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func start(t testing.TB, opts issuer.Options) *issuer.Live {
	t.Helper()
	if opts.URL.IsZero() {
		opts.URL = mustURL(t, "https://issuer")
	}
	if opts.Burns == nil {
		opts.Burns = []*swap.Burn{arbitrum, avalanche}
	}
	l, err := issuer.NewLive(opts)
	if err != nil {
		t.Fatal(err)
	}
	l.Start(t.Context())
	t.Cleanup(l.Close)
	return l
}

func knows(t *testing.T, f swap.IssuerFees, b *swap.Burn, want swap.IssuerRate) {
	t.Helper()
	if got, err := f.IssuerRate(b); err != nil || got != want {
		t.Errorf("IssuerRate(%d) = %d, %v; want %d", b.Source, got, err, want)
	}
}

func unknown(t *testing.T, f swap.IssuerFees, b *swap.Burn) error {
	t.Helper()
	got, err := f.IssuerRate(b)
	if swap.CodeOf(err) != swap.IssuerFeeUnavailable || got != 0 {
		t.Errorf("IssuerRate(%d) = %d, %v; want it unavailable", b.Source, got, err)
	}
	return err
}

func TestPublished(t *testing.T) {
	knows(t, issuer.Published{}, arbitrum, 1_300_000_000)
	knows(t, issuer.Published{}, avalanche, 0)
}

func TestNewLiveRefuses(t *testing.T) {
	tests := []struct {
		name string
		opts issuer.Options
	}{
		{"no URL", issuer.Options{Burns: []*swap.Burn{arbitrum}}},
		{"a URL that is not HTTP", issuer.Options{URL: mustURL(t, "ftp://host"), Burns: []*swap.Burn{arbitrum}}},
		{"no burns", issuer.Options{URL: mustURL(t, "https://host")}},
	}
	for _, tt := range tests {
		if _, err := issuer.NewLive(tt.opts); err == nil {
			t.Errorf("%s: NewLive has no error, want one", tt.name)
		}
	}
}

func TestRatesAreFetchedAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		a.SetHandle(func(_ http.ResponseWriter, r *http.Request) bool { return !fake.Sleep(r.Context(), time.Millisecond) })
		l := start(t, issuer.Options{Transport: a})
		unknown(t, l, arbitrum)
		time.Sleep(time.Second)
		knows(t, l, arbitrum, 1_400_000_000)
		knows(t, l, avalanche, 0)
		unknown(t, l, &swap.Burn{Source: 6, Gateway: 3})
		unknown(t, l, &swap.Burn{Source: 3, Gateway: 0})
		if diff := cmp.Diff([]string{arbitrumPath, avalanchePath}, a.Paths()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestRatesFollowTheIssuer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		l := start(t, issuer.Options{Transport: a})
		time.Sleep(time.Second)
		a.SetFee(feesOf(`"2"`, "0"))
		time.Sleep(20 * time.Second)
		knows(t, l, arbitrum, 1_400_000_000)
		time.Sleep(15 * time.Second)
		knows(t, l, arbitrum, 2_000_000_000)
	})
}

func TestOldRateIsUsedForTenMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		l := start(t, issuer.Options{Transport: a})
		synctest.Wait()
		a.SetHandle(hang)
		time.Sleep(issuer.Usable)
		knows(t, l, arbitrum, 1_400_000_000)
		time.Sleep(time.Nanosecond)
		unknown(t, l, arbitrum)
		a.SetHandle(nil)
		time.Sleep(20 * time.Second)
		knows(t, l, arbitrum, 1_400_000_000)
	})
}

func TestFailingSourceDoesNotAffectAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		a.SetHandle(func(w http.ResponseWriter, r *http.Request) bool { return r.URL.Path == arbitrumPath && hang(w, r) })
		l := start(t, issuer.Options{Transport: a})
		time.Sleep(issuer.Usable + time.Minute)
		unknown(t, l, arbitrum)
		knows(t, l, avalanche, 0)
		if h := l.Health()[1]; h.Age > time.Minute || !h.Usable() {
			t.Errorf("health = %+v, want a usable rate, at most a minute old", h)
		}
	})
}

func TestHealth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		l := start(t, issuer.Options{Transport: a})
		want := []issuer.SourceHealth{{Source: 3}, {Source: 1}}
		if diff := cmp.Diff(want, l.Health()); diff != "" {
			t.Error(diff)
		}
		synctest.Wait()
		a.SetFee(feesOf("1.4", ""))
		time.Sleep(10 * time.Second)
		want = []issuer.SourceHealth{
			{Source: 3, Known: true, Age: 10 * time.Second},
			{Source: 1, Fault: upstream.NotFound},
		}
		if diff := cmp.Diff(want, l.Health()); diff != "" {
			t.Error(diff)
		}
		if !want[0].Usable() || want[1].Usable() {
			t.Errorf("Usable = %t, %t; want true, false", want[0].Usable(), want[1].Usable())
		}
	})
}

// The age of a rate counts from its request, also when the response was slow.
func TestAgeCountsFromTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		a.SetHandle(func(http.ResponseWriter, *http.Request) bool {
			time.Sleep(4 * time.Second)
			return false
		})
		l := start(t, issuer.Options{Transport: a, Burns: []*swap.Burn{arbitrum}})
		time.Sleep(5 * time.Second)
		if got := l.Health()[0]; !got.Known || got.Age != 5*time.Second {
			t.Errorf("health = %+v, want a known rate of age 5s", got)
		}
	})
}

func TestRefreshesAreObserved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		a.SetHandle(func(w http.ResponseWriter, r *http.Request) bool { return r.URL.Path == arbitrumPath && hang(w, r) })
		var mu sync.Mutex
		var seen []issuer.Refresh
		start(t, issuer.Options{Transport: a, Observe: func(r issuer.Refresh) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, r)
		}})
		time.Sleep(6 * time.Second)
		mu.Lock()
		defer mu.Unlock()
		want := []issuer.Refresh{{Source: 1}, {Source: 3, Took: 5 * time.Second, Fault: upstream.Timeout}}
		if diff := cmp.Diff(want, seen); diff != "" {
			t.Error(diff)
		}
	})
}

// sixteen returns as many burns as there are sources.
func sixteen() (burns []*swap.Burn) {
	for i := range swap.Domain(16) {
		burns = append(burns, &swap.Burn{Source: 100 + i, Gateway: 6})
	}
	return burns
}

// The issuer blocks an address that sends more than 35 requests per second. Even
// when every request fails, the service sends far fewer.
func TestRequestsPerSecondAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI() // has no fees for the sixteen sources, so every request fails
		start(t, issuer.Options{Transport: a, Burns: sixteen()})
		for range 600 {
			before := a.requests()
			time.Sleep(time.Second)
			if n := a.requests() - before; n > 16 {
				t.Errorf("%d requests in a second, want at most 16", n)
			}
		}
		if n := a.requests(); n > 16*70 {
			t.Errorf("%d requests in ten minutes, want at most %d", n, 16*70)
		}
	})
}

func TestTooManyRequestsStopsAllSources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		l := start(t, issuer.Options{Transport: a})
		time.Sleep(time.Second)
		a.SetHandle(func(w http.ResponseWriter, _ *http.Request) bool {
			http.Error(w, "slow down", http.StatusTooManyRequests)
			return true
		})
		time.Sleep(35 * time.Second) // until both were refused, or one was and the other was stopped
		a.SetHandle(nil)
		before := a.requests()
		time.Sleep(4 * time.Minute)
		if got := a.requests(); got != before {
			t.Errorf("%d requests while blocked, want 0", got-before)
		}
		knows(t, l, arbitrum, 1_400_000_000)
		time.Sleep(2 * time.Minute)
		for _, s := range l.Health() {
			if s.Age > time.Minute {
				t.Errorf("health after the block = %+v, want an age of at most a minute", s)
			}
		}
	})
}

// After a block, the sources do not all send requests at once.
func TestRequestsAfterABlockAreStaggered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		a.SetHandle(func(w http.ResponseWriter, _ *http.Request) bool {
			http.Error(w, "slow down", http.StatusTooManyRequests)
			return true
		})
		start(t, issuer.Options{Transport: a, Burns: sixteen()})
		synctest.Wait()
		a.SetHandle(nil)
		time.Sleep(5*time.Minute - time.Second)
		if n := a.requests(); n != 1 {
			t.Errorf("%d requests while blocked, want 1", n)
		}
		time.Sleep(1450 * time.Millisecond)
		if n := a.requests() - 1; n < 4 || n > 6 {
			t.Errorf("%d requests in the first half second, want 4 to 6", n)
		}
	})
}

func TestLastRateIsKeptAfterAFault(t *testing.T) {
	bodies := []string{``, `[]`, `<html>`, `[{"finalityThreshold":1000,"minimumFee":-1}]`, `[{"finalityThreshold":1000,"minimumFee":101}]`}
	for _, body := range bodies {
		synctest.Test(t, func(t *testing.T) {
			a := newAPI()
			l := start(t, issuer.Options{Transport: a})
			time.Sleep(time.Second)
			a.SetHandle(func(w http.ResponseWriter, _ *http.Request) bool {
				_, _ = io.WriteString(w, body)
				return true
			})
			time.Sleep(2 * time.Minute)
			knows(t, l, arbitrum, 1_400_000_000)
		})
	}
}

func TestCloseWithoutStart(t *testing.T) {
	l, err := issuer.NewLive(issuer.Options{URL: mustURL(t, "https://issuer"), Burns: []*swap.Burn{arbitrum}})
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
}

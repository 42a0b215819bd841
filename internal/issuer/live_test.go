package issuer_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"hubquote/internal/issuer"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

var (
	_ swap.IssuerFees = issuer.Published{}
	_ swap.IssuerFees = (*issuer.Live)(nil)
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// An api is the issuer's: it answers each path with a fee, and counts.
type api struct {
	mu     sync.Mutex
	fees   map[string]string
	asked  []string
	handle func(w http.ResponseWriter, r *http.Request) bool // takes a request away when it returns true
}

const (
	arbitrumPath  = "/v2/burn/USDC/fees/3/6"
	avalanchePath = "/v2/burn/USDC/fees/1/6"
)

func newAPI() *api {
	return &api{fees: map[string]string{arbitrumPath: "1.4", avalanchePath: "0"}}
}

func (a *api) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	a.asked = append(a.asked, r.URL.Path)
	fee, known := a.fees[r.URL.Path]
	handle := a.handle
	a.mu.Unlock()
	switch {
	case handle != nil && handle(w, r):
	case !known:
		http.NotFound(w, r)
	default:
		_, _ = fmt.Fprintf(w, `[{"finalityThreshold":1000,"minimumFee":%s},{"finalityThreshold":2000,"minimumFee":0}]`, fee)
	}
}

func (a *api) set(change func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change()
}

// requests returns how many there were.
func (a *api) requests() int {
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.asked)
}

// RoundTrip makes an api a network without sockets.
func (a *api) RoundTrip(r *http.Request) (*http.Response, error) {
	rec := httptest.NewRecorder()
	a.ServeHTTP(rec, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return rec.Result(), nil
}

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
	if h := (issuer.Published{}).Health(); h.Live || h.Sources != nil {
		t.Errorf("%+v", h)
	}
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
			t.Errorf("%s was accepted", tt.name)
		}
	}
}

func TestRatesAreFetchedAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		l := start(t, issuer.Options{Transport: a})
		unknown(t, l, arbitrum)
		time.Sleep(time.Second)
		knows(t, l, arbitrum, 1_400_000_000)
		knows(t, l, avalanche, 0)
		unknown(t, l, &swap.Burn{Source: 6, Gateway: 3})
		unknown(t, l, &swap.Burn{Source: 3, Gateway: 0})
		if diff := cmp.Diff([]string{arbitrumPath, avalanchePath}, a.asked); diff != "" {
			t.Error(diff)
		}
	})
}

func TestRatesFollowTheIssuer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		l := start(t, issuer.Options{Transport: a})
		time.Sleep(time.Second)
		a.set(func() { a.fees[arbitrumPath] = `"2"` })
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
		a.set(func() { a.handle = hang })
		time.Sleep(issuer.Usable)
		knows(t, l, arbitrum, 1_400_000_000)
		time.Sleep(time.Nanosecond)
		unknown(t, l, arbitrum)
		a.set(func() { a.handle = nil })
		time.Sleep(20 * time.Second)
		knows(t, l, arbitrum, 1_400_000_000)
	})
}

func TestOneFailingSourceIsAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		a.handle = func(w http.ResponseWriter, r *http.Request) bool { return r.URL.Path == arbitrumPath && hang(w, r) }
		l := start(t, issuer.Options{Transport: a})
		time.Sleep(issuer.Usable + time.Minute)
		unknown(t, l, arbitrum)
		knows(t, l, avalanche, 0)
		if h := l.Health().Sources[1]; h.Age > issuer.Fresh || !h.Usable() {
			t.Errorf("%+v", h)
		}
	})
}

func TestHealth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		l := start(t, issuer.Options{Transport: a})
		want := issuer.Health{Live: true, Sources: []issuer.SourceHealth{{Source: 3}, {Source: 1}}}
		if diff := cmp.Diff(want, l.Health()); diff != "" {
			t.Error(diff)
		}
		synctest.Wait()
		a.set(func() { delete(a.fees, avalanchePath) })
		time.Sleep(10 * time.Second)
		want = issuer.Health{Live: true, Sources: []issuer.SourceHealth{
			{Source: 3, Known: true, Age: 10 * time.Second},
			{Source: 1, Fault: upstream.BadStatus},
		}}
		if diff := cmp.Diff(want, l.Health()); diff != "" {
			t.Error(diff)
		}
		if !want.Sources[0].Usable() || want.Sources[1].Usable() {
			t.Error("the wrong one is usable")
		}
	})
}

// A rate is as old as the question, however long the answer took.
func TestAgeCountsFromTheQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		a.handle = func(http.ResponseWriter, *http.Request) bool {
			time.Sleep(4 * time.Second)
			return false
		}
		l := start(t, issuer.Options{Transport: a, Burns: []*swap.Burn{arbitrum}})
		time.Sleep(5 * time.Second)
		if got := l.Health().Sources[0]; !got.Known || got.Age != 5*time.Second {
			t.Errorf("%+v", got)
		}
	})
}

func TestRefreshesAreObserved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		a.handle = func(w http.ResponseWriter, r *http.Request) bool { return r.URL.Path == arbitrumPath && hang(w, r) }
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

// The issuer shuts out whoever sends more than 35 requests a second. Even when
// all of them fail, ours are far below.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI() // it knows none of the sixteen
		start(t, issuer.Options{Transport: a, Burns: sixteen()})
		for range 600 {
			before := a.requests()
			time.Sleep(time.Second)
			if n := a.requests() - before; n > 16 {
				t.Errorf("%d requests in a second", n)
			}
		}
		if n := a.requests(); n > 16*70 {
			t.Errorf("%d requests in ten minutes", n)
		}
	})
}

func TestTooManyRequestsStopsAllSources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		l := start(t, issuer.Options{Transport: a})
		time.Sleep(time.Second)
		a.set(func() {
			a.handle = func(w http.ResponseWriter, _ *http.Request) bool {
				http.Error(w, "slow down", http.StatusTooManyRequests)
				return true
			}
		})
		time.Sleep(35 * time.Second) // until both have asked, or one and the other was stopped
		a.set(func() { a.handle = nil })
		before := a.requests()
		time.Sleep(4 * time.Minute)
		if a.requests() != before {
			t.Error("a request was sent while we are shut out")
		}
		knows(t, l, arbitrum, 1_400_000_000)
		time.Sleep(2 * time.Minute)
		for _, s := range l.Health().Sources {
			if s.Age > issuer.Fresh {
				t.Errorf("not refreshed after being let in again: %+v", s)
			}
		}
	})
}

// Once the issuer may be asked again, not all sources do so at once.
func TestComingBackIsStaggered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := newAPI()
		a.handle = func(w http.ResponseWriter, _ *http.Request) bool {
			http.Error(w, "slow down", http.StatusTooManyRequests)
			return true
		}
		start(t, issuer.Options{Transport: a, Burns: sixteen()})
		synctest.Wait()
		a.set(func() { a.handle = nil })
		time.Sleep(5*time.Minute - time.Second)
		if n := a.requests(); n != 1 {
			t.Errorf("%d requests while shut out", n)
		}
		time.Sleep(1450 * time.Millisecond)
		if n := a.requests() - 1; n < 4 || n > 6 {
			t.Errorf("%d requests in the first half second", n)
		}
	})
}

func TestLastRateOutlivesAnyFault(t *testing.T) {
	bodies := []string{``, `[]`, `<html>`, `[{"finalityThreshold":1000,"minimumFee":-1}]`, `[{"finalityThreshold":1000,"minimumFee":101}]`}
	for _, body := range bodies {
		synctest.Test(t, func(t *testing.T) {
			a := newAPI()
			l := start(t, issuer.Options{Transport: a})
			time.Sleep(time.Second)
			a.set(func() {
				a.handle = func(w http.ResponseWriter, _ *http.Request) bool {
					_, _ = io.WriteString(w, body)
					return true
				}
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

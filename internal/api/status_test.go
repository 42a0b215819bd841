package api_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"hubquote/docs"
	"hubquote/internal/api"
	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/memory"
	"hubquote/internal/record"
	"hubquote/internal/wire/tracking"
	"hubquote/swap"
)

// examples are the answers that the OpenAPI document shows, by status.
func examples(t *testing.T) map[swap.Stage]json.RawMessage {
	t.Helper()
	var doc struct {
		Paths map[string]struct {
			Get struct {
				Responses map[string]struct {
					Content map[string]struct {
						Examples map[swap.Stage]struct{ Value json.RawMessage }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(docs.OpenAPI, &doc); err != nil {
		t.Fatal(err)
	}
	out := map[swap.Stage]json.RawMessage{}
	for stage, e := range doc.Paths["/v3/swap/status"].Get.Responses["200"].Content["application/json"].Examples {
		out[stage] = e.Value
	}
	return out
}

// A teller is a tracker that answers at once, or waits for its context when it
// is asked to wait.
type teller struct {
	answer *swap.Tracking
	asked  chan swap.Question
}

func (s *teller) Track(ctx context.Context, q swap.Question) (*swap.Tracking, error) {
	if s.asked != nil {
		s.asked <- q
	}
	if q.Wait > 0 {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.answer, nil
}

// Every status has an example, the example is an answer that clients read, and
// the service shows it as the document describes.
func TestStatusExamples(t *testing.T) {
	_, router := loadOpenAPI(t)
	shown := examples(t)
	for _, stage := range swap.Stages {
		answer, err := tracking.Parse(shown[stage])
		if err != nil {
			t.Errorf("the example of %s: %v, want an answer", stage, err)
			continue
		}
		for _, s := range answer.Orders {
			if s.Stage != stage {
				t.Errorf("stage of the example = %s, want %s", s.Stage, stage)
			}
			if s.Order != nil && record.ID(s.Order) != s.ID {
				t.Errorf("the example of %s has the ID %s, want %s", stage, s.ID, record.ID(s.Order))
			}
		}
		s := newServer(t, api.Options{Tracker: &teller{answer: answer}})
		checkResponse(t, router, s, status)
		if got := get(s, status).Body.Bytes(); compact(t, got) != compact(t, shown[stage]) {
			t.Errorf("the service shows %s as %s, want the example", stage, got)
		}
	}
}

func TestStatusQuestion(t *testing.T) {
	asked := make(chan swap.Question, 1)
	s := newServer(t, api.Options{Tracker: &teller{answer: &swap.Tracking{Reason: swap.WhyNotFound}, asked: asked}})
	w := get(s, status+"&srcChain=69696969&after=1.5")
	want := swap.Question{Chain: 1, After: swap.Mark{Revision: 1, Step: 5}}
	for i := range want.Tx {
		want.Tx[i] = 0xa1
	}
	if got := <-asked; w.Code != 200 || got != want {
		t.Errorf("asked %+v and answered %d, want %+v and 200: a privacy pool is on chain 1", got, w.Code, want)
	}
	if cache := w.Header().Get("Cache-Control"); cache != "private, no-store" {
		t.Errorf("Cache-Control = %q, want private", cache)
	}
}

func TestStatusHasABudgetOfItsOwn(t *testing.T) {
	quotes, err := memory.New(ratelimit.Standard())
	if err != nil {
		t.Fatal(err)
	}
	tracks, err := memory.NewLarge(ratelimit.Status())
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, api.Options{Tracker: &teller{answer: &swap.Tracking{}}, Limiter: quotes, StatusLimiter: tracks})
	for i := range 60 {
		if w := get(s, status); w.Code != 200 || !strings.HasPrefix(w.Header().Get("RateLimit-Policy"), `"status";q=60;w=60`) {
			t.Fatalf("request %d: %d, %v, want 200 of a budget of 60 in 60 s", i, w.Code, w.Header())
		}
	}
	if w := get(s, status); w.Code != 429 || w.Header().Get("Retry-After") == "" {
		t.Errorf("request 61: %d, want 429 with a time", w.Code)
	}
	if w := get(s, valid()); w.Code != 200 {
		t.Errorf("a quote: %d, want 200", w.Code)
	}
}

// Four requests of a client may wait. The fifth is answered at once, and the
// drain answers the four.
func TestStatusWaits(t *testing.T) {
	asked := make(chan swap.Question, 16)
	s := newServer(t, api.Options{Tracker: &teller{answer: &swap.Tracking{}, asked: asked}})
	var waiting sync.WaitGroup
	for range 4 {
		waiting.Go(func() {
			if w := get(s, status+"&wait=25s&after=0.3"); w.Code != 200 {
				t.Errorf("after the drain: %d %s, want 200", w.Code, w.Body)
			}
		})
		if q := <-asked; q.Wait != 25*time.Second {
			t.Fatalf("wait = %s, want 25s", q.Wait)
		}
	}
	if w := get(s, status+"&wait=25s&after=0.3"); w.Code != 200 || (<-asked).Wait != 0 || s.Waiting() != 4 {
		t.Errorf("the fifth: %d with %d waiting, want 200 at once and 4", w.Code, s.Waiting())
	}
	s.Drain()
	s.Drain()
	waiting.Wait()
	if n := s.Waiting(); n != 0 {
		t.Errorf("%d wait after the drain, want 0", n)
	}
}

// At most 512 requests wait at one replica, whatever their clients. The next one
// is answered at once, and the drain answers all.
func TestStatusWaitsBounded(t *testing.T) {
	asked := make(chan swap.Question, 513)
	s := newServer(t, api.Options{Tracker: &teller{answer: &swap.Tracking{}, asked: asked}})
	ask := func(i int) int {
		r := httptest.NewRequest("GET", status+"&wait=25s&after=0.3", nil)
		r.RemoteAddr = netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, byte(i / 256), byte(i)}), 1).String()
		w := httptest.NewRecorder()
		s.ServeHTTP(w, r)
		return w.Code
	}
	var waiting sync.WaitGroup
	for i := range 512 {
		waiting.Go(func() {
			if code := ask(i); code != 200 {
				t.Errorf("after the drain: %d, want 200", code)
			}
		})
	}
	for range 512 {
		if q := <-asked; q.Wait == 0 {
			t.Fatal("one of 512 requests does not wait, want all to")
		}
	}
	if code := ask(512); code != 200 || (<-asked).Wait != 0 || s.Waiting() != 512 {
		t.Errorf("the 513th: %d with %d waiting, want 200 at once and 512", code, s.Waiting())
	}
	go func() { // each that waited is asked again, without a wait
		for range asked {
		}
	}()
	s.Drain()
	waiting.Wait()
	close(asked)
	if n := s.Waiting(); n != 0 {
		t.Errorf("%d wait after the drain, want 0", n)
	}
}

// Each is refused before the settler is asked, and takes no place to wait.
func TestStatusRefuses(t *testing.T) {
	s := newServer(t, api.Options{Tracker: &teller{}})
	hash := "0x" + strings.Repeat("a1", 32)
	for _, tt := range []struct{ name, query string }{
		{"no hash", ""},
		{"an empty hash", "txHash="},
		{"a digit less", "txHash=" + hash[:65]},
		{"a digit more", "txHash=" + hash + "0"},
		{"no digits", "txHash=0x" + strings.Repeat("zz", 32)},
		{"an upper-case prefix", "txHash=0X" + hash[2:]},
		{"a very long hash", "txHash=0x" + strings.Repeat("a", 8000)},
		{"two hashes", "txHash=" + hash + "&txHash=" + hash},
		{"a chain that is not served", "txHash=" + hash + "&srcChain=7"},
		{"a chain beyond 64 bits", "txHash=" + hash + "&srcChain=18446744073709551617"},
		{"a wait without a unit", "txHash=" + hash + "&wait=25"},
		{"a wait in another unit", "txHash=" + hash + "&wait=1m"},
		{"a wait too long", "txHash=" + hash + "&wait=26s"},
		{"a negative wait", "txHash=" + hash + "&wait=-1s"},
		{"a wait with a leading zero", "txHash=" + hash + "&wait=05s"},
		{"a mark without a point", "txHash=" + hash + "&after=5"},
		{"a mark with a sign", "txHash=" + hash + "&after=0.+5"},
		{"a mark beyond 63 bits", "txHash=" + hash + "&after=0.9223372036854775808"},
	} {
		if w := get(s, "/v3/swap/status?"+tt.query); w.Code != 400 || s.Waiting() != 0 {
			t.Errorf("%s: %d with %d waiting, want 400 and none: %s", tt.name, w.Code, s.Waiting(), w.Body)
		}
	}
}

// HEAD has the answer's headers and nothing else; other methods are refused.
func TestStatusMethods(t *testing.T) {
	s := newServer(t, api.Options{Tracker: &teller{answer: &swap.Tracking{}}})
	for method, want := range map[string]int{"HEAD": 200, "POST": 405, "DELETE": 405, "OPTIONS": 204} {
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(method, status, nil))
		if w.Code != want {
			t.Errorf("%s: %d, want %d", method, w.Code, want)
		}
	}
}

// A client that goes away frees its place.
func TestStatusClientLeaves(t *testing.T) {
	asked := make(chan swap.Question, 1)
	s := newServer(t, api.Options{Tracker: &teller{asked: asked}})
	ctx, leave := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, "GET", status+"&wait=25s", nil))
	}()
	<-asked
	leave()
	<-done
	if n := s.Waiting(); n != 0 {
		t.Errorf("%d wait, want 0", n)
	}
}

package tracker_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"hubquote/internal/tracker"
	"hubquote/internal/upstream"
	"hubquote/internal/wire/tracking"
	"hubquote/swap"
	"hubquote/test/fake"
)

// A settler answers with what it is told to, or fails.
type settler struct {
	calls  atomic.Int64
	answer atomic.Pointer[swap.Tracking] // nil: it is down
	query  atomic.Value
}

func (s *settler) status(r *http.Request) *swap.Tracking {
	s.calls.Add(1)
	s.query.Store(r.URL.RequestURI())
	return s.answer.Load()
}

func at(stage swap.Stage, step uint64) *swap.Tracking {
	return &swap.Tracking{AsOf: time.Unix(1, 0).UTC(), Orders: []swap.Status{{Stage: stage, Mark: swap.Mark{Step: step}}}}
}

func start(t *testing.T) (*settler, *tracker.Tracker) {
	t.Helper()
	s := &settler{}
	server := httptest.NewServer(fake.Status(s.status))
	t.Cleanup(server.Close)
	url, err := upstream.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := tracker.New(tracker.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tr.Close)
	return s, tr
}

func TestAnswersAreKept(t *testing.T) {
	s, tr := start(t)
	ask := func(q swap.Question, wantStage swap.Stage, wantCalls int64) {
		t.Helper()
		got, err := tr.Track(t.Context(), q)
		if err != nil || got.Orders[0].Stage != wantStage || got.Stale {
			t.Fatalf("Track = %+v, %v, want %s", got, err, wantStage)
		}
		if n := s.calls.Load(); n != wantCalls {
			t.Fatalf("%d calls, want %d", n, wantCalls)
		}
	}
	one := swap.Question{Tx: swap.Hash{1}, Chain: 369}
	s.answer.Store(at(swap.StagePaying, 3))
	ask(one, swap.StagePaying, 1)
	ask(one, swap.StagePaying, 1) // within two seconds
	s.answer.Store(at(swap.StageDone, 8))
	one.Wait, one.After = time.Second, swap.Mark{Step: 3}
	ask(one, swap.StageDone, 2) // a request that waits wants news
	if got := s.query.Load(); got != "/v1/status?after=0.3&chain=369&tx=0x01"+strings.Repeat("0", 62)+"&wait=1s" {
		t.Errorf("asked %v, want all of the question", got)
	}
	s.answer.Store(nil)
	ask(one, swap.StageDone, 2) // the end is never asked for again
}

func TestSettlerIsDown(t *testing.T) {
	s, tr := start(t)
	known := swap.Question{Tx: swap.Hash{1}}
	paying := at(swap.StagePaying, 3)
	paying.Orders[0].ETA = time.Unix(2, 0)
	s.answer.Store(paying)
	if _, err := tr.Track(t.Context(), known); err != nil {
		t.Fatal(err)
	}
	s.answer.Store(nil)
	known.Wait, known.After = time.Second, swap.Mark{Step: 3} // news, so that memory does not answer
	got, err := tr.Track(t.Context(), known)
	if err != nil || !got.Stale || got.Orders[0].Stage != swap.StagePaying {
		t.Errorf("a known order = %+v, %v, want the last word, stale", got, err)
	}
	if eta := got.Orders[0].ETA; !eta.IsZero() {
		t.Errorf("the last word expects the end at %v, which has passed, want no such time", eta)
	}
	for range 10 {
		_, err = tr.Track(t.Context(), swap.Question{Tx: swap.Hash{2}})
		if swap.CodeOf(err) != swap.StatusUnavailable || strings.Contains(err.Error(), "0x02") {
			t.Fatalf("an unknown order: %v, want %s and no hash", err, swap.StatusUnavailable)
		}
	}
	if n := s.calls.Load(); n > 4 || tr.Up() {
		t.Errorf("%d calls, up = %t, want the settler left alone after three failures", n, tr.Up())
	}
}

// An unknown hash takes no place in memory: strangers can make up many.
func TestUnknownIsNotKept(t *testing.T) {
	s, tr := start(t)
	s.answer.Store(&swap.Tracking{Reason: swap.WhyNotFound})
	for range 2 {
		if got, err := tr.Track(t.Context(), swap.Question{Tx: swap.Hash{1}}); err != nil || got.Reason != swap.WhyNotFound {
			t.Fatalf("Track = %+v, %v, want not found", got, err)
		}
	}
	if n := s.calls.Load(); n != 2 {
		t.Errorf("%d calls, want 2", n)
	}
}

func TestMalformedAnswer(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"orders":[{"status":"stolen"}]}`))
	}))
	defer server.Close()
	url, err := upstream.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := tracker.New(tracker.Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	defer tr.Close()
	if _, err := tr.Track(t.Context(), swap.Question{}); !errors.Is(err, upstream.Malformed) {
		t.Errorf("Track = %v, want malformed", err)
	}
}

// A long answer about one transaction takes nothing from the others.
func TestLongAnswerIsOneTransactions(t *testing.T) {
	s, tr := start(t)
	long := at(swap.StagePaying, 3)
	long.Orders[0].Reason = strings.Repeat("x", tracking.MaxAnswer)
	s.answer.Store(long)
	for range 5 {
		if _, err := tr.Track(t.Context(), swap.Question{Tx: swap.Hash{1}}); !errors.Is(err, upstream.TooLarge) {
			t.Fatalf("Track = %v, want too large", err)
		}
	}
	s.answer.Store(at(swap.StagePaying, 3))
	if _, err := tr.Track(t.Context(), swap.Question{Tx: swap.Hash{2}}); err != nil {
		t.Errorf("another transaction: %v, want its status", err)
	}
}

// A replica of the settler may be behind, and another replica of the quote service
// may have told the caller more.
func TestMarkNeverFalls(t *testing.T) {
	s, tr := start(t)
	q := swap.Question{Tx: swap.Hash{1}}
	for _, tt := range []struct {
		name  string
		after swap.Mark
		say   uint64
		want  uint64
	}{
		{"the first answer", swap.Mark{}, 3, 3},
		{"a caller that knows more than is kept", swap.Mark{Step: 4}, 4, 4},
		{"a settler that is behind", swap.Mark{Step: 5}, 3, 4},
	} {
		s.answer.Store(at(swap.StagePaying, tt.say))
		q.After = tt.after
		if got, err := tr.Track(t.Context(), q); err != nil || got.Mark().Step != tt.want {
			t.Errorf("%s: Track = %+v, %v, want step %d", tt.name, got, err, tt.want)
		}
	}
}

// The request that finds out whether a settler is back does not wait for news:
// all others are refused meanwhile.
func TestTrialDoesNotWait(t *testing.T) {
	s, tr := start(t)
	for range 3 {
		_, _ = tr.Track(t.Context(), swap.Question{Tx: swap.Hash{1}})
	}
	s.answer.Store(at(swap.StagePaying, 3))
	for ctx := t.Context(); !tr.Up() && ctx.Err() == nil; {
		_, _ = tr.Track(ctx, swap.Question{Tx: swap.Hash{1}, Wait: 25 * time.Second})
	}
	if got := s.query.Load().(string); strings.Contains(got, "wait") {
		t.Errorf("asked %s after an outage, want an answer at once", got)
	}
}

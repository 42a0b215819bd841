package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/client"
	"hubquote/internal/wire/tracking"
	"hubquote/swap"
	"hubquote/test/fake"
)

func at(stage swap.Stage, step uint64) *swap.Tracking {
	return &swap.Tracking{AsOf: time.Unix(1, 0).UTC(), Orders: []swap.Status{{Stage: stage, Mark: swap.Mark{Step: step}}}}
}

// trackServer answers with each of these in turn; nil is a refusal that says
// when to come back.
func trackServer(t *testing.T, answers ...*swap.Tracking) (*client.Client, *[]string) {
	t.Helper()
	asked := new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := answers[min(len(*asked), len(answers)-1)]
		*asked = append(*asked, r.URL.RequestURI())
		if answer == nil {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte(`{"code":"STATUS_UNAVAILABLE","detail":"later"}`))
			return
		}
		fake.Says(answer).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	c, err := client.New(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return c, asked
}

func TestTrack(t *testing.T) {
	c, asked := trackServer(t, at(swap.StagePaid, 4))
	got, err := c.Track(t.Context(), swap.Hash{1})
	if err != nil || len(got.Orders) != 1 || got.Orders[0].Stage != swap.StagePaid {
		t.Errorf("Track = %+v, %v, want one order that is paid", got, err)
	}
	if want := "/v3/swap/status?txHash=" + (swap.Hash{1}).String(); (*asked)[0] != want {
		t.Errorf("asked %s, want %s", (*asked)[0], want)
	}
}

// WaitFor comes back when it is told to, takes no older answer for news, and
// stops at the end.
func TestWaitFor(t *testing.T) {
	c, asked := trackServer(t, at(swap.StagePaying, 3), nil, at(swap.StageConfirming, 2), at(swap.StageDone, 8))
	var seen []swap.Stage
	got, err := c.WaitFor(t.Context(), swap.Hash{1}, func(t *swap.Tracking) bool {
		seen = append(seen, t.Orders[0].Stage)
		return t.Final()
	})
	if err != nil || !got.Final() || !slices.Equal(seen, []swap.Stage{swap.StagePaying, swap.StageDone}) {
		t.Errorf("WaitFor = %+v, %v after %v, want done after paying", got, err, seen)
	}
	if want := "/v3/swap/status?after=0.3&txHash=" + (swap.Hash{1}).String() + "&wait=8s"; len(*asked) != 4 || (*asked)[3] != want {
		t.Errorf("asked %v, want four requests, the last %s", *asked, want)
	}
}

func TestWaitForEndsWithItsContext(t *testing.T) {
	c, _ := trackServer(t, at(swap.StagePaying, 3))
	ctx, cancel := context.WithCancel(t.Context())
	got, err := c.WaitFor(ctx, swap.Hash{1}, func(*swap.Tracking) bool { cancel(); return false })
	if !errors.Is(err, context.Canceled) || got == nil {
		t.Errorf("WaitFor = %+v, %v, want the last answer and the context's error", got, err)
	}
}

// A script answers requests without a network, so that a test can let minutes
// pass in no time. The last line is repeated.
type script struct {
	lines []line
	asked int
}

type line struct {
	status int // 0: the connection is lost
	after  string
	body   any
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	l := s.lines[min(s.asked, len(s.lines)-1)]
	s.asked++
	if l.status == 0 {
		return nil, errors.New("connection reset")
	}
	body, err := json.Marshal(l.body)
	if err != nil {
		return nil, err
	}
	h := http.Header{}
	if l.after != "" {
		h.Set("Retry-After", l.after)
	}
	return &http.Response{StatusCode: l.status, Header: h, Body: io.NopCloser(bytes.NewReader(body)), Request: r}, nil
}

var (
	unavailable = line{503, "5", map[string]string{"code": "STATUS_UNAVAILABLE", "detail": "this service has no settler to ask"}}
	tooMany     = line{429, "7", map[string]string{"code": "RATE_LIMITED", "detail": "too many"}}
	refused     = line{400, "", map[string]string{"code": "HASH_INVALID", "detail": "not a hash"}}
	lost        = line{}
)

func says(t *swap.Tracking) line { return line{200, "", tracking.New(t)} }

func without(reason string) line { return says(&swap.Tracking{Reason: reason}) }

// WaitFor ends when nothing more will come, gives up on a server that cannot
// answer, and waits as long as a server that limits requests says.
func TestWaitForEnds(t *testing.T) {
	paying, done := says(at(swap.StagePaying, 3)), says(at(swap.StageDone, 8))
	ignored := says(&swap.Tracking{Orders: []swap.Status{{Stage: swap.StageUnknown, Reason: swap.WhyNoOrder}}})
	for _, tt := range []struct {
		name   string
		lines  []line
		asked  int
		took   time.Duration
		status int         // of the refusal, or 0
		err    bool        // some error
		reason string      // of the answer
		last   *swap.Stage // of the answer's order
	}{
		{"no settler: after five times", []line{unavailable}, 6, 25 * time.Second, 503, true, "", nil},
		{"a settler that is back", []line{unavailable, done}, 2, 5 * time.Second, 0, false, "", new(swap.StageDone)},
		{"too many requests: for as long as it takes", []line{tooMany, tooMany, tooMany, tooMany, tooMany, tooMany, tooMany, done}, 8, 49 * time.Second, 0, false, "", new(swap.StageDone)},
		{"a request that is wrong: at once", []line{refused}, 1, 0, 400, true, "", nil},
		{"no connection at first: at once", []line{lost}, 1, 0, 0, true, "", nil},
		{"a connection lost later: after five times", []line{paying, lost}, 7, 32 * time.Second, 0, true, "", new(swap.StagePaying)},
		{"a connection that comes back", []line{paying, lost, lost, done}, 4, 4 * time.Second, 0, false, "", new(swap.StageDone)},
		{"reverted", []line{without(swap.WhyPending), without(swap.WhyReverted)}, 2, time.Second, 0, false, swap.WhyReverted, nil},
		{"no order", []line{without(swap.WhyNoOrder)}, 1, 0, 0, false, swap.WhyNoOrder, nil},
		{"a burn that becomes no order", []line{ignored}, 1, 0, 0, false, "", new(swap.StageUnknown)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{lines: tt.lines}
				retries := 0
				c, err := client.New("http://server.example", client.WithHTTPClient(&http.Client{Transport: s}), client.OnRetry(func(error, time.Duration) { retries++ }))
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				got, err := c.WaitFor(t.Context(), swap.Hash{1}, nil)
				if took := time.Since(start); s.asked != tt.asked || took != tt.took {
					t.Errorf("%d requests in %s, want %d in %s", s.asked, took, tt.asked, tt.took)
				}
				refusal, _ := errors.AsType[*client.Refusal](err)
				if (err != nil) != tt.err || tt.status != 0 && (refusal == nil || refusal.Status != tt.status) {
					t.Errorf("error = %v, want one: %t, with status %d", err, tt.err, tt.status)
				}
				if tt.last != nil && (got == nil || got.Orders[0].Stage != *tt.last) || got != nil && got.Reason != tt.reason {
					t.Errorf("answer = %+v, want reason %q and the stage", got, tt.reason)
				}
				if tt.err && tt.asked > 1 && retries == 0 {
					t.Error("no retry was told, want each")
				}
			})
		})
	}
}

// The chain of a transaction is passed on with every request.
func TestWaitForOnChain(t *testing.T) {
	c, asked := trackServer(t, at(swap.StageDone, 8))
	if _, err := c.WaitFor(t.Context(), swap.Hash{1}, nil, client.OnChain(369)); err != nil {
		t.Fatal(err)
	}
	if want := "/v3/swap/status?srcChain=369&txHash=" + (swap.Hash{1}).String(); (*asked)[0] != want {
		t.Errorf("asked %s, want %s", (*asked)[0], want)
	}
}

// A transaction of a hundred orders is longer than any quote.
func TestTrackReadsLongAnswers(t *testing.T) {
	long := &swap.Tracking{}
	for range 100 {
		long.Orders = append(long.Orders, swap.Status{Stage: swap.StagePaid, Order: &swap.Order{Recipient: make([]byte, 160)}})
	}
	c, _ := trackServer(t, long)
	if got, err := c.Track(t.Context(), swap.Hash{1}); err != nil || len(got.Orders) != 100 {
		t.Errorf("Track = %v, want 100 orders", err)
	}
}

// An order that does not hash to its ID is refused without any node.
func TestProveWithoutNodes(t *testing.T) {
	c, _ := trackServer(t, nil)
	lie := at(swap.StagePaid, 4)
	lie.Orders[0].ID, lie.Orders[0].Order = swap.Hash{9}, &swap.Order{}
	if _, err := c.Prove(t.Context(), swap.Hash{1}, lie, nil); err == nil {
		t.Error("Prove of a made-up ID: no error, want a contradiction")
	} else if _, ok := errors.AsType[*client.Contradiction](err); !ok {
		t.Errorf("Prove = %v, want a contradiction", err)
	}
}

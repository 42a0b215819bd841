package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"hubquote/client"
	"hubquote/internal/wire/tracking"
	"hubquote/swap"
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
		_ = json.NewEncoder(w).Encode(tracking.New(answer))
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

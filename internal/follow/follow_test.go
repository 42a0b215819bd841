package follow_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/client"
	"hubquote/internal/follow"
	"hubquote/swap"
	"hubquote/test/fake"
)

// A transaction that is pending is waited for; one that no chain has is given up
// after two minutes, counted from when it was pending last.
func TestPendingIsWaitedFor(t *testing.T) {
	for _, tt := range []struct {
		name    string
		reason  func(after time.Duration) string
		atLeast time.Duration
		say     string
	}{
		{"not found", func(time.Duration) string { return swap.WhyNotFound }, 2 * time.Minute, "check the hash"},
		{"pending for an hour, then dropped", func(after time.Duration) string {
			if after < time.Hour {
				return swap.WhyPending
			}
			return swap.WhyNotFound
		}, time.Hour + time.Minute, "check the hash"},
		{"pending for an hour, then failed", func(after time.Duration) string {
			if after < time.Hour {
				return swap.WhyPending
			}
			return swap.WhyReverted
		}, time.Hour, "the transaction failed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				server := fake.Status(func(*http.Request) *swap.Tracking {
					return &swap.Tracking{Reason: tt.reason(time.Since(start))}
				})
				pins, err := client.EmbeddedPins()
				if err != nil {
					t.Fatal(err)
				}
				c, err := client.New("http://server", client.WithPins(pins), client.WithHTTPClient(&http.Client{Transport: fake.Network{"server": server}}))
				if err != nil {
					t.Fatal(err)
				}
				err = follow.Swap(t.Context(), follow.Options{Client: c, Out: io.Discard}, swap.Hash{1})
				if err == nil || !strings.Contains(err.Error(), tt.say) || time.Since(start) < tt.atLeast {
					t.Errorf("Swap = %v after %s, want that %s, no earlier than after %s", err, time.Since(start), tt.say, tt.atLeast)
				}
			})
		})
	}
}

package ratelimit_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hubquote/internal/ratelimit"

	"github.com/redis/go-redis/v9"
)

func TestRedisOptions(t *testing.T) {
	tests := []struct {
		name string
		o    ratelimit.RedisOptions
	}{
		{"no URL", ratelimit.RedisOptions{}},
		{"another protocol", ratelimit.RedisOptions{URL: "https://canary:canary@canary/canary"}},
		{"not a URL", ratelimit.RedisOptions{URL: "redis://canary:canary@canary:canary/0"}},
		{"not a database", ratelimit.RedisOptions{URL: "redis://canary:canary@canary/canary"}},
		{"not an option", ratelimit.RedisOptions{URL: "redis://canary:canary@canary/0?canary=1"}},
		{"negative timeout", ratelimit.RedisOptions{URL: "redis://canary", Timeout: -1}},
		{"negative connections", ratelimit.RedisOptions{URL: "redis://canary", Connections: -1}},
		{"a policy that memory could not keep", ratelimit.RedisOptions{URL: "redis://canary", Policy: ratelimit.Policy{Requests: 31, Window: 1}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := ratelimit.NewRedis(tt.o)
			if err == nil {
				t.Fatal("no complaint")
			}
			if strings.Contains(err.Error(), "canary") {
				t.Errorf("the error shows the URL: %v", err)
			}
		})
	}
}

func TestRedisErrorsSayWhatButNotWhere(t *testing.T) {
	locked := startServer(t, "--requirepass", "right")
	frozen := startServer(t)
	frozen.freeze()
	defer frozen.thaw()
	tests := []struct {
		name, url, want string
	}{
		{"nobody there", "unix:///tmp/canary.sock", "redis: no such file or directory"},
		{"no such host", "redis://canary:canary@canary.invalid/0", ""},
		{"refused", "redis://canary:canary@127.0.0.1:1/0", "redis: connection refused"},
		{"wrong password", "unix://canary:canary@" + locked.socket, "redis: refused with WRONGPASS"},
		{"no password", locked.url(), "redis: refused with NOAUTH"},
		{"no answer", frozen.url(), "redis: no answer in time"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := locked.redis(ratelimit.RedisOptions{URL: tt.url, Timeout: 300 * time.Millisecond})
			_, err := r.Take(t.Context(), client("192.0.2.1"))
			if err == nil {
				t.Fatal("no error")
			}
			if tt.want != "" && err.Error() != tt.want {
				t.Errorf("got %q, want %q", err, tt.want)
			}
			if strings.Contains(err.Error(), "canary") {
				t.Errorf("the error shows the URL: %v", err)
			}
		})
	}
}

func TestReplicasShareABudgetExactly(t *testing.T) {
	s := startServer(t)
	replicas := []*ratelimit.Redis{s.redis(ratelimit.RedisOptions{}), s.redis(ratelimit.RedisOptions{})}
	var allowed atomic.Int32
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 20 {
				d, err := replicas[i%2].Take(t.Context(), client("192.0.2.1"))
				if err != nil {
					t.Error(err)
				}
				if d.Allowed {
					allowed.Add(1)
				}
			}
		})
	}
	all.Wait()
	if allowed.Load() != 30 {
		t.Errorf("two replicas allowed %d requests, want 30", allowed.Load())
	}
}

// TestWaitingHelps is the only test that uses the clock of Redis.
func TestWaitingHelps(t *testing.T) {
	r := startServer(t).redis(ratelimit.RedisOptions{Policy: ratelimit.Policy{Requests: 5, Window: 100 * time.Millisecond}})
	c := client("192.0.2.1")
	var refused ratelimit.Decision
	eventually(t, "five requests come fast enough for the sixth to be refused", func() bool {
		for range 6 {
			refused = must(t, r, c)
		}
		return !refused.Allowed
	})
	if refused.Reset <= 0 || refused.Reset > 100*time.Millisecond {
		t.Errorf("told to wait %v", refused.Reset)
	}
	// A millisecond more, as this clock and that of Redis may differ in speed.
	time.Sleep(refused.Reset + time.Millisecond)
	if !must(t, r, c).Allowed {
		t.Error("refused after waiting as long as it was told")
	}
}

func TestRedisForgetsIdleClients(t *testing.T) {
	s := startServer(t)
	db := redis.NewClient(&redis.Options{Network: "unix", Addr: s.socket})
	defer db.Close()
	r := s.redis(ratelimit.RedisOptions{Prefix: "test:"})
	must(t, r, client("2001:db8::1"))
	left := db.PTTL(t.Context(), "test:2001:db8::/64").Val()
	if left <= 0 || left > time.Minute {
		t.Errorf("the key is kept for %v, want up to a minute", left)
	}

	brief := s.redis(ratelimit.RedisOptions{Prefix: "brief:", Policy: ratelimit.Policy{Requests: 1, Window: 20 * time.Millisecond}})
	must(t, brief, client("192.0.2.1"))
	eventually(t, "the key is gone", func() bool {
		return db.Exists(t.Context(), "brief:192.0.2.1").Val() == 0
	})
}

func TestRedisKeepsNoMoreThanItNeeds(t *testing.T) {
	s, clock := startServer(t), newClock()
	db := redis.NewClient(&redis.Options{Network: "unix", Addr: s.socket})
	defer db.Close()
	r := s.redis(ratelimit.RedisOptions{Prefix: "test:"})
	r.SetClock(clock.Now)
	for range 200 {
		must(t, r, client("192.0.2.1"))
		clock.advance(time.Second)
	}
	if n := db.LLen(t.Context(), "test:192.0.2.1").Val(); n > 30 {
		t.Errorf("%d moments are kept, want up to 30", n)
	}
}

// TestTheClockOfRedisIsSetBack: nobody gets more than is allowed, and nobody
// waits for longer than a window.
func TestTheClockOfRedisIsSetBack(t *testing.T) {
	clock, c := newClock(), client("192.0.2.1")
	r := startServer(t).redis(ratelimit.RedisOptions{})
	r.SetClock(clock.Now)
	for range 30 {
		must(t, r, c)
		clock.advance(time.Second)
	}
	clock.advance(-15 * time.Second)
	if got, want := must(t, r, c), (ratelimit.Decision{Reset: 45 * time.Second}); got != want {
		t.Fatalf("a little: got %+v, want %+v", got, want)
	}
	clock.advance(-24 * time.Hour)
	for range 3 {
		if got, want := must(t, r, c), (ratelimit.Decision{Reset: time.Minute}); got != want {
			t.Fatalf("got %+v, want %+v", got, want)
		}
	}
	clock.advance(time.Minute)
	if got := must(t, r, c); !got.Allowed || got.Remaining != 29 {
		t.Errorf("after a minute: %+v", got)
	}
}

// TestAReplicaWithASmallerPolicy is what a change of the policy looks like while
// it is being rolled out.
func TestAReplicaWithASmallerPolicy(t *testing.T) {
	s, clock, c := startServer(t), newClock(), client("192.0.2.1")
	large, small := s.redis(ratelimit.RedisOptions{}), s.redis(ratelimit.RedisOptions{Policy: ratelimit.Policy{Requests: 10, Window: time.Minute}})
	large.SetClock(clock.Now)
	small.SetClock(clock.Now)
	for range 20 {
		must(t, large, c)
		clock.advance(time.Second)
	}
	want := ratelimit.Decision{Reset: 50 * time.Second} // the tenth newest came at second 10, and now is 20
	if got := must(t, small, c); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestRedisIgnoresThatTheCallerIsGone(t *testing.T) {
	r := startServer(t).redis(ratelimit.RedisOptions{})
	ctx, cancel := cancelled(t)
	defer cancel()
	if d, err := r.Take(ctx, client("192.0.2.1")); err != nil || d.Remaining != 29 {
		t.Errorf("got %+v, %v", d, err)
	}
}

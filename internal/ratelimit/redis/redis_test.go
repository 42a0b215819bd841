package redis_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/redis"
	"hubquote/internal/upstream"
	"hubquote/test/fake"
	"hubquote/test/limiter"
)

// open returns a new replica's connection to a Redis. It has a long timeout,
// because the machine may be busy.
func open(tb testing.TB, url string, p ratelimit.Policy, prefix string) *redis.Redis {
	tb.Helper()
	return openFor(tb, url, p, prefix, 10*time.Second)
}

func openFor(tb testing.TB, url string, p ratelimit.Policy, prefix string, timeout time.Duration) *redis.Redis {
	tb.Helper()
	r, err := redis.NewPatient(mustURL(tb, url), p, timeout, prefix)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = r.Close() })
	return r
}

func mustURL(tb testing.TB, text string) upstream.URL {
	tb.Helper()
	u, err := upstream.Parse(text)
	if err != nil {
		tb.Fatal(err)
	}
	return u
}

// must returns a decision and fails the test on an error.
func must(tb testing.TB, r *redis.Redis, c ratelimit.Client) ratelimit.Decision {
	tb.Helper()
	d, err := r.Take(tb.Context(), c)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

func dial(tb testing.TB, s *fake.Redis) *goredis.Client {
	db := goredis.NewClient(&goredis.Options{Addr: s.Address, ReadTimeout: time.Minute}) // to make a million keys
	tb.Cleanup(func() { _ = db.Close() })
	return db
}

func TestLimiter(t *testing.T) {
	s, made := fake.NewRedis(t), 0
	limiter.Run(t, func(p ratelimit.Policy, c *limiter.Clock) limiter.Take {
		made++
		r := open(t, s.URL(), p, fmt.Sprintf("%d:", made))
		r.SetClock(c.Now)
		return func(c ratelimit.Client) ratelimit.Decision { return must(t, r, c) }
	})
}

func TestNewRefuses(t *testing.T) {
	tests := []struct {
		name string
		url  upstream.URL
	}{
		{"no URL", upstream.URL{}},
		{"another protocol", mustURL(t, "https://canary:canary@canary/canary")},
		{"not a database", mustURL(t, "redis://canary:canary@canary/canary")},
		{"not an option", mustURL(t, "redis://canary:canary@canary/0?canary=1")},
		{"two hosts", mustURL(t, "redis://canary,canary:2/0")},
		{"sentinels without a master", mustURL(t, "redis+sentinel://canary:1")},
		{"a cluster with a database", mustURL(t, "redis+cluster://canary:1/1")},
		{"a node without a host", mustURL(t, "redis+cluster://canary:1?addr=:2")},
		{"a negative database", mustURL(t, "redis://canary/-1")},
		{"a socket with a host", mustURL(t, "unix://canary/canary")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := redis.New(tt.url, ratelimit.Standard())
			if err == nil {
				t.Fatal("New has no error, want one")
			}
			if strings.Contains(err.Error(), "canary") {
				t.Errorf("error = %v, want it without the URL", err)
			}
		})
	}
}

func TestErrorsDoNotContainTheURL(t *testing.T) {
	locked := fake.NewRedis(t, "--requirepass", "right")
	frozen := fake.NewRedis(t)
	if err := frozen.Freeze(); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, url, want string
	}{
		{"no such host", "redis://canary:canary@canary.invalid/0", ""},
		{"refused", "redis://canary:canary@127.0.0.1:1/0", "redis: connection refused"},
		{"wrong password", "redis://canary:canary@" + locked.Address, "redis: refused with WRONGPASS"},
		{"no password", locked.URL(), "redis: refused with NOAUTH"},
		{"no answer", frozen.URL(), "redis: no answer in time"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := openFor(t, tt.url, ratelimit.Standard(), "", 300*time.Millisecond)
			_, err := r.Take(t.Context(), limiter.Client("192.0.2.1"))
			if err == nil {
				t.Fatal("Take has no error, want one")
			}
			if tt.want != "" && err.Error() != tt.want {
				t.Errorf("error = %q, want %q", err, tt.want)
			}
			if strings.Contains(err.Error(), "canary") {
				t.Errorf("error = %v, want it without the URL", err)
			}
		})
	}
}

func TestReplicasShareABudgetExactly(t *testing.T) {
	s := fake.NewRedis(t)
	replicas := []*redis.Redis{open(t, s.URL(), ratelimit.Standard(), ""), open(t, s.URL(), ratelimit.Standard(), "")}
	var allowed atomic.Int32
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for range 20 {
				d, err := replicas[i%2].Take(t.Context(), limiter.Client("192.0.2.1"))
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

// TestClientIsAllowedAfterReset is the only test that uses the clock of Redis.
func TestClientIsAllowedAfterReset(t *testing.T) {
	r := open(t, fake.NewRedis(t).URL(), ratelimit.Policy{Requests: 5, Window: 100 * time.Millisecond}, "")
	c := limiter.Client("192.0.2.1")
	var refused ratelimit.Decision
	fake.Eventually(t, "five requests come fast enough for the sixth to be refused", func() bool {
		for range 6 {
			refused = must(t, r, c)
		}
		return !refused.Allowed
	})
	if refused.Reset <= 0 || refused.Reset > 100*time.Millisecond {
		t.Errorf("Reset = %v, want up to 100 ms", refused.Reset)
	}
	// One millisecond more, because the two clocks may differ in speed.
	time.Sleep(refused.Reset + time.Millisecond)
	if !must(t, r, c).Allowed {
		t.Error("Take after Reset = refused, want allowed")
	}
}

func TestRedisForgetsIdleClients(t *testing.T) {
	s := fake.NewRedis(t)
	db := dial(t, s)
	r := open(t, s.URL(), ratelimit.Standard(), "test:")
	must(t, r, limiter.Client("2001:db8::1"))
	left := db.PTTL(t.Context(), "test:2001:db8::/64").Val()
	if left <= 0 || left > time.Minute {
		t.Errorf("the key is kept for %v, want up to a minute", left)
	}

	brief := open(t, s.URL(), ratelimit.Policy{Requests: 1, Window: 20 * time.Millisecond}, "brief:")
	must(t, brief, limiter.Client("192.0.2.1"))
	fake.Eventually(t, "the key is gone", func() bool {
		return db.Exists(t.Context(), "brief:192.0.2.1").Val() == 0
	})
}

func TestRedisKeepsOneWindowOfRequests(t *testing.T) {
	s, clock := fake.NewRedis(t), limiter.NewClock()
	db := dial(t, s)
	r := open(t, s.URL(), ratelimit.Standard(), "test:")
	r.SetClock(clock.Now)
	for range 200 {
		must(t, r, limiter.Client("192.0.2.1"))
		clock.Advance(time.Second)
	}
	if n := db.LLen(t.Context(), "test:192.0.2.1").Val(); n > 30 {
		t.Errorf("%d times are kept, want up to 30", n)
	}
}

// When the clock of Redis is set back, no client gets more than is allowed, and
// none waits for longer than a window.
func TestRedisClockSetBack(t *testing.T) {
	clock, c := limiter.NewClock(), limiter.Client("192.0.2.1")
	r := open(t, fake.NewRedis(t).URL(), ratelimit.Standard(), "")
	r.SetClock(clock.Now)
	for range 30 {
		must(t, r, c)
		clock.Advance(time.Second)
	}
	clock.Advance(-15 * time.Second)
	if got, want := must(t, r, c), (ratelimit.Decision{Reset: 45 * time.Second}); got != want {
		t.Fatalf("Take, 15 seconds back = %+v, want %+v", got, want)
	}
	clock.Advance(-24 * time.Hour)
	for range 3 {
		if got, want := must(t, r, c), (ratelimit.Decision{Reset: time.Minute}); got != want {
			t.Fatalf("Take, a day back = %+v, want %+v", got, want)
		}
	}
	clock.Advance(time.Minute)
	if got := must(t, r, c); !got.Allowed || got.Remaining != 29 {
		t.Errorf("Take after a minute = %+v, want allowed with 29 remaining", got)
	}
}

// While a change of the policy is rolled out, replicas with different policies
// share a Redis.
func TestReplicaWithASmallerPolicy(t *testing.T) {
	s, clock, c := fake.NewRedis(t), limiter.NewClock(), limiter.Client("192.0.2.1")
	large, small := open(t, s.URL(), ratelimit.Standard(), ""), open(t, s.URL(), ratelimit.Policy{Requests: 10, Window: time.Minute}, "")
	large.SetClock(clock.Now)
	small.SetClock(clock.Now)
	for range 20 {
		must(t, large, c)
		clock.Advance(time.Second)
	}
	want := ratelimit.Decision{Reset: 50 * time.Second} // the tenth newest came at second 10, and now is 20
	if got := must(t, small, c); got != want {
		t.Errorf("Take = %+v, want %+v", got, want)
	}
}

func TestCancellationIsIgnored(t *testing.T) {
	r := open(t, fake.NewRedis(t).URL(), ratelimit.Standard(), "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if d, err := r.Take(ctx, limiter.Client("192.0.2.1")); err != nil || d.Remaining != 29 {
		t.Errorf("Take = %+v, %v; want 29 remaining", d, err)
	}
}

const million = 1_000_000

// BenchmarkRedisMillionClients uses a Redis that has a million keys already: eight
// goroutines, each with requests from random clients.
func BenchmarkRedisMillionClients(b *testing.B) {
	s := fake.NewRedis(b, "--enable-debug-command", "yes")
	db := dial(b, s)
	if err := db.Do(b.Context(), "DEBUG", "POPULATE", million, "other", 64).Err(); err != nil {
		b.Fatal(err)
	}
	r, before := open(b, s.URL(), ratelimit.Standard(), ""), usedMemory(b, db)
	b.SetParallelism(max(1, 8/runtime.GOMAXPROCS(0)))
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		random := rand.New(rand.NewPCG(rand.Uint64(), 0))
		for pb.Next() {
			must(b, r, limiter.Numbered(random.Uint32N(million)))
		}
	})
	clients := db.DBSize(b.Context()).Val() - million
	b.ReportMetric(float64(usedMemory(b, db)-before)/float64(clients), "B/client")
}

func usedMemory(b *testing.B, db *goredis.Client) int64 {
	info, err := db.InfoMap(b.Context(), "memory").Result()
	if err != nil {
		b.Fatal(err)
	}
	n, err := strconv.ParseInt(info["Memory"]["used_memory"], 10, 64)
	if err != nil {
		b.Fatal(err)
	}
	return n
}

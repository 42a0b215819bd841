package redis_test

import (
	"math/rand/v2"
	"net"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"

	"hubquote/internal/ratelimit"
	"hubquote/test/fake"
	"hubquote/test/limiter"
)

// distant is the round trip to a Redis in another building.
const distant = 10 * time.Millisecond

// far starts a Redis whose answers take a while.
func far(tb testing.TB) (url string) {
	tb.Helper()
	s := fake.NewRedis(tb)
	address, err := net.ResolveTCPAddr("tcp", s.Address)
	if err != nil {
		tb.Fatal(err)
	}
	p := fake.NewProxy(tb, address)
	p.Delay(distant)
	return "redis://" + p.Addr().String() + "/0"
}

// A burst of decisions shares a few connections and round trips, so that a distant
// Redis decides about all of them, and no storm of new connections delays them.
func TestBurstSharesRoundTrips(t *testing.T) {
	const many = 500
	s := fake.NewRedis(t)
	db := dial(t, s)
	r := open(t, s.URL(), ratelimit.Standard(), "")
	must(t, r, limiter.Numbered(0))
	before := stats(t, db, "total_reads_processed")
	if err := s.Freeze(); err != nil {
		t.Fatal(err)
	}
	var waiting, all sync.WaitGroup
	waiting.Add(many)
	for i := range uint32(many) {
		all.Go(func() {
			waiting.Done()
			if d, err := r.Take(t.Context(), limiter.Numbered(i+1)); err != nil || d.Remaining != 29 {
				t.Errorf("client %d: %+v, %v, want 29 remaining", i+1, d, err)
			}
		})
	}
	waiting.Wait()
	if err := s.Thaw(); err != nil {
		t.Fatal(err)
	}
	all.Wait()
	if reads := stats(t, db, "total_reads_processed") - before; reads > many/2 {
		t.Errorf("%d decisions took %d reads of Redis, want batches", many, reads)
	}
	if made := stats(t, db, "total_connections_received"); made > 20 {
		t.Errorf("%d connections were made, want at most 8 for decisions, and those of the test", made)
	}
}

func stats(t *testing.T, db *goredis.Client, name string) (n int) {
	t.Helper()
	info, err := db.InfoMap(t.Context(), "stats").Result()
	if err != nil {
		t.Fatal(err)
	}
	if n, err = strconv.Atoi(info["Stats"][name]); err != nil {
		t.Fatal(err)
	}
	return n
}

// BenchmarkRedisTenMilliseconds wants 12,000 decisions a second of a Redis that is
// 10 ms away. It reports how many Redis made in a second, and the share that it did
// not make in time: those are made alone, which is not exact.
func BenchmarkRedisTenMilliseconds(b *testing.B) {
	const callers, wanted = 240, 12_000
	w := newWatch(b, openFor(b, far(b), ratelimit.Standard(), "", 50*time.Millisecond))
	w.Take(b.Context(), limiter.Numbered(0)) // connected
	var next atomic.Uint32
	b.SetParallelism(callers / runtime.GOMAXPROCS(0))
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		const pause = time.Second * callers / wanted
		for due := time.Now().Add(rand.N(pause)); pb.Next(); due = due.Add(pause) {
			time.Sleep(time.Until(due))
			w.Take(b.Context(), limiter.Numbered(next.Add(1)))
		}
	})
	alone := float64(w.alone.Load())
	b.ReportMetric((float64(b.N)-alone)/b.Elapsed().Seconds(), "decisions/s")
	b.ReportMetric(100*alone/float64(b.N), "%alone")
	b.ReportMetric(0, "ns/op")
}

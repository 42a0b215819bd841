package ratelimit_test

import (
	"encoding/binary"
	"math/rand/v2"
	"net/netip"
	"runtime"
	"strconv"
	"testing"

	"github.com/redis/go-redis/v9"

	"hubquote/internal/ratelimit"
)

const million = 1_000_000

// numbered returns one of four billion clients.
func numbered(n uint32) ratelimit.Client {
	var b [4]byte
	binary.BigEndian.PutUint32(b[:], n)
	return ratelimit.ClientOf(netip.AddrFrom4(b))
}

// fill returns a limiter that knows n clients, and how many bytes each takes.
func fill(tb testing.TB, n uint32) (m *ratelimit.Memory, perClient float64) {
	tb.Helper()
	before := heap()
	m = newMemory(tb, ratelimit.MemoryOptions{})
	for i := range n {
		m.Take(tb.Context(), numbered(i))
	}
	return m, float64(heap()-before) / float64(n)
}

func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func BenchmarkMemoryOneClient(b *testing.B) {
	m, c := newMemory(b, ratelimit.MemoryOptions{}), numbered(1)
	b.ReportAllocs()
	for b.Loop() {
		m.Take(b.Context(), c)
	}
}

// BenchmarkMemoryMillionClients is eight goroutines, each with requests from
// random ones of a million clients.
func BenchmarkMemoryMillionClients(b *testing.B) {
	m, perClient := fill(b, million)
	b.SetParallelism(max(1, 8/runtime.GOMAXPROCS(0)))
	b.ReportAllocs()
	b.ResetTimer()
	ctx := b.Context()
	b.RunParallel(func(pb *testing.PB) {
		random := rand.New(rand.NewPCG(rand.Uint64(), 0))
		for pb.Next() {
			m.Take(ctx, numbered(random.Uint32N(million)))
		}
	})
	b.ReportMetric(perClient, "B/client")
}

// BenchmarkMemoryNewClients is what an attacker with many addresses costs: all
// places are taken, and every request is from somebody new.
func BenchmarkMemoryNewClients(b *testing.B) {
	m, _ := fill(b, million)
	next := uint32(million)
	b.ReportAllocs()
	for b.Loop() {
		next++
		m.Take(b.Context(), numbered(next))
	}
}

// BenchmarkRedisMillionClients is the same over a Redis that has a million keys
// already: eight goroutines, each with requests from random clients.
func BenchmarkRedisMillionClients(b *testing.B) {
	s := startServer(b, "--enable-debug-command", "yes")
	db := redis.NewClient(&redis.Options{Network: "unix", Addr: s.socket})
	defer db.Close()
	if err := db.Do(b.Context(), "DEBUG", "POPULATE", million, "other", 64).Err(); err != nil {
		b.Fatal(err)
	}
	r, before := s.redis(ratelimit.RedisOptions{}), usedMemory(b, db)
	b.SetParallelism(max(1, 8/runtime.GOMAXPROCS(0)))
	b.ReportAllocs()
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		random := rand.New(rand.NewPCG(rand.Uint64(), 0))
		for pb.Next() {
			must(b, r, numbered(random.Uint32N(million)))
		}
	})
	clients := db.DBSize(b.Context()).Val() - million
	b.ReportMetric(float64(usedMemory(b, db)-before)/float64(clients), "B/client")
}

func usedMemory(b *testing.B, db *redis.Client) int64 {
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

func BenchmarkSource(b *testing.B) {
	peer, forwarded := netip.MustParseAddr("10.0.0.1"), []string{"198.51.100.9, 192.0.2.1, 10.0.0.3"}
	b.ReportAllocs()
	for b.Loop() {
		ratelimit.ClientOf(ratelimit.Source(peer, forwarded, proxies))
	}
}

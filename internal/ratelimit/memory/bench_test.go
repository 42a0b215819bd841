package memory_test

import (
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"hubquote/internal/ratelimit/memory"
	"hubquote/test/limiter"
)

const million = 1_000_000

// fill returns a limiter with n clients, and the number of bytes per client.
func fill(tb testing.TB, n uint32) (m *memory.Memory, perClient float64) {
	tb.Helper()
	before := heap()
	m = standard(tb, time.Now)
	for i := range n {
		m.Take(tb.Context(), limiter.Numbered(i))
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
	m, c := standard(b, time.Now), limiter.Numbered(1)
	b.ReportAllocs()
	for b.Loop() {
		m.Take(b.Context(), c)
	}
}

// BenchmarkMemoryMillionClients has eight goroutines with requests from random
// clients out of a million.
func BenchmarkMemoryMillionClients(b *testing.B) {
	m, perClient := fill(b, million)
	b.SetParallelism(max(1, 8/runtime.GOMAXPROCS(0)))
	b.ReportAllocs()
	b.ResetTimer()
	ctx := b.Context()
	b.RunParallel(func(pb *testing.PB) {
		random := rand.New(rand.NewPCG(rand.Uint64(), 0))
		for pb.Next() {
			m.Take(ctx, limiter.Numbered(random.Uint32N(million)))
		}
	})
	b.ReportMetric(perClient, "B/client")
}

// BenchmarkMemoryNewClients measures an attacker with many addresses: all slots
// are taken, and every request is from a new client.
func BenchmarkMemoryNewClients(b *testing.B) {
	m, _ := fill(b, million)
	next := uint32(million)
	b.ReportAllocs()
	for b.Loop() {
		next++
		m.Take(b.Context(), limiter.Numbered(next))
	}
}

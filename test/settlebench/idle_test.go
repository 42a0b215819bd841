package settlebench

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"hubquote/internal/settle/pace"
	"hubquote/internal/settler/term"
	"hubquote/swap"
	"hubquote/test/devnet"
	"hubquote/test/fake"
)

// source is a chain that is only burned on.
const source swap.ChainID = 10

// patient looks as often as on public chains, where a block is final at once.
func patient() term.Pace { return term.Pace{Local: true} }

// BenchmarkIdle counts the calls of a settler that has nothing to do, and those of
// a single order, at all three endpoints of a chain together. It watches for as long
// as the longest pause, so that what is asked seldom counts too; what is asked once
// an hour is in it, and counts six times.
func BenchmarkIdle(b *testing.B) {
	const watched = pace.Proof
	r := newRig(b, source)
	r.settle(patient(), devnet.Relayer)
	fake.Sleep(b.Context(), 30*time.Second) // until it has looked around
	chains := []swap.ChainID{src, dst, source}
	before, quiet := map[swap.ChainID]int{}, r.methods()
	for _, id := range chains {
		before[id] = r.calls(id)
	}
	fake.Sleep(b.Context(), watched)
	b.ReportMetric(0, "ns/op")
	sum := 0.0
	for _, id := range chains {
		perHour := float64(r.calls(id)-before[id]) * float64(time.Hour) / float64(watched)
		sum += perHour
		most, kind := 2000.0, "pool chain"
		if id == source {
			most, kind = 400, "burn source"
		}
		aim(fmt.Sprintf("calls in an idle hour, %s %d", kind, id), perHour, most, "calls")
	}
	fmt.Printf("idle for %v: %s\n", watched, since(quiet, r.methods()))
	busy, begin, start := r.methods(), r.calls(), time.Now()
	r.deposit()
	r.await(dst, "OrderFulfilled", 1)
	r.await(src, "OrderReleased", 1)
	fake.Sleep(b.Context(), 20*time.Second) // until the release is final and written down
	alone := float64(r.calls()-begin) - sum*time.Since(start).Hours()
	fmt.Printf("one order, and %v of idleness: %s\n", time.Since(start).Round(time.Second), since(busy, r.methods()))
	b.ReportMetric(alone, "calls/order")
	aim("calls for an order alone", alone, 25, "calls")
}

// methods are the calls of each method on each chain.
func (r *rig) methods() map[string]int {
	all := map[string]int{}
	for id, front := range r.fronts {
		for name, n := range front.Methods() {
			all[fmt.Sprintf("%d %s", id, name)] = n
		}
	}
	return all
}

// since lists the calls that came after the first count.
func since(first, then map[string]int) (list string) {
	for _, name := range slices.Sorted(maps.Keys(then)) {
		if n := then[name] - first[name]; n > 0 {
			list += fmt.Sprintf("\n%6d %s", n, name)
		}
	}
	return list
}

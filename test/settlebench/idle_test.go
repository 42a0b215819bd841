package settlebench

import (
	"fmt"
	"testing"
	"time"

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
// a single order.
func BenchmarkIdle(b *testing.B) {
	const watched = 90 * time.Second
	r := newRig(b, source)
	r.settle(patient(), devnet.Relayer)
	fake.Sleep(b.Context(), 30*time.Second) // until it has looked around
	chains := []swap.ChainID{src, dst, source}
	before := map[swap.ChainID]int{}
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
	begin, start := r.calls(), time.Now()
	r.deposit()
	r.await(dst, "OrderFulfilled", 1)
	r.await(src, "OrderReleased", 1)
	fake.Sleep(b.Context(), 20*time.Second) // until the release is final and written down
	alone := float64(r.calls()-begin) - sum*time.Since(start).Hours()
	b.ReportMetric(alone, "calls/order")
	aim("calls for an order alone", alone, 25, "calls")
}

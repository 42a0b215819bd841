package settlebench

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/internal/pools/atlas"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/sqlite"
	settled "hubquote/internal/settle/order"
	"hubquote/swap"
	"hubquote/test/devnet/backend"
	"hubquote/test/fake"
	"hubquote/test/reference"
)

// How many orders are open, how many are done, and in how many blocks they are.
const (
	open    = 100_000
	done    = 10_000
	blocks  = 11_000
	perDone = (open + done) / done // every so many is done
)

// A past is two chains with many orders between them.
type past struct {
	leg    *atlas.Leg
	pools  *fake.Pools
	orders map[[32]byte]*entry
	src    *ledger
	dst    *ledger
}

func newPast(b *testing.B, count int) *past {
	b.Helper()
	cat := reference.Catalog(b)
	p := &past{orders: map[[32]byte]*entry{}}
	var err error
	if p.pools, err = fake.NewPools(cat); err != nil {
		b.Fatal(err)
	}
	p.src, p.dst = newLedger(src, p.pools, p.orders), newLedger(dst, p.pools, p.orders)
	for _, r := range cat.Routes() {
		if r.Src.Network == src && r.Dst.Network == dst && r.Kind == swap.Direct && !r.Private() && !r.SrcToken.IsNative() {
			p.leg = p.pools.Leg(r.From().String(), r.To().String())
		}
	}
	held := new(big.Int)
	for i := range count {
		if e := p.open(i); !e.released {
			held.Add(held, e.order.Amount)
		}
	}
	p.src.seal()
	p.dst.seal()
	p.pools.Change(p.leg.From, func(s *contract.Snapshot) { s.Orders, s.Totals.Held = uint64(count), held })
	return p
}

// open makes an order, which is paid and released if it is one of those.
func (p *past) open(i int) *entry {
	from, to := common.Address(p.leg.From.Address), common.Address(p.leg.To.Address)
	block := uint64(height - 12_000 + i*blocks/(open+done))
	o := contract.Order{
		SrcPlace: big.NewInt(int64(src)), SrcPool: from, RefundTo: common.BigToAddress(big.NewInt(int64(i + 1))), Nonce: big.NewInt(int64(i)),
		SrcDecimals: p.leg.Route.SrcToken.Decimals, Amount: p.leg.Route.Limits.Min.ToBig(), DstPlace: big.NewInt(int64(dst)), DstPool: to,
		DstToken: common.Address(p.leg.Route.DstToken.Address), Rate: uint32(p.leg.Route.Rate), RecipientType: 0,
		Recipient: common.BigToAddress(big.NewInt(int64(i + 1))).Bytes(), Deadline: big.NewInt(time.Now().Add(72 * time.Hour).Unix()),
	}
	e, id := &entry{order: o}, o.ID()
	p.orders[id] = e
	p.src.add(block, from, "OrderOpened", []common.Hash{id, common.BytesToHash(o.RefundTo[:]), common.BigToHash(o.DstPlace)},
		o.RefundTo, big.NewInt(int64(i)), o.Amount, o)
	if i%perDone == 0 {
		e.paid, e.released = true, true
		p.dst.add(block+10, to, "OrderFulfilled", []common.Hash{id, {}, common.BytesToHash(o.Recipient)},
			o.SrcPlace, from, o.Amount, new(big.Int), new(big.Int), new(big.Int), true)
		p.src.add(block+20, from, "OrderReleased", []common.Hash{id}, o.Amount)
	}
	return e
}

// pause stops the payments of the pool, or lets them go on.
func (p *past) pause(on bool) {
	p.pools.Change(p.leg.To, func(s *contract.Snapshot) { s.PaymentsPaused = on })
}

// settle starts a settler on the chains, with the journal in a file.
func (p *past) settle(b *testing.B, file string) *fake.Process {
	b.Helper()
	child := backend.Child{
		Nodes: map[swap.ChainID][]string{src: p.src.serve(b), dst: p.dst.serve(b)}, Issuer: "http://127.0.0.1:1", Journal: file, Pace: quick(),
	}
	c, err := child.Start(func(line string) { b.Log(line) })
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.Kill)
	return c
}

// states counts the orders of a journal by their state.
func states(b *testing.B, j journal.Journal) map[settled.State]int64 {
	b.Helper()
	ages, err := j.Ages(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	counted := map[settled.State]int64{}
	for _, a := range ages {
		counted[a.State] += a.Orders
	}
	return counted
}

// newJournal makes a journal in a file, and opens it for reading.
func newJournal(b *testing.B) (file string, j journal.Journal) {
	b.Helper()
	file = filepath.Join(b.TempDir(), "journal.db")
	j, err := sqlite.Open(b.Context(), file)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = j.Close() })
	return file, j
}

// until waits for something, and returns how long that took.
func until(b *testing.B, patience time.Duration, event string, so func() bool) time.Duration {
	b.Helper()
	start := time.Now()
	ctx, stop := context.WithTimeout(b.Context(), patience)
	defer stop()
	for !so() {
		if !fake.Sleep(ctx, 500*time.Millisecond) { // to count a hundred thousand orders is work too
			b.Fatalf("not after %s: %s", patience, event)
		}
	}
	return time.Since(start)
}

// BenchmarkLarge has a hundred thousand open orders, whose pool does not pay, and
// ten thousand that are done. The journal is empty at first, as after its loss.
func BenchmarkLarge(b *testing.B) {
	p := newPast(b, open+done)
	file, j := newJournal(b)
	p.pause(true)
	s := p.settle(b, file)
	rebuilt := until(b, 10*time.Minute, "all orders are in the journal, each in its state", func() bool {
		n := states(b, j)
		return n[settled.Waiting] == open && n[settled.Closed] == done
	})
	work := processor(b, s.Cmd.Process.Pid)
	s.Kill()
	s = p.settle(b, file)
	fake.Sleep(b.Context(), time.Minute)
	memory := resident(b, s.Cmd.Process.Pid)
	s.Kill()
	p.pause(false)
	start := time.Now()
	s = p.settle(b, file)
	until(b, 2*time.Minute, "a payment is broadcast", func() bool { return p.dst.began() })
	first := p.dst.first.Sub(start)
	fake.Sleep(b.Context(), 10*time.Second)
	s.Kill()
	p.check(b)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(rebuilt.Seconds(), "rebuild-s")
	b.ReportMetric(work.Seconds(), "rebuild-cpu-s")
	b.ReportMetric(memory, "MB")
	b.ReportMetric(first.Seconds(), "first-s")
	aim("memory with 100,000 open orders, 60 s after start", memory, 256, "MB")
	aim("restart with 100,000 orders until the first payment", first.Seconds(), 5, "s")
	aim("journal of 100,000 open orders rebuilt", rebuilt.Seconds(), 120, "s")
}

func (l *ledger) began() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.sent) > 0
}

// check makes sure that no order is paid that is paid, and none in two transactions.
func (p *past) check(b *testing.B) {
	b.Helper()
	nonces := map[[32]byte]uint64{}
	many := contract.Pool.ABI().Methods["fulfilMany"]
	for _, tx := range p.dst.sent {
		args, err := many.Inputs.Unpack(tx.Data()[4:])
		if err != nil || [4]byte(tx.Data()) != [4]byte(many.ID) {
			continue
		}
		var call struct{ Batch []contract.Order }
		if err := many.Inputs.Copy(&call, args); err != nil {
			b.Fatal(err)
		}
		for _, o := range call.Batch {
			id := o.ID()
			if nonce, twice := nonces[id]; p.orders[id].paid || twice && nonce != tx.Nonce() {
				b.Errorf("order %s would be paid twice, want once", id)
			}
			nonces[id] = tx.Nonce()
		}
	}
	if len(nonces) == 0 {
		b.Error("no payment was sent, want some")
	}
}

// resident is the memory of a process, in millions of bytes.
func resident(b *testing.B, pid int) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		b.Fatal(err)
	}
	pages, err := strconv.ParseFloat(strings.Fields(string(text))[1], 64)
	if err != nil {
		b.Fatal(err)
	}
	return pages * float64(os.Getpagesize()) / 1e6
}

// processor is the time that a process has had of a processor, by the kernel's count
// of hundredths of a second. It says more than a clock where other work is done.
func processor(b *testing.B, pid int) time.Duration {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest) // from the state on: user and system time are the 12th and 13th
	user, err1 := strconv.ParseInt(fields[11], 10, 64)
	system, err2 := strconv.ParseInt(fields[12], 10, 64)
	if err := errors.Join(err1, err2); err != nil {
		b.Fatal(err)
	}
	return time.Duration(user+system) * 10 * time.Millisecond
}

// BenchmarkCatchUp reads fifteen days of blocks without an order.
func BenchmarkCatchUp(b *testing.B) {
	p := newPast(b, 0)
	file, j := newJournal(b)
	start, s := time.Now(), p.settle(b, file)
	until(b, 5*time.Minute, "the head is read", func() bool {
		cursors, err := j.Cursors(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		behind := func(c journal.Cursor) bool { return c.Pass != "head" || c.Number < height-1_000 }
		return len(slices.DeleteFunc(cursors, behind)) == 2
	})
	const each = 15 * 24 * 3600 / interval
	rate := 2 * each / time.Since(start).Seconds() // of both chains together
	s.Kill()
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(rate, "blocks/s")
	aim("catch-up, ranges of 2,000", rate, -20_000, "blocks/s")
}

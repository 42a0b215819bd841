package conn

import (
	"sync"
	"sync/atomic"
	"time"
)

// A deadline is kept here and passed on to the poller lazily. For every request
// net/http sets up to seven, most of them further away than the one before, and
// each costs the poller a lock and a timer. Here most cost one store: an operation
// that the poller ends too early finds that the deadline has moved, and goes on.
//
// Times are nanoseconds since [epoch], by the monotonic clock; zero is no deadline,
// and a negative one means "now": net/http interrupts a read with one in 1970.
type deadline struct {
	want   atomic.Int64 // as it was set
	armed  atomic.Int64 // as the poller has it; written under mu
	active atomic.Int32 // operations in progress
	mu     sync.Mutex
	arm    func(time.Time) error
}

// epoch is before all deadlines that are set to be waited for.
var epoch = time.Now()

// set changes the deadline. The poller is told only if an operation in progress
// would otherwise end too late.
//
// An operation counts itself before it reads want, and set writes want before it
// reads the count, so at least one of the two sees the other.
func (d *deadline) set(t time.Time) error {
	want := int64(0)
	if !t.IsZero() {
		want = int64(t.Sub(epoch))
	}
	d.want.Store(want)
	if d.active.Load() == 0 {
		return nil
	}
	return d.tell()
}

// tell passes the deadline on to the poller unless it has an earlier one.
func (d *deadline) tell() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	want, armed := d.want.Load(), d.armed.Load()
	if want == 0 || armed != 0 && armed <= want {
		return nil
	}
	d.armed.Store(want)
	return d.arm(epoch.Add(time.Duration(want)))
}

// begin prepares for an operation.
func (d *deadline) begin() {
	d.active.Add(1)
	want, armed := d.want.Load(), d.armed.Load()
	if want > 0 && (armed == 0 || armed > want) {
		_ = d.tell() // fails on a closed connection only, as the operation will
	}
}

func (d *deadline) end() { d.active.Add(-1) }

// isPast reports whether the deadline means "now", so that an operation need not
// begin.
func (d *deadline) isPast() bool { return d.want.Load() < 0 }

// again is called after a timeout. It reports whether the deadline is later than
// the poller thought, and tells it.
func (d *deadline) again() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	want := d.want.Load()
	if want != 0 && want <= int64(time.Since(epoch)) {
		return false
	}
	d.armed.Store(want)
	at := time.Time{}
	if want != 0 {
		at = epoch.Add(time.Duration(want))
	}
	return d.arm(at) == nil
}

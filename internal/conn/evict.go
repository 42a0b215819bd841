package conn

import (
	"cmp"
	"net/http"
	"slices"
	"time"
)

const (
	// batch is the part of all connections that is evicted at once when slots run
	// out, so that finding the oldest is paid for once by many new clients.
	batch = 64

	// pressure is how many of five slots must be taken for idle connections to be
	// closed early.
	pressure = 4

	// pressedIdle is how long a connection may be idle then.
	pressedIdle = 5 * time.Second

	// evicted is the state of a connection that is about to be closed.
	evicted = -1
)

// makeRoom evicts connections for a new one of a source: those that have been idle
// for long while few slots are left, then the oldest of all if no slot is left, and
// the oldest of the source if it has its share. It returns them, for the caller to
// close without the lock.
func (t *Table) makeRoom(from *source, trusted bool) (gone []*Conn) {
	most := int(t.opts.Most)
	if t.count*5 >= most*pressure && time.Since(t.swept) > time.Second {
		t.swept = time.Now()
		gone = oldest(t.all(), t.count, t.isPressed)
	}
	if t.count-len(gone) >= most {
		gone = append(gone, oldest(t.all(), max(1, most/batch), nil)...)
	}
	if !trusted && from.without(gone) >= t.share {
		gone = append(gone, oldest(from.conns, 1, nil)...)
	}
	return gone
}

// without returns how many connections of a source are left without those that go.
func (s *source) without(gone []*Conn) int {
	n := len(s.conns)
	for _, c := range gone {
		if c.source == s {
			n--
		}
	}
	return n
}

func (t *Table) all() (list []*Conn) {
	list = make([]*Conn, 0, t.count)
	for _, from := range t.sources {
		list = append(list, from.conns...)
	}
	return list
}

// isPressed reports whether c has been idle for too long while few slots are left.
// An idle connection has the deadline that the server set when it became idle.
func (t *Table) isPressed(c *Conn) bool {
	since := time.Duration(c.read.want.Load()) - t.opts.Idle
	return c.isIdle() && time.Since(epoch)-since > pressedIdle
}

// isIdle reports whether nothing of a next request has come. The deadline is to be
// read before, as it is that of the header afterwards.
func (c *Conn) isIdle() bool {
	return http.ConnState(c.state.Load()) == http.StateIdle && c.sets.Load() == 1
}

// A candidate is a connection that waits for its client.
type candidate struct {
	*Conn
	state http.ConnState
	until int64 // when the server itself would close it
	idle  bool
}

// oldest evicts up to n of the connections that wait for their clients, if they
// meet a condition. Idle ones go first, then those that have not sent all of their
// request's header; proxies' go last, as other clients' requests may be on their way
// there.
func oldest(conns []*Conn, n int, meets func(*Conn) bool) (gone []*Conn) {
	var list []candidate
	for _, c := range conns {
		state, until := http.ConnState(c.state.Load()), c.read.want.Load()
		if (state == http.StateIdle || state == http.StateNew) && until > 0 && (meets == nil || meets(c)) {
			list = append(list, candidate{c, state, until, c.isIdle()})
		}
	}
	slices.SortFunc(list, before)
	for _, c := range list {
		if len(gone) == n {
			break
		}
		if c.Conn.state.CompareAndSwap(int32(c.state), evicted) {
			gone = append(gone, c.Conn)
		}
	}
	return gone
}

func before(a, b candidate) int {
	return cmp.Or(
		cmp.Compare(rank(a), rank(b)),
		cmp.Compare(a.until, b.until),
	)
}

func rank(c candidate) int {
	switch {
	case c.trusted:
		return 2
	case c.idle:
		return 0
	default:
		return 1
	}
}

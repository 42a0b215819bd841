package dispatch_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"hubquote/internal/settle/dispatch"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/send"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// A lane takes so many calls, and no more than it is let to.
type lane struct {
	mu     sync.Mutex
	free   int
	ready  bool
	stuck  chan struct{} // closed: calls are answered
	broken bool          // cannot be reconciled
	sent   []send.Call
}

func newLane(free int) *lane {
	l := &lane{free: free, stuck: make(chan struct{})}
	close(l.stuck)
	return l
}

func (l *lane) Reconcile(context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken {
		return errors.New("no endpoint answers")
	}
	l.ready = true
	return nil
}

func (l *lane) Tend(context.Context) error { return nil }

func (l *lane) Free() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ready {
		return 0
	}
	return l.free - len(l.sent)
}

func (l *lane) Fees(context.Context) (send.Fees, error) {
	return send.Fees{WithinCap: true, Calls: 7}, nil
}

func (l *lane) Send(ctx context.Context, c send.Call) error {
	select {
	case <-l.stuck:
	case <-ctx.Done():
		return ctx.Err()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = append(l.sent, c)
	return nil
}

type rig struct {
	*dispatch.Dispatcher
	done chan dispatch.Job
}

func start(t *testing.T, lanes map[swap.ChainID][]dispatch.Lane) *rig {
	t.Helper()
	r := &rig{done: make(chan dispatch.Job, 64)}
	r.Dispatcher = dispatch.New(dispatch.Options{
		Lanes: lanes, Every: func(swap.ChainID) time.Duration { return time.Millisecond },
		Done: func(_ context.Context, j dispatch.Job, _ error) { r.done <- j },
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { r.Run(ctx); close(ended) }()
	t.Cleanup(func() { stop(); <-ended })
	return r
}

func (r *rig) await(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !so(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not after a minute: want %s", what)
		}
	}
}

func job(chain swap.ChainID, task int64) dispatch.Job {
	return dispatch.Job{Chain: chain, Call: send.Call{Tasks: []journal.Reserved{{Task: task}}}}
}

func TestATaskGoesToOneLane(t *testing.T) {
	a, b := newLane(16), newLane(16)
	a.stuck, b.stuck = make(chan struct{}), make(chan struct{})
	r := start(t, map[swap.ChainID][]dispatch.Lane{369: {a, b}})
	r.await(t, "both lanes have room", func() bool { return r.Free()[369] == 32 })
	if !r.Do(job(369, 1)) || r.Do(job(369, 1)) || !r.Has(1) {
		t.Error("a task was taken twice, or not at all; want once")
	}
	close(a.stuck)
	close(b.stuck)
	<-r.done
	r.await(t, "the task is given back", func() bool { return !r.Has(1) })
	if n := len(a.sent) + len(b.sent); n != 1 {
		t.Errorf("%d calls were sent, want 1", n)
	}
}

// A chain that does not answer holds up no other, and takes no more than it has
// room for.
func TestAStuckChainHoldsUpNoOther(t *testing.T) {
	stuck, well, broken := newLane(2), newLane(16), newLane(16)
	stuck.stuck = make(chan struct{})
	broken.broken = true
	r := start(t, map[swap.ChainID][]dispatch.Lane{1: {stuck}, 369: {well}, 56: {broken}})
	r.await(t, "the lanes have room", func() bool { return r.Free()[1] == 2 && r.Free()[369] == 16 })
	taken := 0
	for n := range int64(9) {
		if r.Do(job(1, n)) {
			taken++
		}
	}
	if taken < 2 || taken > 3 { // one may be with the lane already
		t.Errorf("%d jobs were taken by a lane with room for 2, want 2 or 3", taken)
	}
	if !r.Do(job(369, 100)) {
		t.Fatal("Do on the other chain = false, want true")
	}
	if j := <-r.done; j.Chain != 369 {
		t.Errorf("chain %d was done first, want 369", j.Chain)
	}
	if r.Do(job(56, 200)) || r.Do(job(999, 300)) {
		t.Error("Do = true for a lane that is not reconciled or does not exist, want false")
	}
	close(stuck.stuck)
	for range taken {
		<-r.done
	}
}

func TestWorldAddsThePursesOfAllKeys(t *testing.T) {
	r := start(t, map[swap.ChainID][]dispatch.Lane{369: {newLane(1), newLane(1)}, 1: {}})
	calls := world.Budget{Limit: world.Calls, Pool: order.Pool{Chain: 369}}
	r.await(t, "both have answered", func() bool {
		w := world.World{Fees: map[swap.ChainID]world.Fees{}, Left: map[world.Budget]swap.Amount{}}
		r.World(&w)
		left := w.Left[calls]
		_, known := w.Fees[1]
		return w.Fees[369].WithinCap && left.Uint64() == 14 && !known
	})
}

// Package batch puts calls that come at the same time into batches, so that many
// share one round trip.
package batch

import "sync"

// A Batcher passes calls on in batches. A call never waits for others to come: it
// joins a batch only because all senders are busy.
type Batcher[C any] struct {
	calls  chan C
	ended  chan struct{}
	most   int
	run    func([]C)
	end    func()
	active sync.WaitGroup
}

// New starts senders. Each calls run with up to most calls at a time, and uses the
// slice again when run has returned.
func New[C any](senders, most int, run func([]C)) *Batcher[C] {
	b := &Batcher[C]{calls: make(chan C), ended: make(chan struct{}), most: most, run: run}
	b.end = sync.OnceFunc(func() { close(b.ended) })
	for range senders {
		b.active.Go(b.send)
	}
	return b
}

// Add waits until a sender takes the call, and reports whether one did before the
// channel done was closed.
func (b *Batcher[C]) Add(done <-chan struct{}, call C) bool {
	select {
	case b.calls <- call:
		return true
	case <-done:
	case <-b.ended:
	}
	return false
}

// Close waits for batches under way and ends the senders. It may be called again.
func (b *Batcher[C]) Close() {
	b.end()
	b.active.Wait()
}

func (b *Batcher[C]) send() {
	calls := make([]C, 0, b.most)
	for {
		select {
		case call := <-b.calls:
			calls = b.gather(append(calls[:0], call))
			b.run(calls)
			clear(calls)
		case <-b.ended:
			return
		}
	}
}

// gather adds the calls that wait for a sender at this moment.
func (b *Batcher[C]) gather(calls []C) []C {
	for len(calls) < b.most {
		select {
		case call := <-b.calls:
			calls = append(calls, call)
		default:
			return calls
		}
	}
	return calls
}

// Package dispatch gives calls to lanes without waiting for them. Each lane has
// a worker that alone talks to it, so a chain that does not answer holds up
// neither the other chains nor the caller.
package dispatch

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/send"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// A Lane is a key on a chain, as [send.Lane] is one.
type Lane interface {
	Reconcile(ctx context.Context) error
	Tend(ctx context.Context) error
	Free() int
	Fees(ctx context.Context) (send.Fees, error)
	Send(ctx context.Context, c send.Call) error
}

// A Job is a call for a chain, and what it was made of: a batch of orders, or a
// task that is no order's.
type Job struct {
	Chain swap.ChainID
	Call  send.Call
	Batch lane.Batch
	Task  journal.Task
}

// Options configure a [Dispatcher]. All but Log are required.
type Options struct {
	Lanes map[swap.ChainID][]Lane

	// Every is the pause between two looks of a lane at its nonces, by chain.
	Every func(swap.ChainID) time.Duration

	// Done is told what became of a job. It is called by the lane's worker.
	Done func(context.Context, Job, error)
	Log  *slog.Logger
}

// A Dispatcher has the workers of all lanes.
type Dispatcher struct {
	opts    Options
	workers map[swap.ChainID][]*worker

	mu  sync.Mutex
	out map[int64]bool // tasks that a worker has and that are not committed
}

// New returns a dispatcher that does nothing before [Dispatcher.Run].
func New(o Options) *Dispatcher {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	d := &Dispatcher{opts: o, workers: map[swap.ChainID][]*worker{}, out: map[int64]bool{}}
	for chain, lanes := range o.Lanes {
		for _, l := range lanes {
			d.workers[chain] = append(d.workers[chain], newWorker(d, chain, l))
		}
	}
	return d
}

// Run has the workers work until ctx ends.
func (d *Dispatcher) Run(ctx context.Context) {
	var working sync.WaitGroup
	for _, list := range d.workers {
		for _, w := range list {
			working.Go(func() { w.run(ctx) })
		}
	}
	working.Wait()
}

// Free returns how many more calls each chain takes now.
func (d *Dispatcher) Free() map[swap.ChainID]int {
	free := map[swap.ChainID]int{}
	for chain, list := range d.workers {
		for _, w := range list {
			free[chain] += w.room()
		}
	}
	return free
}

// Has reports whether a worker has the task.
func (d *Dispatcher) Has(task int64) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.out[task]
}

// Do gives a job to the lane of its chain with the most room, and reports
// whether one took it. A task goes to one lane only.
func (d *Dispatcher) Do(j Job) bool {
	var best *worker
	for _, w := range d.workers[j.Chain] {
		if w.room() > 0 && (best == nil || w.room() > best.room()) {
			best = w
		}
	}
	if best == nil || !d.take(j) {
		return false
	}
	best.jobs <- j // room leaves a place in the queue
	return true
}

func (d *Dispatcher) take(j Job) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range j.Call.Tasks {
		if d.out[t.Task] {
			return false
		}
	}
	for _, t := range j.Call.Tasks {
		d.out[t.Task] = true
	}
	return true
}

func (d *Dispatcher) finish(ctx context.Context, j Job, err error) {
	d.opts.Done(ctx, j, err)
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range j.Call.Tasks {
		delete(d.out, t.Task)
	}
}

// World fills in what gas costs on each chain and how many calls the purses pay
// for. A chain without a lane that has answered stays unknown.
func (d *Dispatcher) World(w *world.World) {
	for chain, list := range d.workers {
		for _, k := range list {
			fees, known := k.present()
			if !known {
				continue
			}
			all := w.Fees[chain]
			all.WithinCap = all.WithinCap || fees.WithinCap
			w.Fees[chain] = all
			calls := world.Budget{Limit: world.Calls, Pool: order.Pool{Chain: chain}}
			sum := w.Left[calls]
			w.Left[calls] = *sum.AddUint64(&sum, fees.Calls)
		}
	}
}

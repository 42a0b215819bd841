package dispatch

import (
	"context"
	"errors"
	"sync"
	"time"

	"hubquote/internal/settle/send"
	"hubquote/swap"
)

// queue is how many jobs may wait for a worker. It is more than a lane ever has
// free.
const queue = 64

// A worker is the only one that calls its lane. What others ask is answered
// from what the lane said last.
type worker struct {
	d     *Dispatcher
	chain swap.ChainID
	lane  Lane
	jobs  chan Job

	mu    sync.Mutex
	free  int
	fees  send.Fees
	known bool
}

func newWorker(d *Dispatcher, chain swap.ChainID, l Lane) *worker {
	return &worker{d: d, chain: chain, lane: l, jobs: make(chan Job, queue)}
}

// room is what was free last, less what waits.
func (w *worker) room() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return max(0, min(w.free, queue)-len(w.jobs))
}

func (w *worker) present() (send.Fees, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.fees, w.known
}

func (w *worker) run(ctx context.Context) {
	every := time.NewTicker(w.d.opts.Every(w.chain))
	defer every.Stop()
	reconciled := false
	for ctx.Err() == nil {
		if !reconciled {
			reconciled = w.report(ctx, "compare nonces with the chain", w.lane.Reconcile(ctx))
		}
		w.look(ctx)
		select {
		case <-ctx.Done():
		case j := <-w.jobs:
			err := w.lane.Send(ctx, j.Call)
			w.look(ctx)
			w.d.finish(ctx, j, err)
		case <-every.C:
			if reconciled {
				w.report(ctx, "look after transactions", w.lane.Tend(ctx))
			}
		}
	}
}

// look remembers what the lane says about itself.
func (w *worker) look(ctx context.Context) {
	fees, err := w.lane.Fees(ctx)
	w.report(ctx, "ask for fees", err)
	free := w.lane.Free()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.free, w.fees, w.known = free, fees, err == nil
}

// report logs a failure and reports whether there was none. The lane tries again
// by itself.
func (w *worker) report(ctx context.Context, what string, err error) bool {
	if err != nil && ctx.Err() == nil && !errors.Is(err, context.Canceled) {
		w.d.opts.Log.Warn("cannot "+what, "chain", w.chain, "err", err)
	}
	return err == nil
}

package burns_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"hubquote/internal/settle/burns"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/test/devnet/devnettest"
)

// Run does by itself what the other tests do by rounds.
func TestRun(t *testing.T) {
	b := newBench(t, gateway, source).fresh(t)
	chains := b.chains()
	for i := range chains {
		chains[i].First, chains[i].Poll = must(b.Chains[chains[i].ID].Head(t.Context()))(t), 20*time.Millisecond
	}
	made := make(chan struct{}, 100)
	b.burns = b.carrierWith(chains, func(o *burns.Options) {
		o.Tick, o.Sweep, o.Changed = 20*time.Millisecond, 50*time.Millisecond, func() { made <- struct{}{} }
	})
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- b.burns.Run(ctx) }()
	for range 2 {
		b.burn(burned{})
	}
	for delivered := 0; delivered < 2; {
		select {
		case <-made:
			delivered += len(must(b.journal.TasksReady(t.Context(), gateway))(t))
			b.send(gateway)
		case err := <-ended:
			t.Fatalf("Run = %v, want it to go on", err)
		}
	}
	devnettest.Eventually(t, "both burns are delivered", func() bool {
		n := 0
		for _, x := range b.image().Burns {
			if x.Status == "delivered" {
				n++
			}
		}
		return n == 2
	})
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Run ended with %v, want %v", err, context.Canceled)
	}
	for _, task := range b.image().Tasks {
		if task.Progress != order.Done {
			t.Errorf("task %d is %s, want done", task.ID, task.Progress)
		}
	}
}

func TestRunEndsWithTheLease(t *testing.T) {
	b := newBench(t, gateway).fresh(t)
	b.burns = b.carrierWith(b.chains(), func(o *burns.Options) {
		o.Write = func(context.Context, func(journal.Tx) error) error { return journal.ErrLost }
	})
	if err := b.burns.Run(t.Context()); !errors.Is(err, journal.ErrLost) {
		t.Errorf("Run ended with %v, want %v", err, journal.ErrLost)
	}
}

package main

import (
	"context"
	"syscall"
	"time"

	"hubquote/test/fake"
)

// restartInTurns restarts one replica after the other. The next must wait until
// the last is in use again, or there would be nobody to serve. It begins after half an
// interval, so that each quarter of the time has as many restarts as the others.
func (s *stage) restartInTurns(ctx context.Context) {
	next := s.report.began.Add(s.restart / 2)
	for turn := 0; fake.Sleep(ctx, time.Until(next)); turn++ {
		r := s.replicas[turn%replicas]
		if err := s.restartOne(r); err != nil {
			s.report.fault("restarts without success", "replica %d: %v", r.number+1, err)
			return
		}
		s.report.add(&s.report.restarts, 1)
		next = next.Add(s.restart)
	}
}

// restartOne reads the metrics for the last time when the proxy has left, so
// that no decision about a client is missing in them.
func (s *stage) restartOne(r *replica) error {
	p := r.current()
	_ = p.Signal(syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = fake.Until(ctx, func() bool { return s.proxy.left(r) || isClosed(p.Exited) })
	if _, err := r.scrape(p); err != nil {
		r.lost(p)
	}
	r.awaitExit(p)
	ctx, cancel = context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := r.start(ctx); err != nil {
		return err
	}
	return fake.Until(ctx, func() bool { return s.proxy.uses(r) })
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

package main

import (
	"context"
	"syscall"
	"time"

	"hubquote/test/fake"
)

// restartInTurns restarts one replica after the other. Each restart waits until the
// other replica is in use again, so that one of them always serves. The first comes
// after half an interval, so that all quarters of the time have equally many.
func (s *scenario) restartInTurns(ctx context.Context) {
	next := s.report.began.Add(s.restart / 2)
	for turn := 0; fake.Sleep(ctx, time.Until(next)); turn++ {
		r := s.replicas[turn%replicas]
		if err := s.restartOne(r); err != nil {
			s.report.fault("failed restarts", "replica %d: %v", r.number+1, err)
			return
		}
		s.report.add(&s.report.restarts, 1)
		next = next.Add(s.restart)
	}
}

// restartOne reads the metrics for the last time when the proxy sends no more
// requests, so that they include all decisions about clients.
func (s *scenario) restartOne(r *replica) error {
	p := r.current()
	_ = p.Signal(syscall.SIGTERM)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_ = fake.Until(ctx, func() bool { return s.proxy.drained(r) || isClosed(p.Exited) })
	if _, err := r.scrape(p); err != nil {
		r.metricsLost(p)
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

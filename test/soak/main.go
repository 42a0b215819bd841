// Soak is a load test on the local machine. It runs two replicas of the service
// that share a Redis behind a proxy and are restarted in turns, a single replica whose
// socket is handed over, clients that check every answer, attackers, a Redis that is
// lost and replaced, and upstreams with all kinds of faults. It exits with 0
// only if no request was dropped or answered wrongly, no decision of the rate
// limiter was impossible, no process panicked, and memory and goroutines did not
// grow.
//
// The load is low enough for two cores, because an overloaded machine causes
// failures that are not those of the service. Durations are not checked, but every
// request has a timeout of ten seconds.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"hubquote/test/fake"
)

// A plan is the configuration of a soak.
type plan struct {
	program string
	length  time.Duration

	restart time.Duration // from one restart of a replica to the next of the other
	phase   time.Duration // how long a fault of the upstreams lasts
	hold    time.Duration // how long an attacker waits for the server to close the connection

	polite, greedy int // clients below and above the rate limit
	spoof, attacks int // requests per second
	loris, unread  int // concurrent connections
	idle           int // connections that do nothing; zero for none
}

func main() {
	var p plan
	flag.StringVar(&p.program, "hubquote", "bin/hubquote", "the `program` to soak")
	flag.DurationVar(&p.length, "for", 10*time.Minute, "`time` under load")
	flag.DurationVar(&p.restart, "restart", 0, "`time` between restarts; zero for an eighth of the whole")
	flag.DurationVar(&p.phase, "phase", 10*time.Second, "`time` that a fault of the upstreams lasts")
	flag.DurationVar(&p.hold, "hold", 15*time.Second, "`time` that an attacker waits for the server to close the connection")
	flag.IntVar(&p.polite, "polite", 40, "`clients` that stay below the limit")
	flag.IntVar(&p.greedy, "greedy", 6, "`clients` that exceed the limit")
	flag.IntVar(&p.spoof, "spoof", 2200, "random sources per `second`; the default sends a million in ten minutes, despite restarts")
	flag.IntVar(&p.attacks, "attacks", 40, "other attacks per `second`")
	flag.IntVar(&p.loris, "loris", 200, "`connections` that send single bytes slowly")
	flag.IntVar(&p.unread, "unread", 30, "`connections` that do not read their answers")
	flag.IntVar(&p.idle, "idle", 1300, "`connections` that do nothing, more than both replicas have slots")
	flag.Parse()
	if p.restart == 0 {
		// Each replica then starts once in each quarter of the time, so that the
		// quarters can be compared.
		p.restart = p.length / 8
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r, err := soak(ctx, p)
	if err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
	r.print(os.Stdout)
	if len(r.problems()) > 0 {
		os.Exit(1)
	}
}

// A scenario is all that runs besides the load.
type scenario struct {
	plan
	report    *report
	redis     *fake.Redis
	upstreams *upstreams
	generator *generator
	replicas  []*replica
	proxy     *proxy
	single    *single
}

// soak returns an error only if the scenario could not be started.
func soak(ctx context.Context, p plan) (*report, error) {
	s := &scenario{plan: p, report: newReport(p.length)}
	defer s.close()
	if err := s.start(ctx); err != nil {
		return nil, err
	}
	s.awaitIdle(func(r *replica, goroutines int) { s.report.replicas[r.number].before = goroutines })
	s.upstreams.keepAlive(true)
	s.proxy.open()
	s.load(ctx)
	s.proxy.close()
	s.each(s.awaitRecovery)
	s.awaitIdle(func(r *replica, goroutines int) { s.report.replicas[r.number].after = goroutines })
	s.each((*replica).stop)
	return s.report, nil
}

// start starts the processes, upstreams first.
func (s *scenario) start(ctx context.Context) (err error) {
	if s.generator, err = newGenerator(); err != nil {
		return err
	}
	if s.redis, err = fake.StartRedis(); err != nil {
		return err
	}
	if s.upstreams, err = newUpstreams(s.generator.catalog); err != nil {
		return err
	}
	args := append(s.upstreams.flags(), "--redis", s.redis.URL())
	for i := range replicas {
		r := &replica{number: i, program: s.program, args: args, report: s.report}
		s.replicas = append(s.replicas, r)
		if err := r.start(ctx); err != nil {
			return err
		}
	}
	for _, r := range s.replicas {
		if err := r.awaitFees(ctx); err != nil {
			return err
		}
	}
	if s.single, err = newSingle(s.program, s.report); err != nil {
		return err
	}
	s.proxy, err = newProxy(s.replicas, s.report)
	return err
}

// load runs the clients, attacks, faults and restarts until the time is up.
// Requests under way then are finished.
func (s *scenario) load(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, s.length)
	defer cancel()
	s.report.began = time.Now()
	var all sync.WaitGroup
	all.Go(func() { s.upstreams.failInPhases(ctx, s.phase, s.report) })
	all.Go(func() { watchRedis(ctx, s.redis.Address, s.report) })
	all.Go(func() { s.loseRedis(ctx) })
	all.Go(func() { s.single.run(ctx, s.restart/4) })
	all.Go(func() { s.restartInTurns(ctx) })
	for _, r := range s.replicas {
		all.Go(func() { r.watch(ctx) })
	}
	s.startClients(ctx, &all)
	s.startAttacks(ctx, &all)
	s.startIdlers(ctx, &all)
	all.Wait()
}

// awaitIdle waits until the replicas are idle, and records how many goroutines
// each has then. Meanwhile the upstreams close idle connections again and again: a
// server does not yet close one that is new, and the replicas keep theirs for longer
// than this waits.
func (s *scenario) awaitIdle(record func(r *replica, goroutines int)) {
	ctx, stop := context.WithCancel(context.Background())
	var closing sync.WaitGroup
	defer closing.Wait()
	defer stop()
	closing.Go(func() {
		for more := true; more; more = fake.Sleep(ctx, time.Second) {
			s.upstreams.keepAlive(false)
		}
	})
	s.each(func(r *replica) { record(r, r.idle(s.report.replicas[r.number].before)) })
}

// each calls do for all replicas concurrently.
func (s *scenario) each(do func(*replica)) {
	var all sync.WaitGroup
	for _, r := range s.replicas {
		all.Go(func() { do(r) })
	}
	all.Wait()
}

func (s *scenario) close() {
	if s.proxy != nil {
		s.proxy.close()
	}
	for _, r := range s.replicas {
		r.kill()
	}
	if s.single != nil {
		s.single.close()
	}
	if s.upstreams != nil {
		s.upstreams.close()
	}
	if s.redis != nil {
		s.redis.Kill()
	}
}

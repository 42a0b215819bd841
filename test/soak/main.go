// Soak runs everything at once for a while, on this machine only: two replicas
// of the service that share a Redis behind a proxy, restarted in turns; clients
// that check every answer; attackers; and upstreams that fail in every way they
// can. It exits with 0 only if no request was dropped or answered wrongly, no
// decision of the rate limiter was impossible, nothing panicked, and memory and
// goroutines are where they were.
//
// It holds itself back to what two cores sustain: starved processes prove
// nothing. No duration is judged, but an answer that takes ten seconds is none.
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

// A plan says how much of everything there is.
type plan struct {
	program string
	length  time.Duration

	restart time.Duration // from one restart of a replica to the next of the other
	phase   time.Duration // how long a fault of the upstreams lasts
	hold    time.Duration // how long an attacker waits for a server to hang up on it

	polite, greedy int // clients that keep to the limit, and that do not
	spoof, attacks int // a second
	loris, unread  int // connections at a time
}

func main() {
	var p plan
	flag.StringVar(&p.program, "hubquote", "bin/hubquote", "the `program` to soak")
	flag.DurationVar(&p.length, "for", 10*time.Minute, "`time` under load")
	flag.DurationVar(&p.restart, "restart", 0, "`time` between restarts; zero for an eighth of the whole")
	flag.DurationVar(&p.phase, "phase", 10*time.Second, "`time` that a fault of the upstreams lasts")
	flag.DurationVar(&p.hold, "hold", 15*time.Second, "`time` that an attacker waits to be cut off")
	flag.IntVar(&p.polite, "polite", 40, "`clients` that stay below the limit")
	flag.IntVar(&p.greedy, "greedy", 6, "`clients` that do not")
	flag.IntVar(&p.spoof, "spoof", 2200, "made-up sources a `second`: a million in ten minutes, with what restarts cost")
	flag.IntVar(&p.attacks, "attacks", 40, "other attacks a `second`")
	flag.IntVar(&p.loris, "loris", 200, "`connections` that send a byte now and then")
	flag.IntVar(&p.unread, "unread", 30, "`connections` whose answers nobody reads")
	flag.Parse()
	if p.restart == 0 {
		// Each replica then starts once in each quarter of the time, so that
		// quarters compare.
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
	if len(r.verdict()) > 0 {
		os.Exit(1)
	}
}

// A stage is everything that runs besides the load.
type stage struct {
	plan
	report   *report
	redis    *fake.Redis
	world    *world
	market   *market
	replicas []*replica
	proxy    *proxy
}

// soak returns an error only if there was nothing to soak.
func soak(ctx context.Context, p plan) (*report, error) {
	s := &stage{plan: p, report: newReport(p.length)}
	defer s.close()
	if err := s.raise(ctx); err != nil {
		return nil, err
	}
	s.rest(func(r *replica, goroutines int) { s.report.replicas[r.number].before = goroutines })
	s.world.keepAlive(true)
	s.proxy.open()
	s.load(ctx)
	s.proxy.close()
	s.each(s.awaitRecovery)
	s.rest(func(r *replica, goroutines int) { s.report.replicas[r.number].after = goroutines })
	s.each((*replica).stop)
	return s.report, nil
}

// raise starts everything, upstreams first.
func (s *stage) raise(ctx context.Context) (err error) {
	if s.market, err = newMarket(); err != nil {
		return err
	}
	if s.redis, err = fake.StartRedis(); err != nil {
		return err
	}
	if s.world, err = newWorld(s.market.catalog); err != nil {
		return err
	}
	args := append(s.world.flags(), "--redis", s.redis.URL())
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
	s.proxy, err = newProxy(s.replicas, s.report)
	return err
}

// load runs all that goes on at once until the time is up. What is under way
// then is finished.
func (s *stage) load(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, s.length)
	defer cancel()
	s.report.began = time.Now()
	var all sync.WaitGroup
	all.Go(func() { s.world.misbehave(ctx, s.phase, s.report) })
	all.Go(func() { watchRedis(ctx, s.redis.Address, s.report) })
	all.Go(func() { s.restartInTurns(ctx) })
	for _, r := range s.replicas {
		all.Go(func() { r.watch(ctx) })
	}
	s.buy(ctx, &all)
	s.attack(ctx, &all)
	all.Wait()
}

// rest waits until the replicas have nothing to do, and tells how many
// goroutines each has then.
func (s *stage) rest(tell func(r *replica, goroutines int)) {
	s.world.keepAlive(false)
	s.each(func(r *replica) { tell(r, r.idle(s.report.replicas[r.number].before)) })
}

// each does something with all replicas at once.
func (s *stage) each(do func(*replica)) {
	var all sync.WaitGroup
	for _, r := range s.replicas {
		all.Go(func() { do(r) })
	}
	all.Wait()
}

func (s *stage) close() {
	if s.proxy != nil {
		s.proxy.close()
	}
	for _, r := range s.replicas {
		r.kill()
	}
	if s.world != nil {
		s.world.close()
	}
	if s.redis != nil {
		s.redis.Kill()
	}
}

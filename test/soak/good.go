package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"hubquote/client"
	"hubquote/swap"
	"hubquote/test/fake"
)

// A buyer is one client. It asks for one thing after the other.
type buyer struct {
	source    func() string // its address; another one of the same /64 each time
	base      http.RoundTripper
	last      decision
	client    *client.Client
	decisions []decision
}

// RoundTrip says who asks, and notes when.
func (b *buyer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Forwarded-For", b.source())
	b.last = decision{sent: time.Now()}
	resp, err := b.base.RoundTrip(r)
	b.last.got = time.Now()
	return resp, err
}

// newBuyer returns a client of the server at url. An answer that takes longer
// than the time-out is none.
func (m *market) newBuyer(url string, base http.RoundTripper, source func() string) (b *buyer, err error) {
	b = &buyer{source: source, base: base}
	b.client, err = client.New(url, client.WithPins(m.pins),
		client.WithHTTPClient(&http.Client{Transport: b, Timeout: 10 * time.Second}))
	return b, err
}

// Pauses between the requests of a client. The polite come close to the limit,
// and must never be refused.
const (
	politePause = window / budget * 5 / 4
	greedyPause = window / budget / 7
)

// buy starts the clients, half of them with IPv4 addresses and half with
// networks of IPv6. They come through the proxy.
func (s *stage) buy(ctx context.Context, all *sync.WaitGroup) {
	base := &http.Transport{MaxIdleConnsPerHost: s.polite + s.greedy}
	var buyers sync.WaitGroup
	for i := range s.polite + s.greedy {
		pause := politePause
		if i >= s.polite {
			pause = greedyPause
		}
		source := func() string { return fmt.Sprintf("10.0.%d.%d", i>>8, i&255) }
		if i%2 == 1 {
			source = func() string {
				return fmt.Sprintf("fd00::%x:%x:%x:%x:%x", i, rand.N(1<<16), rand.N(1<<16), rand.N(1<<16), rand.N(1<<16))
			}
		}
		buyers.Go(func() { s.shop(ctx, base, source, pause) })
	}
	all.Go(func() { buyers.Wait(); base.CloseIdleConnections() })
}

// shop is the life of one client. It ends between two requests.
func (s *stage) shop(ctx context.Context, base http.RoundTripper, source func() string, pause time.Duration) {
	b, err := s.market.newBuyer(s.proxy.url, base, source)
	if err != nil {
		s.report.fault("clients that could not be made", "%v", err)
		return
	}
	defer func() { s.report.decided(b.decisions) }()
	for wait := rand.N(pause); fake.Sleep(ctx, wait); wait = pause*9/10 + rand.N(pause/5) {
		ware := oneOf(wares)
		answer, after := b.ask(s.market.request(ware), ware, s.report)
		s.report.answer(ware, answer)
		// Most of the greedy go on at once; some wait as they are told to.
		if after > 0 && rand.N(100) == 0 && !fake.Sleep(ctx, after) {
			return
		}
	}
}

// ask asks once, and returns the status that came back, and for how long a
// client that was refused should wait.
func (b *buyer) ask(r swap.Request, ware string, to *report) (answer string, after time.Duration) {
	_, err := b.client.Quote(context.Background(), r)
	if err == nil {
		b.decide(true)
		return "200", 0
	}
	refusal, ok := errors.AsType[*client.Refusal](err)
	if !ok {
		to.fault(unanswered(err), "%s: %v", ware, err)
		return "none", 0
	}
	code := swap.CodeOf(refusal)
	switch limited := refusal.Status == http.StatusTooManyRequests; {
	case limited && code == swap.RateLimited && refusal.RetryAfter > 0:
		b.decide(false)
		after = refusal.RetryAfter
	case refusal.Status == http.StatusServiceUnavailable && code == excuses[ware] && refusal.RetryAfter > 0:
		b.decide(true)
	default:
		to.fault("answers that must not be", "%s: %v", ware, err)
	}
	return strconv.Itoa(refusal.Status), after
}

// unanswered tells a wrong answer from none.
func unanswered(err error) string {
	mismatch, refused := errors.AsType[*client.Mismatch](err)
	_, unproven := errors.AsType[*client.Unproven](err)
	switch {
	case refused && mismatch.Code == client.AnswerStatus:
		return "answers that must not be"
	case refused || unproven:
		return "wrong quotes"
	}
	return "requests dropped"
}

// decide notes what the limiter decided about the last request. A request that
// got no answer, or one it should not, has failed the soak already.
func (b *buyer) decide(allowed bool) {
	b.last.allowed = allowed
	b.decisions = append(b.decisions, b.last)
}

// awaitRecovery wants every kind of quote from a replica, now that nothing is
// wrong with the upstreams any more.
func (s *stage) awaitRecovery(r *replica) {
	base := &http.Transport{DisableKeepAlives: true}
	for _, ware := range wares {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		err := fake.Until(ctx, func() bool {
			b, err := s.market.newBuyer("http://"+r.address(), base, anySource)
			if err == nil {
				_, err = b.client.Quote(ctx, s.market.request(ware))
			}
			return err == nil
		})
		cancel()
		if err != nil {
			s.report.fault("quotes that did not come back", "replica %d: %s", r.number+1, ware)
		}
	}
}

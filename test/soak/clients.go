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

// A quoteClient is one client. It sends one request after the other.
type quoteClient struct {
	source    func() string // its address; a new one in the same /64 each time
	base      http.RoundTripper
	last      decision
	client    *client.Client
	decisions []decision
}

// RoundTrip adds the client's address, and records the times of the request.
func (c *quoteClient) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("X-Forwarded-For", c.source())
	c.last = decision{sent: time.Now()}
	resp, err := c.base.RoundTrip(r)
	c.last.got = time.Now()
	return resp, err
}

// newClient returns a client of the server at url. A timeout counts as a dropped
// request.
func (m *generator) newClient(url string, base http.RoundTripper, source func() string) (c *quoteClient, err error) {
	c = &quoteClient{source: source, base: base}
	c.client, err = client.New(url, client.WithPins(m.pins),
		client.WithHTTPClient(&http.Client{Transport: c, Timeout: 10 * time.Second}))
	return c, err
}

// Pauses between the requests of a client. Polite clients come close to the limit,
// and must never be refused.
const (
	politePause = window / budget * 5 / 4
	greedyPause = window / budget / 7
)

// startClients starts the clients, half of them with IPv4 addresses and half with
// IPv6 networks. They send their requests to the proxy.
func (s *scenario) startClients(ctx context.Context, all *sync.WaitGroup) {
	base := &http.Transport{MaxIdleConnsPerHost: s.polite + s.greedy}
	var clients sync.WaitGroup
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
		clients.Go(func() { s.runClient(ctx, base, source, pause) })
	}
	all.Go(func() { clients.Wait(); base.CloseIdleConnections() })
}

// runClient sends the requests of one client. It ends between two requests.
func (s *scenario) runClient(ctx context.Context, base http.RoundTripper, source func() string, pause time.Duration) {
	c, err := s.generator.newClient(s.proxy.url, base, source)
	if err != nil {
		s.report.fault("clients that could not be created", "%v", err)
		return
	}
	defer func() { s.report.decided(c.decisions) }()
	for wait := rand.N(pause); fake.Sleep(ctx, wait); wait = pause*9/10 + rand.N(pause/5) {
		kind := oneOf(routeKinds)
		answer, after := c.ask(s.generator.request(kind), kind, s.report)
		s.report.answer(kind, answer)
		// Most greedy clients continue at once; some wait for Retry-After.
		if after > 0 && rand.N(100) == 0 && !fake.Sleep(ctx, after) {
			return
		}
	}
}

// ask sends one request, and returns the status of the answer and, for a refused
// client, the time of Retry-After.
func (c *quoteClient) ask(r swap.Request, kind string, to *report) (answer string, after time.Duration) {
	_, err := c.client.Quote(context.Background(), r)
	if err == nil {
		c.decide(true)
		return "200", 0
	}
	refusal, ok := errors.AsType[*client.Refusal](err)
	if !ok {
		to.fault(faultOf(err), "%s: %v", kind, err)
		return "none", 0
	}
	code := swap.CodeOf(refusal)
	switch limited := refusal.Status == http.StatusTooManyRequests; {
	case limited && code == swap.RateLimited && refusal.RetryAfter > 0:
		c.decide(false)
		after = refusal.RetryAfter
	case refusal.Status == http.StatusServiceUnavailable && code == allowedFailures[kind] && refusal.RetryAfter > 0:
		c.decide(true)
	default:
		to.fault("unexpected answers", "%s: %v", kind, err)
	}
	return strconv.Itoa(refusal.Status), after
}

// faultOf returns the name of the fault that err is: a wrong answer, or none.
func faultOf(err error) string {
	mismatch, refused := errors.AsType[*client.Mismatch](err)
	_, unproven := errors.AsType[*client.Unproven](err)
	switch {
	case refused && mismatch.Code == client.AnswerStatus:
		return "unexpected answers"
	case refused || unproven:
		return "wrong quotes"
	}
	return "requests dropped"
}

// decide records the limiter's decision about the last request. A request without
// an answer, or with an unexpected one, is a fault already.
func (c *quoteClient) decide(allowed bool) {
	c.last.allowed = allowed
	c.decisions = append(c.decisions, c.last)
}

// awaitRecovery waits until a replica returns every kind of quote, after the
// upstreams have recovered.
func (s *scenario) awaitRecovery(r *replica) {
	base := &http.Transport{DisableKeepAlives: true}
	for _, kind := range routeKinds {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		err := fake.Until(ctx, func() bool {
			c, err := s.generator.newClient("http://"+r.address(), base, anySource)
			if err == nil {
				_, err = c.client.Quote(ctx, s.generator.request(kind))
			}
			return err == nil
		})
		cancel()
		if err != nil {
			s.report.fault("quotes that did not recover", "replica %d: %s", r.number+1, kind)
		}
	}
}

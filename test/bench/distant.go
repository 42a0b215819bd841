package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"hubquote/test/fake"
)

// distantRate is how many quotes a second are wanted of a service whose Redis is
// 10 ms away. Each connection waits that long for its answer, so with few of them
// the load would be the limit.
const (
	distantRate        = 6_000
	distantConnections = 256
)

// distant returns the best of three runs: when other programs take the processor for
// 50 ms, the service must decide alone, and that is no property of the service.
func distant(ctx context.Context, program string, length time.Duration) (rate, alone float64, err error) {
	for range 3 {
		r, a, err := distantOnce(ctx, program, length)
		if err != nil {
			return 0, 0, err
		}
		if r > rate {
			rate, alone = r, a
		}
	}
	return rate, alone, nil
}

// distantOnce returns how many quotes a second Redis decided about in time, and the
// share of those that the service had to decide alone, in per cent.
func distantOnce(ctx context.Context, program string, length time.Duration) (rate, alone float64, err error) {
	redis, err := fake.StartRedis()
	if err != nil {
		return 0, 0, err
	}
	defer redis.Kill()
	address, err := net.ResolveTCPAddr("tcp", redis.Address)
	if err != nil {
		return 0, 0, err
	}
	line, err := fake.StartProxy(address)
	if err != nil {
		return 0, 0, err
	}
	defer line.Stop()
	line.Delay(10 * time.Millisecond)
	s, err := startOurs(ctx, program, "--redis", "redis://"+line.Addr().String()+"/0")
	if err != nil {
		return 0, 0, err
	}
	defer s.process.Kill()
	list, err := connect(s.address, distantConnections)
	if err != nil {
		return 0, 0, err
	}
	defer list.close()
	r, err := list.paced(ctx, distantRate, length)
	if err != nil {
		return 0, 0, err
	}
	n, err := s.decidedAlone()
	total := float64(len(r.latencies))
	return (total - n) / r.took.Seconds(), 100 * n / total, err
}

var fallbacks = regexp.MustCompile(`(?m)^hubquote_limiter_fallback_total (\S+)$`)

func (s server) decidedAlone() (float64, error) {
	resp, err := http.Get("http://" + s.admin + "/metrics")
	if err != nil {
		return 0, err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err
	}
	if m := fallbacks.FindSubmatch(text); m != nil {
		return strconv.ParseFloat(string(m[1]), 64)
	}
	return 0, nil
}

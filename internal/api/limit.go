package api

import (
	"fmt"
	"math"
	"net/http"
	"net/netip"
	"strconv"
	"time"

	"hubquote/internal/api/handler"
	"hubquote/internal/ratelimit"
	"hubquote/internal/source"
	"hubquote/swap"
)

// limited lets a request through while its client has budget left. All paths
// it wraps share one budget.
func (s *Server) limited(h handler.Func) handler.Func {
	if s.opts.Limiter == nil {
		return h
	}
	standard := ratelimit.Standard()
	usual := policyHeader(standard)
	return func(w http.ResponseWriter, r *http.Request) error {
		c := s.client(r)
		d := s.opts.Limiter.Take(r.Context(), c)
		policy, header := s.policy(c), usual
		if policy != standard {
			header = policyHeader(policy)
		}
		reset := strconv.Itoa(seconds(d.Reset))
		w.Header()["Ratelimit-Policy"] = header
		w.Header()["Ratelimit"] = []string{`"client";r=` + strconv.Itoa(d.Remaining) + `;t=` + reset}
		s.opts.Metrics.Limited(d.Allowed)
		if d.Allowed {
			return h(w, r)
		}
		w.Header().Set("Retry-After", reset)
		return &swap.Error{Code: swap.RateLimited, Message: fmt.Sprintf(
			"more than %d requests within %d seconds from one address; try again in %s s",
			policy.Requests, seconds(policy.Window), reset)}
	}
}

// policy returns the one that a client is limited by: the standard one, unless the
// limiter knows better.
func (s *Server) policy(c ratelimit.Client) ratelimit.Policy {
	if l, ok := s.opts.Limiter.(interface {
		Policy(ratelimit.Client) ratelimit.Policy
	}); ok {
		return l.Policy(c)
	}
	return ratelimit.Standard()
}

func policyHeader(p ratelimit.Policy) []string {
	return []string{fmt.Sprintf(`"client";q=%d;w=%d`, p.Requests, seconds(p.Window))}
}

// seconds rounds up: a client that waits as long as it is told must succeed.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// client is the client that the request is counted for. Only a trusted proxy may
// name another than itself.
func (s *Server) client(r *http.Request) ratelimit.Client {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	return ratelimit.ClientOf(source.Of(peer.Addr(), r.Header["X-Forwarded-For"], s.opts.TrustedProxies))
}

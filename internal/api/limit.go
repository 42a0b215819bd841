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
	return s.within(budget{s.opts.Limiter, ratelimit.Standard(), "client"}, h)
}

// statusLimited is limited with the budget for the status.
func (s *Server) statusLimited(h handler.Func) handler.Func {
	return s.within(budget{s.opts.StatusLimiter, ratelimit.Status(), "status"}, h)
}

// A budget is a limiter, what it allows, and its name in the headers.
type budget struct {
	limiter ratelimit.Limiter // nil for no limit
	policy  ratelimit.Policy
	name    string
}

func (s *Server) within(b budget, h handler.Func) handler.Func {
	if b.limiter == nil {
		return h
	}
	usual := b.header(b.policy)
	return func(w http.ResponseWriter, r *http.Request) error {
		c := s.client(r)
		d := b.limiter.Take(r.Context(), c)
		policy, header := b.of(c), usual
		if policy != b.policy {
			header = b.header(policy)
		}
		reset := strconv.Itoa(seconds(d.Reset))
		w.Header()["Ratelimit-Policy"] = header
		w.Header()["Ratelimit"] = []string{`"` + b.name + `";r=` + strconv.Itoa(d.Remaining) + `;t=` + reset}
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

// of returns the policy that a client is limited by: the usual one, unless the
// limiter knows better.
func (b *budget) of(c ratelimit.Client) ratelimit.Policy {
	if l, ok := b.limiter.(interface {
		Policy(ratelimit.Client) ratelimit.Policy
	}); ok {
		return l.Policy(c)
	}
	return b.policy
}

func (b *budget) header(p ratelimit.Policy) []string {
	return []string{fmt.Sprintf(`"%s";q=%d;w=%d`, b.name, p.Requests, seconds(p.Window))}
}

// seconds rounds up: a client that waits as long as it is told must succeed.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }

// client is the client that the request is counted for. Only a trusted proxy may
// name another than itself.
func (s *Server) client(r *http.Request) ratelimit.Client {
	peer, _ := netip.ParseAddrPort(r.RemoteAddr)
	return ratelimit.ClientOf(source.Of(peer.Addr(), r.Header["X-Forwarded-For"], s.opts.TrustedProxies))
}

// Package budget gives clients of named networks a rate limit of their own. A
// client has exactly one: that of the smallest network it is in, or everyone's.
package budget

import (
	"context"
	"net/netip"

	"hubquote/internal/ratelimit"
)

// A Budget is what each client of some networks may ask for. An IPv6 client is a
// /64, so that its networks are not smaller than that.
type Budget struct {
	Name     string
	Networks []netip.Prefix
	Policy   ratelimit.Policy
}

// A Limiter limits by budget. It is a [ratelimit.Limiter].
type Limiter struct {
	rest  limited // of all other clients
	named []limited
}

type limited struct {
	Budget
	ratelimit.Limiter
}

// New returns a limiter of all clients that no budget names.
func New(p ratelimit.Policy, l ratelimit.Limiter) *Limiter {
	return &Limiter{rest: limited{Budget{Policy: p}, l}}
}

// Add gives the clients of a budget's networks a limiter of their own.
func (l *Limiter) Add(b Budget, own ratelimit.Limiter) { l.named = append(l.named, limited{b, own}) }

// Take counts one request of c if its budget allows it.
func (l *Limiter) Take(ctx context.Context, c ratelimit.Client) ratelimit.Decision {
	return l.of(c).Take(ctx, c)
}

// Policy returns the one that c is limited by.
func (l *Limiter) Policy(c ratelimit.Client) ratelimit.Policy { return l.of(c).Policy }

func (l *Limiter) of(c ratelimit.Client) *limited {
	best, bits := &l.rest, -1
	if len(l.named) == 0 {
		return best
	}
	addr := c.Addr()
	for i := range l.named {
		for _, n := range l.named[i].Networks {
			if n.Contains(addr) && n.Bits() > bits {
				best, bits = &l.named[i], n.Bits()
			}
		}
	}
	return best
}

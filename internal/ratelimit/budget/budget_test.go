package budget_test

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/budget"
	"hubquote/internal/ratelimit/memory"
)

const file = `
[partner]
networks = ["203.0.113.0/24", "2001:db8::/48"]
limit = "300/60s"

[monitor]
networks = ["203.0.113.7/32"]
limit = "5/1s"
`

func newLimiter(t *testing.T) *budget.Limiter {
	t.Helper()
	list, err := budget.Parse(file)
	if err != nil {
		t.Fatal(err)
	}
	rest, err := memory.New(ratelimit.Standard())
	if err != nil {
		t.Fatal(err)
	}
	l := budget.New(ratelimit.Standard(), rest)
	for _, b := range list {
		own, err := memory.NewLarge(b.Policy)
		if err != nil {
			t.Fatal(err)
		}
		l.Add(b, own)
	}
	return l
}

// Each client has the budget of the smallest network that it is in, for itself.
func TestBudgetOfAClient(t *testing.T) {
	tests := []struct{ name, client, want string }{
		{"in no network", "198.51.100.1", "30/60s"},
		{"in a network", "203.0.113.1", "300/60s"},
		{"in a smaller one too", "203.0.113.7", "5/1s"},
		{"an IPv6 client in a network", "2001:db8::1", "300/60s"},
		{"an IPv6 client in another /64 of it", "2001:db8:0:7::1", "300/60s"},
		{"an IPv6 client in none", "2001:db9::1", "30/60s"},
		{"an IPv4 client as IPv6", "::ffff:203.0.113.1", "300/60s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l, c := newLimiter(t), ratelimit.ClientOf(netip.MustParseAddr(tt.client))
			if got := l.Policy(c).String(); got != tt.want {
				t.Errorf("policy = %s, want %s", got, tt.want)
			}
			for range l.Policy(c).Requests {
				if d := l.Take(t.Context(), c); !d.Allowed {
					t.Fatalf("refused with %+v, want all of the budget", d)
				}
			}
			if d := l.Take(t.Context(), c); d.Allowed {
				t.Error("one request more was allowed, want it refused")
			}
		})
	}
}

func TestAddressesThatAreNoSourceShareTheRest(t *testing.T) {
	if got := newLimiter(t).Policy(ratelimit.ClientOf(netip.Addr{})); got != ratelimit.Standard() {
		t.Errorf("policy = %s, want %s", got, ratelimit.Standard())
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"text that is not TOML", "partner", "budgets: "},
		{"an unknown key", "[a]\nnetworks = [\"10.0.0.0/8\"]\nlimit = \"30/60s\"\nburst = 3", "unknown key a.burst"},
		{"no limit", "[a]\nnetworks = [\"10.0.0.0/8\"]", "budget a: limit: write requests and window"},
		{"no network", "[a]\nlimit = \"30/60s\"", "name at least one"},
		{"an address", "[a]\nnetworks = [\"10.0.0.1\"]\nlimit = \"30/60s\"", "not a network"},
		{"bits behind the length", "[a]\nnetworks = [\"10.0.0.1/8\"]\nlimit = \"30/60s\"", "not a network"},
		{"less than an IPv6 client", "[a]\nnetworks = [\"2001:db8::/65\"]\nlimit = \"30/60s\"", "counts as one client"},
		{"one network twice", file + "\n[b]\nnetworks = [\"203.0.113.0/24\"]\nlimit = \"30/60s\"", "budgets b and partner both have 203.0.113.0/24"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := budget.Parse(tt.text); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Parse = %v, want an error with %q", err, tt.want)
			}
		})
	}
}

// A policy has one spelling for each value in seconds.
func TestPolicies(t *testing.T) {
	for _, text := range []string{"30/60s", "1/1s", "100000/3600s", "5/1ms"} {
		p, err := ratelimit.ParsePolicy(text)
		if err != nil || p.String() != text {
			t.Errorf("ParsePolicy(%q) = %s, %v, want the same text", text, p, err)
		}
	}
	if p, err := ratelimit.ParsePolicy("30/1m"); err != nil || p != (ratelimit.Policy{Requests: 30, Window: time.Minute}) {
		t.Errorf("ParsePolicy(30/1m) = %s, %v, want 30/60s", p, err)
	}
	for _, text := range []string{"", "30", "30/", "/60s", "0/60s", "-1/60s", "+30/60s", "030/60s", "100001/60s", "30/0s", "30/-1s", "30/61m", "30/1us", "30/60", "30/60s/1"} {
		if p, err := ratelimit.ParsePolicy(text); err == nil {
			t.Errorf("ParsePolicy(%q) = %s, want an error", text, p)
		}
	}
}

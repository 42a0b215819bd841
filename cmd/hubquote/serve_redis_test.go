package main

import (
	"fmt"
	"net"
	"testing"

	"hubquote/test/fake"
)

// A redisServer is a real Redis with a single user. The program connects to it
// through a proxy, which can make connections fail.
type redisServer struct {
	*fake.Redis
	*fake.Proxy
}

func newRedis(t *testing.T) redisServer {
	t.Helper()
	r := fake.NewRedis(t, onlyUser(canary+"p")...)
	address, err := net.ResolveTCPAddr("tcp", r.Address)
	if err != nil {
		t.Fatal(err)
	}
	return redisServer{r, fake.NewProxy(t, address)}
}

func onlyUser(password string) []string {
	return []string{"--user", "default", "off", "--user", canary + "u", "on", ">" + password, "~*", "+@all"}
}

// changePassword starts Redis again with another password than the program has.
func (r redisServer) changePassword() error {
	r.Kill()
	r.SetArgs(onlyUser("other")...)
	return r.Redis.Start()
}

func (r redisServer) url() string {
	return "redis://" + canary + "u:" + canary + "p@" + r.Addr().String() + "/0?client_name=" + canary
}

const budget = 30 // requests per minute for one client

// allowed sends 80 requests of one client to two replicas in turns, and returns how
// many were allowed.
func allowed(client string, a, b *program) (n int) {
	for range 20 {
		for _, p := range []*program{a, b, b, a} {
			if p.getAs(client, quotePath(laneTo(369).query, "")).status == 200 {
				n++
			}
		}
	}
	return n
}

func TestReplicasShareOneBudget(t *testing.T) {
	t.Parallel()
	redis := newRedis(t)
	a, b := launch(t, "--redis", redis.url()), launch(t, "--redis", redis.url())
	sharesBudget(t, "fd00:1:%x::1", a, b)

	redis.Kill()
	if got := a.getAs("192.0.2.1", quotePath(laneTo(369).query, "")); got.status != 200 {
		t.Fatalf("first request without Redis = %d %s, want 200", got.status, got.Code)
	}
	if n := allowed("192.0.2.2", a, b); n != 2*budget {
		t.Errorf("two replicas without Redis allowed %d requests, want %d", n, 2*budget)
	}
	for _, p := range []*program{a, b} {
		degraded(t, p)
		if check, metric := p.check("limiter"), p.metric("hubquote_limiter_degraded"); check != "down" || metric != "1" {
			t.Errorf("limiter = %q, degraded = %q; want down, 1", check, metric)
		}
	}

	if err := redis.Start(); err != nil {
		t.Fatal(err)
	}
	for _, p := range []*program{a, b} {
		fake.Eventually(t, "recovery without a restart", func() bool {
			p.get(quotePath(laneTo(369).query, ""))
			return p.check("limiter") == "ok"
		})
	}
	sharesBudget(t, "fd00:2:%x::1", a, b)
}

// sharesBudget tries clients until Redis has made all decisions about one. On a busy
// machine Redis may time out; then a replica decides alone, and its metric shows it.
func sharesBudget(t *testing.T, client string, a, b *program) {
	t.Helper()
	attempt := 0
	fake.Eventually(t, "replicas that decide together", func() bool {
		attempt++
		before := alone(a, b)
		n := allowed(fmt.Sprintf(client, attempt), a, b)
		if alone(a, b) != before {
			return false
		}
		if n != budget {
			t.Fatalf("%d requests were allowed, want %d", n, budget)
		}
		return true
	})
}

// alone returns the number of decisions that the replicas made without Redis.
func alone(a, b *program) [2]string {
	const series = "hubquote_limiter_fallback_total"
	return [2]string{a.metric(series), b.metric(series)}
}

// With every fault of Redis, all requests are answered and limited.
func TestRedisFaults(t *testing.T) {
	faults := []struct {
		name  string
		cause func(redisServer) error
	}{
		{"down", func(r redisServer) error { r.Down(); return nil }},
		{"silent", func(r redisServer) error { r.Mute(); return nil }},
		{"frozen", func(r redisServer) error { return r.Freeze() }},
		{"cut", func(r redisServer) error { r.Cut(); return nil }},
		{"another password", redisServer.changePassword},
	}
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			redis := newRedis(t)
			if err := f.cause(redis); err != nil {
				t.Fatal(err)
			}
			p := launch(t, "--redis", redis.url())
			p.quotesDirect()
			degraded(t, p)
			if n := allowed("192.0.2.1", p, p); n != budget {
				t.Errorf("%d requests were allowed, want %d", n, budget)
			}
			p.readDiagnostics()
		})
	}
}

package health_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"hubquote/internal/api"
	"hubquote/internal/catalog"
	"hubquote/internal/health"
	"hubquote/internal/integrator"
	"hubquote/internal/ratelimit"
	"hubquote/internal/ratelimit/memory"
	"hubquote/internal/upstream"
	"hubquote/test/fake"
	"hubquote/test/limiter"
	"hubquote/test/reference"
)

// What went down is noticed, and what came back is too, without any request that
// needed it: also where a client has only one request in an hour.
func TestDownIsNotRemembered(t *testing.T) {
	cat := reference.Catalog(t)
	synctest.Test(t, func(t *testing.T) {
		shared, down := newShared(t)
		registries, node := newRegistry(t, cat)
		defer registries.Close()
		u := &health.Upstreams{Catalog: cat, Registries: registries, Shared: shared}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go u.Keep(ctx)
		want := func(status string) {
			t.Helper()
			time.Sleep(2 * time.Minute)
			synctest.Wait()
			for _, c := range u.Checks() {
				if (c.Name == "registry 369" || c.Name == "limiter") && c.Status != status {
					t.Errorf("%s is %s, want %s", c.Name, c.Status, status)
				}
			}
		}
		want(api.CheckOK)
		down.Store(true)
		node.SetHandle(fake.Hang)
		want(api.CheckDown)
		down.Store(false)
		node.SetHandle(nil)
		want(api.CheckOK)
	})
}

// newShared returns a shared limit that fails while it is down, and refuses
// otherwise.
func newShared(t *testing.T) (shared *ratelimit.Fallback, down *atomic.Bool) {
	t.Helper()
	own, err := memory.New(ratelimit.Policy{Requests: 1, Window: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	down = new(atomic.Bool)
	redis := limiter.Remote(func() (d ratelimit.Decision, err error) {
		if down.Load() {
			err = errors.New("down")
		}
		return d, err
	})
	shared, err = ratelimit.NewFallback(ratelimit.FallbackOptions{Remote: redis, Local: own})
	if err != nil {
		t.Fatal(err)
	}
	return shared, down
}

func newRegistry(t *testing.T, cat *catalog.Catalog) (*integrator.Registries, *fake.Node) {
	t.Helper()
	url, err := upstream.Parse("http://node")
	if err != nil {
		t.Fatal(err)
	}
	registry, _ := cat.Registry(369)
	node := fake.NewNode(369, registry)
	r, err := integrator.New(integrator.Options{
		Chains: []integrator.Chain{{ID: 369, Registry: registry, Endpoints: []upstream.URL{url}}}, Transport: fake.Network{"node": node},
	})
	if err != nil {
		t.Fatal(err)
	}
	return r, node
}

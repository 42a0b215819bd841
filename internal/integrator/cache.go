package integrator

import (
	"math/rand/v2"
	"time"

	"hubquote/swap"
)

const (
	foundTTL   = 30 * time.Second
	missingTTL = 5 * time.Second

	cacheSize = 4096
)

// A cache remembers landed flights for a while. Its zero value with a ttl is
// empty and ready; it is guarded by its chain's mutex.
type cache struct {
	ttl     time.Duration
	entries map[swap.IntegratorID]remembered
}

type remembered struct {
	*flight
	until time.Time
}

func (c *cache) get(id swap.IntegratorID) *flight {
	r, ok := c.entries[id]
	if !ok || time.Now().After(r.until) {
		return nil
	}
	return r.flight
}

// put remembers f for the cache's time give or take a tenth, so that what was
// learnt together is not forgotten together.
func (c *cache) put(f *flight) {
	if c.entries == nil {
		c.entries = map[swap.IntegratorID]remembered{}
	}
	if len(c.entries) >= cacheSize {
		c.makeRoom()
	}
	ttl := c.ttl*9/10 + rand.N(c.ttl/5)
	c.entries[f.id] = remembered{f, time.Now().Add(ttl)}
}

// makeRoom drops what is too old, and any one entry when nothing is.
func (c *cache) makeRoom() {
	now := time.Now()
	for id, r := range c.entries {
		if now.After(r.until) {
			delete(c.entries, id)
		}
	}
	for id := range c.entries {
		if len(c.entries) < cacheSize {
			return
		}
		delete(c.entries, id)
	}
}

package integrator

import (
	"math/rand/v2"
	"sync"
	"time"

	"hubquote/swap"
)

const (
	foundTTL   = 30 * time.Second
	missingTTL = 5 * time.Second

	cacheSize = 4096
)

// A cache keeps entries until their TTL is over. It is hand-written because each
// entry's TTL must vary, and because the common library for this, an expirable
// LRU, has a goroutine that cannot be stopped.
type cache struct {
	ttl time.Duration

	mu      sync.Mutex
	entries map[swap.IntegratorID]cached
}

type cached struct {
	entry
	until time.Time
}

func newCache(ttl time.Duration) *cache {
	return &cache{ttl: ttl, entries: map[swap.IntegratorID]cached{}}
}

func (c *cache) get(id swap.IntegratorID) (e entry, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	found, ok := c.entries[id]
	return found.entry, ok && !time.Now().After(found.until)
}

// knows reports whether id was put, also when its TTL is over and it has not been
// dropped yet.
func (c *cache) knows(id swap.IntegratorID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.entries[id]
	return ok
}

// put keeps e for the TTL plus or minus a tenth, so that entries that were put
// together do not expire together.
func (c *cache) put(id swap.IntegratorID, e entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.entries) >= cacheSize {
		c.makeRoom()
	}
	ttl := c.ttl*9/10 + rand.N(c.ttl/5)
	c.entries[id] = cached{e, time.Now().Add(ttl)}
}

// makeRoom drops expired entries, or any one if none has expired.
func (c *cache) makeRoom() {
	now := time.Now()
	for id, e := range c.entries {
		if now.After(e.until) {
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

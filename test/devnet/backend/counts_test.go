package backend_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
)

// The size of the storm: the short form unless make settle-chaos says otherwise.
var (
	wantOrders = flag.Int("chaos.orders", 200, "deposits that must stay")
	wantKills  = flag.Int("chaos.kills", 30, "settlers to kill")
	wantReorgs = flag.Int("chaos.reorgs", 10, "reorganisations")
	minutes    = flag.Int("chaos.minutes", 4, "the longest that the storm and the calm after it may each take")
	seed       = flag.Uint64("chaos.seed", 1, "of the dice")
)

// dice are random, and the same for the same seed and order of throws.
var dice = &die{}

type die struct {
	mu  sync.Mutex
	rng *rand.Rand
}

// n returns a number below most.
func (d *die) n(most int) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.rng == nil {
		d.rng = rand.New(rand.NewPCG(*seed, 0))
	}
	return d.rng.IntN(most)
}

// counts are how often things happened, by name.
type counts struct {
	mu sync.Mutex
	m  map[string]int
}

func newCounts() *counts { return &counts{m: map[string]int{}} }

func (c *counts) add(names ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, name := range names {
		c.m[name]++
	}
}

func (c *counts) set(name string, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[name] = n
}

func (c *counts) of(name string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.m[name]
}

// String is one table: the named figures first, then all others.
func (c *counts) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	first := []string{
		"orders", "paid", "refunded", "lost", "paid twice", "refunded and paid", "stuck without alert", "kills", "reorganisations",
		"status answers", "status that fell", "final status that the chain contradicts",
	}
	for _, name := range first {
		fmt.Fprintf(w, "%s\t%d\n", name, c.m[name])
	}
	for _, name := range slices.Sorted(maps.Keys(c.m)) {
		if !slices.Contains(first, name) {
			fmt.Fprintf(w, "  %s\t%d\n", name, c.m[name])
		}
	}
	_ = w.Flush()
	return text.String()
}

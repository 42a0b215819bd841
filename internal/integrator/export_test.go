package integrator

import "hubquote/swap"

// CacheSize and the functions below are exported for the tests.
const CacheSize = cacheSize

var CallFor = callFor

// ParseEntry is parseEntry with the fields of its result.
func ParseEntry(answer string) (wallet swap.Address, rate swap.Rate, active bool, err error) {
	e, err := parseEntry(answer)
	return e.wallet, e.rate, e.active, err
}

// Cached returns how many entries are kept for a chain.
func (rs *Registries) Cached(id swap.ChainID) (n int) {
	for _, c := range []*cache{rs.chains[id].found, rs.chains[id].missing} {
		c.mu.Lock()
		n += len(c.entries)
		c.mu.Unlock()
	}
	return n
}

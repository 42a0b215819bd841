package integrator

import "hubquote/swap"

// What the tests see of the inside.
const (
	MaxLag     = maxLag
	MaxLookups = maxLookups
	CacheSize  = cacheSize
	BreakAfter = breakAfter
	BreakPause = breakPause
)

var (
	Pin      = pin
	InStep   = inStep
	Question = question
)

// ParseEntry is parseEntry with its result spelt out.
func ParseEntry(answer string, maxRate swap.Rate) (wallet swap.Address, rate swap.Rate, active bool, err error) {
	e, err := parseEntry(answer, maxRate)
	return e.wallet, e.rate, e.active, err
}

// Remembered returns how many answers are remembered for a chain.
func (rs *Registries) Remembered(id swap.ChainID) int {
	c := rs.chains[id]
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.found.entries) + len(c.missing.entries)
}

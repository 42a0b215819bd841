package main

import (
	"slices"
	"strings"
	"testing"
)

// A chain with fewer than three endpoints believes one of them. The log says so at
// the start, and the health check always; --check is tested with the scripts.
func TestFewEndpointsAreWarnedOf(t *testing.T) {
	t.Parallel()
	p := launch(t, rpc(slices.Concat([]*node{newNode(t, 1)}, []*node{newNode(t, 56), newNode(t, 56)}, trio(t, 369))...)...)
	for chain, want := range map[string]bool{"1": true, "56": true, "369": false, "8453": false} {
		logged := strings.Contains(p.output(), `"chain":`+chain+`,"endpoints":`)
		shown := strings.Contains(p.detail("registry "+chain), "one is believed")
		if logged != want || shown != want {
			t.Errorf("chain %s: the log warns: %t, the health check warns: %t; want %t", chain, logged, shown, want)
		}
	}
}

// detail returns the text of a check of the health check.
func (p *program) detail(name string) string {
	h, _ := p.health()
	for _, c := range h.Checks {
		if c.Name == name {
			return c.Detail
		}
	}
	return ""
}

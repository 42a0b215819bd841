package caps

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"hubquote/internal/deployment/lane"
)

// A named is one cap with its name in errors.
type named struct {
	name string
	cap  *big.Int
}

func (c *Caps) named(contract string) []named {
	list := []named{{"refunds", c.Refunds}, {"releases", c.Releases}}
	if contract == lane.Receiver {
		return list
	}
	list = append(list, named{"payments", c.Payments}, named{"treasury", c.Treasury})
	for _, source := range slices.Sorted(maps.Keys(c.Sources)) {
		list = append(list, named{"payments for " + source, c.Sources[source]})
	}
	return list
}

// Check makes sure that every contract of the lanes has its caps and no other, and
// that each cap is large enough for the others.
func (t Table) Check(lanes []*lane.Lane) error {
	ends := endsOf(lanes)
	for _, name := range slices.Sorted(maps.Keys(t)) {
		if _, needed := ends[name]; !needed {
			return fmt.Errorf("caps: %s is no contract of this deployment", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(ends)) {
		if err := t.checkOne(name, ends[name]); err != nil {
			return fmt.Errorf("caps: %s: %w", name, err)
		}
	}
	if err := t.checkSources(lanes); err != nil {
		return err
	}
	return t.checkReleases(lanes)
}

// largestCap is the largest that a contract can store: 96 bits.
var largestCap = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 96), big.NewInt(1))

// checkOne makes sure that the largest order passes: half of a cap passes at once.
func (t Table) checkOne(name string, e end) error {
	c, given := t[name]
	if !given {
		return fmt.Errorf("give its caps")
	}
	if name == lane.Receiver && (c.Payments != nil || c.Treasury != nil || c.Sources != nil) {
		return fmt.Errorf("it pays nothing: give refunds and releases only")
	}
	for _, n := range c.named(name) {
		least := times(e.largest, 2)
		switch {
		case n.cap == nil:
			return fmt.Errorf("give a cap for %s", n.name)
		case n.cap.Cmp(largestCap) > 0:
			return fmt.Errorf("the cap for %s is %s, more than 96 bits hold", n.name, n.cap)
		case n.name == "treasury" && n.cap.Sign() > 0:
		case n.cap.Cmp(least) < 0:
			return fmt.Errorf("the cap for %s is %s, want at least %s: half of a cap passes at once, and the largest order must", n.name, n.cap, least)
		}
	}
	return nil
}

func (t Table) checkSources(lanes []*lane.Lane) error {
	needed := map[string]map[string]bool{}
	for _, l := range lanes {
		if needed[l.To] == nil {
			needed[l.To] = map[string]bool{}
		}
		needed[l.To][l.From] = true
		if t[l.To].Sources[l.From] == nil {
			return fmt.Errorf("caps: %s: give a cap for payments for %s", l.To, l.From)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		for _, source := range slices.Sorted(maps.Keys(t[name].Sources)) {
			if !needed[name][source] {
				return fmt.Errorf("caps: %s pays no orders of %s", name, source)
			}
		}
	}
	return nil
}

// checkReleases compares the payments for a source with its releases. With a smaller
// cap paid orders would stay unreleased until their deposits can be reclaimed.
func (t Table) checkReleases(lanes []*lane.Lane) error {
	least := t.leastReleases(lanes)
	for _, name := range slices.Sorted(maps.Keys(least)) {
		if t[name].Releases.Cmp(least[name]) < 0 {
			return fmt.Errorf("caps: %s: the cap for releases is %s, want at least %s: twice what all pools may pay for it", name, t[name].Releases, least[name])
		}
	}
	return nil
}

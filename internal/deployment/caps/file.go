package caps

import (
	"fmt"
	"io"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"hubquote/internal/deployment/lane"
	"hubquote/swap"
)

// written are the caps of a contract in a file, in whole tokens.
type written struct {
	Payments, Refunds, Releases, Treasury string
	Sources                               map[string]string
}

// Parse reads a file of caps: one table for each contract, amounts in whole
// tokens of that contract's own.
func Parse(text string, lanes []*lane.Lane) (Table, error) {
	var file map[string]written
	meta, err := toml.Decode(text, &file)
	if err != nil {
		return nil, fmt.Errorf("caps: %w", err)
	}
	if unknown := meta.Undecoded(); len(unknown) != 0 {
		return nil, fmt.Errorf("caps: unknown key %s", unknown[0])
	}
	t, ends := Table{}, endsOf(lanes)
	for name, w := range file {
		e, needed := ends[name]
		if !needed {
			return nil, fmt.Errorf("caps: %s is no contract of this deployment", name)
		}
		if t[name], err = w.parse(e.token.Decimals); err != nil {
			return nil, fmt.Errorf("caps: %s: %w", name, err)
		}
	}
	return t, nil
}

func (w *written) parse(decimals uint8) (c Caps, err error) {
	amount := func(s string) *big.Int {
		if s == "" || err != nil {
			return nil
		}
		var units swap.Amount
		if units, err = swap.ParseUnits(s, decimals); err != nil {
			err = fmt.Errorf("%q: %w", s, err)
		}
		return units.ToBig()
	}
	c = Caps{Payments: amount(w.Payments), Refunds: amount(w.Refunds), Releases: amount(w.Releases), Treasury: amount(w.Treasury)}
	for source, s := range w.Sources {
		if c.Sources == nil {
			c.Sources = map[string]*big.Int{}
		}
		c.Sources[source] = amount(s)
	}
	return c, err
}

// Write writes a table as [Parse] reads it.
func (t Table) Write(out io.Writer, lanes []*lane.Lane) error {
	var b strings.Builder
	b.WriteString("# What may leave each contract in any 24 hours, in whole tokens; half of it at once.\n")
	for name, e := range inOrder(endsOf(lanes)) {
		line := func(key string, amount *big.Int) {
			if amount != nil {
				var units swap.Amount
				units.SetFromBig(amount)
				fmt.Fprintf(&b, "%s = %q\n", key, swap.FormatUnits(&units, e.token.Decimals))
			}
		}
		c := t[name]
		fmt.Fprintf(&b, "\n[%q]\n", name)
		line("payments", c.Payments)
		line("refunds", c.Refunds)
		line("releases", c.Releases)
		line("treasury", c.Treasury)
		for source, amount := range inOrder(c.Sources) {
			line(fmt.Sprintf("sources.%q", source), amount)
		}
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func inOrder[V any](m map[string]V) func(yield func(string, V) bool) {
	return func(yield func(string, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(m)) {
			if !yield(k, m[k]) {
				return
			}
		}
	}
}

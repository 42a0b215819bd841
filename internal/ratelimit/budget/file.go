package budget

import (
	"errors"
	"fmt"
	"maps"
	"net/netip"
	"slices"

	"github.com/BurntSushi/toml"

	"hubquote/internal/flags/file"
	"hubquote/internal/ratelimit"
)

// Parse reads a file of budgets: one table for each, named as the operator likes.
//
//	[partner]
//	networks = ["203.0.113.0/24", "2001:db8::/48"]
//	limit = "300/60s"
func Parse(text string) (list []Budget, err error) {
	var file map[string]struct {
		Networks []string
		Limit    string
	}
	meta, err := toml.Decode(text, &file)
	if err != nil {
		return nil, fmt.Errorf("budgets: %w", err)
	}
	if unknown := meta.Undecoded(); len(unknown) != 0 {
		return nil, fmt.Errorf("budgets: unknown key %s", unknown[0])
	}
	owners := map[netip.Prefix]string{}
	for _, name := range slices.Sorted(maps.Keys(file)) {
		b := Budget{Name: name}
		if b.Policy, err = ratelimit.ParsePolicy(file[name].Limit); err != nil {
			return nil, fmt.Errorf("budget %s: limit: %w", name, err)
		}
		if b.Networks, err = parseNetworks(file[name].Networks); err != nil {
			return nil, fmt.Errorf("budget %s: networks: %w", name, err)
		}
		for _, n := range b.Networks {
			if other, taken := owners[n]; taken {
				return nil, fmt.Errorf("budgets %s and %s both have %s", other, name, n)
			}
			owners[n] = name
		}
		list = append(list, b)
	}
	return list, nil
}

// clientBits is how long the prefix of an IPv6 client is.
const clientBits = 64

func parseNetworks(texts []string) (list []netip.Prefix, err error) {
	if len(texts) == 0 {
		return nil, errors.New(`name at least one, such as "203.0.113.0/24"`)
	}
	for _, text := range texts {
		n, err := netip.ParsePrefix(text)
		switch {
		case err != nil || n != n.Masked() || n.Addr().Is4In6():
			return nil, fmt.Errorf("%q is not a network such as 203.0.113.0/24, with no bits set behind its length", text)
		case n.Addr().Is6() && n.Bits() > clientBits:
			return nil, fmt.Errorf("%s is smaller than a /%d, which counts as one client", n, clientBits)
		}
		list = append(list, n)
	}
	return list, nil
}

// Read reads a file. Without a name there are no budgets.
func Read(name string) ([]Budget, error) {
	if name == "" {
		return nil, nil
	}
	text, err := file.Read(name)
	if err != nil {
		return nil, err
	}
	return Parse(string(text))
}

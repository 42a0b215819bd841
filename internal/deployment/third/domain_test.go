package third

import (
	"strings"
	"testing"

	"hubquote/swap"
)

const gateway swap.ChainID = 8453

// burned is a route that starts with a burn on its source.
func burned(place swap.PlaceID, domain swap.Domain) *swap.Route {
	return &swap.Route{
		Src: swap.Place{ID: place, Network: swap.ChainID(place)}, Dst: swap.Place{ID: 369, Network: swap.Hub}, FeeChain: swap.Hub,
		Burn: &swap.Burn{Source: domain, Gateway: 6},
	}
}

// paid is a route that the gateway pays by a burn, to a place on a network.
func paid(place swap.PlaceID, network swap.ChainID) *swap.Route {
	return &swap.Route{
		Src: swap.Place{ID: 369, Network: swap.Hub}, Dst: swap.Place{ID: place, Network: network}, FeeChain: gateway,
	}
}

func TestDomains(t *testing.T) {
	domains := map[swap.ChainID]swap.Domain{1: 0, 10: 2, 137: 7}
	tests := []struct {
		name    string
		domains map[swap.ChainID]swap.Domain
		routes  []*swap.Route
		want    string // part of the error; empty when the routes are accepted
	}{
		{"each place has a domain of its own", domains, []*swap.Route{burned(10, 2), paid(10, 10), burned(137, 7), burned(1, 0), paid(1, 1)}, ""},
		{"two sources have one domain", domains, []*swap.Route{burned(10, 2), burned(137, 2)}, "10 and 137 have one domain"},
		{"a source and a destination have one domain", domains, []*swap.Route{burned(137, 2), paid(10, 10)}, "137 and 10 have one domain"},
		{"a network and a privacy pool on it have one domain", domains, []*swap.Route{paid(10, 10), paid(1010, 10)}, "10 and 1010 have one domain"},
		{"place 1 has another domain than 0, as a source", domains, []*swap.Route{burned(1, 3)}, "1 has the issuer's domain 3"},
		{"place 1 has another domain than 0, as a destination", map[swap.ChainID]swap.Domain{1: 3}, []*swap.Route{paid(1, 1)}, "1 has the issuer's domain 3"},
		{"another place has domain 0", domains, []*swap.Route{burned(10, 0)}, "10 has the issuer's domain 0"},
		{"a destination has no domain", domains, []*swap.Route{paid(146, 146)}, "146 is paid through the gateway"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := (&Issuer{Domains: tt.domains}).checkDomains(tt.routes)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error = %v, want %q", err, tt.want)
			}
		})
	}
}

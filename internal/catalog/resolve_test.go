package catalog_test

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"

	"hubquote/internal/catalog"
	"hubquote/swap"
)

func TestResolve(t *testing.T) {
	c := embedded(t)
	amount, _ := swap.ParseAmount("1000000000000000000")
	native := func(spelling string) swap.TokenName {
		n, err := swap.ParseTokenName(spelling)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, spelling := range []string{"ETH", "eth", "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE", "0x0000000000000000000000000000000000000000"} {
		r, err := c.Resolve(swap.Draft{
			SrcChain: 4663, DstChain: 369, SrcToken: native(spelling), DstToken: native("WETH"), Amount: amount,
		})
		if err != nil || !r.SrcToken.IsNative() || r.SrcToken.Chain != 4663 {
			t.Errorf("Resolve with %s = %+v, %v, want the native coin of 4663", spelling, r, err)
		}
	}
	// On privacy routes a token is looked up on the network under the route.
	r, err := c.Resolve(swap.Draft{
		SrcChain: 96969696, DstChain: 369, SrcToken: native("WETH"), DstToken: native("WETH"), Amount: amount,
	})
	if err != nil || r.SrcToken.Chain != 56 || r.SrcToken.Address != swap.MustAddress("0x2170Ed0880ac9A755fd29B2688956BD959F933F8") {
		t.Errorf("WETH on 96969696 = %+v, %v, want the token of chain 56", r, err)
	}
}

// Every problem of a request is reported, one for each parameter.
func TestResolveRefuses(t *testing.T) {
	symbol := func(s string) swap.TokenName { return swap.TokenName{Symbol: s} }
	units := func(n uint64) (a swap.Amount) {
		a.SetUint64(n)
		return a
	}
	tests := []struct {
		name  string
		draft swap.Draft
		want  []string // param and code of each problem
		says  string   // by the last of them
		found bool
	}{
		{"nothing", swap.Draft{}, nil, "", false},
		{"a token of a chain that is not served", swap.Draft{SrcChain: 1, SrcToken: symbol("USDC"), DstChain: 2, DstToken: symbol("USDC"), Amount: units(1)},
			[]string{"dstChain CHAIN_UNSUPPORTED"}, "no route starts or ends on this chain", false},
		{"no token of a chain that is not served", swap.Draft{SrcChain: 1, SrcToken: symbol("USDC"), DstChain: 2, Amount: units(1)},
			[]string{"dstChain CHAIN_UNSUPPORTED"}, "no route", false},
		{"a chain without its token", swap.Draft{SrcChain: 1, SrcToken: symbol("USDC"), DstChain: 369, Amount: units(1)}, nil, "", false},
		{"a token without its chain", swap.Draft{SrcChain: 1, SrcToken: symbol("USDC"), DstToken: symbol("NONE"), Amount: units(1)}, nil, "", false},
		{"no amount", swap.Draft{SrcChain: 1, SrcToken: symbol("USDC"), DstChain: 369, DstToken: symbol("USDC")}, nil, "", false},
		{"a token of another chain", swap.Draft{SrcChain: 1, SrcToken: symbol("USD1"), DstChain: 369, DstToken: symbol("USDC"), Amount: units(1)},
			[]string{"srcToken TOKEN_UNSUPPORTED"}, "not served on chain 1, which has DAI, ETH, USDC, USDT, WETH", false},
		{"a pair that is not served", swap.Draft{SrcChain: 369, SrcToken: symbol("WETH"), DstChain: 1, DstToken: symbol("WETH"), Amount: units(1)},
			[]string{"dstToken PAIR_UNSUPPORTED"}, "WETH on 369 cannot be swapped to WETH on 1; it can be swapped to ETH on 1, ETH on 8453, ETH on 4663, WETH on 69696969, WETH on 96969696", false},
		{"a token that nothing starts with", swap.Draft{SrcChain: 56, SrcToken: symbol("WETH"), DstChain: 369, DstToken: symbol("WETH"), Amount: units(1)},
			[]string{"dstToken PAIR_UNSUPPORTED"}, "it can be swapped to nothing", false},
		{"a unit too little", swap.Draft{SrcChain: 1, SrcToken: symbol("USDC"), DstChain: 369, DstToken: symbol("USDC"), Amount: units(9_999_999)},
			[]string{"amount AMOUNT_TOO_LOW"}, "between 10 and 25000 of it, that is from 10000000 to 25000000000", false},
		{"a unit too much", swap.Draft{SrcChain: 1, SrcToken: symbol("USDC"), DstChain: 369, DstToken: symbol("USDC"), Amount: units(25_000_000_001)},
			[]string{"amount AMOUNT_TOO_HIGH"}, "between 10 and 25000 of it, that is from 10000000 to 25000000000", false},
		{"the smallest amount", swap.Draft{SrcChain: 1, SrcToken: symbol("USDC"), DstChain: 369, DstToken: symbol("USDC"), Amount: units(10_000_000)}, nil, "", true},
		{"the largest amount", swap.Draft{SrcChain: 1, SrcToken: symbol("USDC"), DstChain: 369, DstToken: symbol("USDC"), Amount: units(25_000_000_000)}, nil, "", true},
	}
	c := embedded(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			route, err := c.Resolve(tt.draft)
			if limits := strings.HasPrefix(strings.Join(tt.want, ""), "amount"); (route != nil) != (limits || tt.found) {
				t.Errorf("route = %v, want one: %t", route, limits || tt.found)
			}
			var got []string
			for _, e := range problems(err) {
				got = append(got, e.Param+" "+string(e.Code))
			}
			if !slices.Equal(got, tt.want) {
				t.Fatalf("problems = %q, want %q", got, tt.want)
			}
			if err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error = %v, want one that says %q", err, tt.says)
			}
		})
	}
}

func problems(err error) swap.Errors {
	if one, ok := errors.AsType[*swap.Error](err); ok && one == err {
		return swap.Errors{one}
	}
	many, _ := errors.AsType[swap.Errors](err)
	return many
}

// A swap takes as long as its legs do, if that is known.
func TestDuration(t *testing.T) {
	want := map[string]uint32{
		"USDC 1 369":    180,
		"USDC 10 369":   8,
		"USDC 25 369":   0, // not published
		"USDC 369 1":    60,
		"USDC 369 8453": 60,
		"USDC 369 10":   70, // paid by a burn on the gateway, which takes 10 itself
	}
	for _, r := range embedded(t).Routes() {
		key := strings.Join([]string{r.SrcToken.Symbol, r.Src.ID.String(), r.Dst.ID.String()}, " ")
		if d, ok := want[key]; ok && r.Duration != d {
			t.Errorf("%s takes %d seconds, want %d", key, r.Duration, d)
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("no such routes: %v", want)
	}
}

func TestRoutersAreSortedAndEachIsListedOnce(t *testing.T) {
	list := embedded(t).Routers()
	byPlace := func(a, b catalog.Router) int {
		return cmp.Or(cmp.Compare(a.Place.ID, b.Place.ID), strings.Compare(a.Token.Symbol, b.Token.Symbol))
	}
	for i := range list[1:] {
		if byPlace(list[i], list[i+1]) >= 0 {
			t.Errorf("%s on %d comes before %s on %d, want the list sorted", list[i].Token.Symbol, list[i].Place.ID, list[i+1].Token.Symbol, list[i+1].Place.ID)
		}
	}
}

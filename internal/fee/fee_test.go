package fee_test

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"
	"pgregory.net/rapid"

	"hubquote/internal/fee"
	"hubquote/swap"
)

func TestOf(t *testing.T) {
	tests := []struct {
		name   string
		rate   swap.Rate
		amount uint64
		want   uint64
	}{
		{"inbound, 100 USDC", 3_000, 100_000_000, 300_000},
		{"outbound, 1000 USDC", 5_000, 1_000_000_000, 5_000_000},
		{"odd unit stays with the user", 3_000, 333, 0},
		{"one unit below the next whole fee", 3_000, 666, 1},
		{"no rate", 0, 1_000_000, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := fee.Of(tt.rate, uint256.NewInt(tt.amount))
			if got.Uint64() != tt.want {
				t.Errorf("Of(%d, %d) = %s, want %d", tt.rate, tt.amount, got.Dec(), tt.want)
			}
		})
	}
}

func TestSplit(t *testing.T) {
	route := func(from, to uint8, rate swap.Rate) *swap.Route {
		return &swap.Route{SrcToken: &swap.Token{Decimals: from}, DstToken: &swap.Token{Decimals: to}, Rate: rate}
	}
	tests := []struct {
		name                         string
		route                        *swap.Route
		amount                       string
		partner                      swap.Rate
		received, protocol, partner_ string
	}{
		{"6 to 6 decimals", route(6, 6, 5_000), "1000000000", 0, "995000000", "5000000", "0"},
		{"18 to 6 decimals", route(18, 6, 3_000), "100000000000000000000", 0, "99700000", "300000", "0"},
		{"6 to 18 decimals", route(6, 18, 5_000), "10000000", 0, "9950000000000000000", "50000000000000000", "0"},
		{"dust below one unit is not quoted", route(18, 6, 3_000), "100000000999999999999", 0, "99700000", "300000", "0"},
		{"each fee is floored on its own", route(6, 6, 3_000), "10000333", 1_000, "9960333", "30000", "10000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var partner *swap.Integrator
			if tt.partner > 0 {
				partner = &swap.Integrator{Rate: tt.partner}
			}
			received, fees, err := fee.Split(tt.route, uint256.MustFromDecimal(tt.amount), partner)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{received.Dec(), fees.Protocol.Amount.Dec(), fees.Integrator.Amount.Dec()}
			if diff := cmp.Diff([]string{tt.received, tt.protocol, tt.partner_}, got); diff != "" {
				t.Errorf("received, protocol, integrator (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSplitRefusesFeesOfTheWholeAmount(t *testing.T) {
	route := &swap.Route{SrcToken: &swap.Token{Decimals: 6}, DstToken: &swap.Token{Decimals: 6}, Rate: 5_000}
	if _, _, err := fee.Split(route, uint256.NewInt(1_000_000), &swap.Integrator{Rate: 995_000}); err == nil {
		t.Error("Split has no error, want one: the user receives nothing")
	}
}

// For any amount and rates, the parts add up, and each is equal to the result of
// exact rational arithmetic.
func TestSplitIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from, to := rapid.Uint8Range(6, 18).Draw(t, "from"), rapid.Uint8Range(6, 18).Draw(t, "to")
		amount := uint256.NewInt(rapid.Uint64Min(10_000_000_000_000_000).Draw(t, "amount"))
		rate := swap.Rate(rapid.Uint32Range(1, 50_000).Draw(t, "rate"))
		partner := &swap.Integrator{Rate: swap.Rate(rapid.Uint32Range(0, 50_000).Draw(t, "partner"))}
		r := &swap.Route{SrcToken: &swap.Token{Decimals: from}, DstToken: &swap.Token{Decimals: to}, Rate: rate}

		received, fees, err := fee.Split(r, amount, partner)
		if err != nil {
			t.Fatal(err)
		}
		gross := floor(amount.ToBig(), pow10(to), pow10(from))
		want := map[string]*big.Int{
			"protocol":   floor(gross, big.NewInt(int64(rate)), big.NewInt(1e6)),
			"integrator": floor(gross, big.NewInt(int64(partner.Rate)), big.NewInt(1e6)),
			"sum":        gross,
		}
		got := map[string]*big.Int{
			"protocol":   fees.Protocol.Amount.ToBig(),
			"integrator": fees.Integrator.Amount.ToBig(),
			"sum":        new(big.Int).Add(received.ToBig(), fees.Total.ToBig()),
		}
		for name := range want {
			if want[name].Cmp(got[name]) != 0 {
				t.Errorf("%s = %s, want %s", name, got[name], want[name])
			}
		}
	})
}

func TestMaxBurnFee(t *testing.T) {
	tests := []struct {
		bps, amount, want string
	}{
		{"0", "10000000", "0"},
		{"1", "10000000", "1200"},
		{"1.3", "10000000", "1560"},
		{"1.4", "10000000", "1680"},
		{"11", "1000000000", "1320000"},
		{"13", "10000000", "15600"},
		{"14", "25000000000", "42000000"},
		{"1", "9999999999", "1200000"},   // the exact fee 999999.9999 is rounded up
		{"1.3", "9999999999", "1560000"}, // 1299999.99987
		{"1.3", "10000001", "1562"},      // 1300.00013 rounds up to 1301, and 1561.2 to 1562
		{"1.375", "10000000", "1650"},    // more decimals than the issuer uses today
		{"0.000000001", "10000000", "2"}, // the smallest rate gives a fee above zero
		{"14", "9999999999", "16800000"},
	}
	for _, tt := range tests {
		t.Run(tt.bps+" bps of "+tt.amount, func(t *testing.T) {
			rate, err := swap.ParseIssuerRate(tt.bps)
			if err != nil {
				t.Fatal(err)
			}
			got, err := fee.MaxBurnFee(uint256.MustFromDecimal(tt.amount), rate)
			if err != nil {
				t.Fatal(err)
			}
			if got.Dec() != tt.want {
				t.Errorf("MaxBurnFee = %s, want %s", got.Dec(), tt.want)
			}
		})
	}
}

func TestMaxBurnFeeStaysBelowTheAmount(t *testing.T) {
	for _, amount := range []uint64{0, 1, 2} {
		if got, err := fee.MaxBurnFee(uint256.NewInt(amount), 100_000_000_000); err == nil {
			t.Errorf("MaxBurnFee(%d) = %s, want an error", amount, got.Dec())
		}
	}
}

func TestRescale(t *testing.T) {
	largest := new(uint256.Int).SetAllOne()
	tests := []struct {
		name     string
		amount   *uint256.Int
		from, to uint8
		want     string // empty for an error
	}{
		{"equal decimals change nothing", largest, 18, 18, largest.Dec()},
		{"one decimal more", uint256.NewInt(12), 6, 7, "120"},
		{"one decimal less rounds down", uint256.NewInt(19), 7, 6, "1"},
		{"nineteen decimals more", uint256.NewInt(2), 0, 19, "20000000000000000000"},
		{"nineteen decimals less", uint256.MustFromDecimal("20000000000000000000"), 19, 0, "2"},
		{"twenty decimals more are refused", uint256.NewInt(2), 0, 20, ""},
		{"twenty decimals less are refused", uint256.NewInt(2), 20, 0, ""},
		{"an amount that overflows", largest, 6, 18, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := fee.Rescale(tt.amount, tt.from, tt.to)
			if (err == nil) != (tt.want != "") || err == nil && got.Dec() != tt.want {
				t.Errorf("Rescale = %s, %v, want %q", got.Dec(), err, tt.want)
			}
		})
	}
}

// An amount that overflows is refused, and the result is zero.
func TestOverflowIsRefused(t *testing.T) {
	largest := new(uint256.Int).SetAllOne()
	route := &swap.Route{SrcToken: &swap.Token{Decimals: 6}, DstToken: &swap.Token{Decimals: 18}, Rate: 5_000}
	if received, _, err := fee.Split(route, largest, nil); err == nil || !received.IsZero() {
		t.Errorf("Split = %s, %v; want 0 and an error", received.Dec(), err)
	}
	const all = 10_000 * 1_000_000_000 // the rate that takes the whole amount
	for _, rate := range []swap.IssuerRate{all, 2 * all} {
		if got, err := fee.MaxBurnFee(largest, rate); err == nil {
			t.Errorf("MaxBurnFee at %d = %s, want an error", rate, got.Dec())
		}
	}
}

func floor(a, num, den *big.Int) *big.Int {
	p := new(big.Int).Mul(a, num)
	return p.Quo(p, den)
}

func pow10(n uint8) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}

// A messenger wants its share rounded down, and at least one unit; an offer is
// never less.
func TestMinBurnFee(t *testing.T) {
	var largest swap.Amount
	largest.SetAllOne()
	tests := []struct {
		name   string
		amount swap.Amount
		rate   swap.IssuerRate
		want   swap.Amount
	}{
		{"no demand", *uint256.NewInt(10_000_000), 0, swap.Amount{}},
		{"two basis points", *uint256.NewInt(10_000_000), 2_000_000_000, *uint256.NewInt(2_000)},
		{"a share below one unit", *uint256.NewInt(1), 1_000_000, *uint256.NewInt(1)},
		{"a share between two units", *uint256.NewInt(10_000_001), 2_000_000_000, *uint256.NewInt(2_001)},
		{"all of the largest amount and more", largest, 20_000_000_000_000, largest},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fee.MinBurnFee(&tt.amount, tt.rate); got != tt.want {
				t.Errorf("MinBurnFee = %s, want %s", got.Dec(), tt.want.Dec())
			}
		})
	}
}

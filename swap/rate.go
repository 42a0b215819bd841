package swap

import (
	"errors"

	"github.com/holiman/uint256"
)

// A Rate is a fraction in millionths: 3_000 is 0.3 %.
type Rate uint32

// Percent writes the rate as people read it, exactly: 0.3 for 3_000.
func (r Rate) Percent() string {
	if r == 0 {
		return "0" // nearly every quote shows one: that of no integrator
	}
	return FormatUnits(uint256.NewInt(uint64(r)), percentDecimals)
}

// MaxRate is the most that one party of a swap may take: 1 %. The pools and the
// registries hold protocol and integrators to it.
const MaxRate Rate = 10_000

const (
	percentDecimals = 4 // a percent is ten thousand millionths
	whole           = 1_000_000
)

var errRate = errors.New("not a percentage between 0 and 100 with at most four decimals")

// ParsePercent is the inverse of [Rate.Percent].
func ParsePercent(s string) (Rate, error) {
	a, err := ParseUnits(s, percentDecimals)
	if err != nil || !a.IsUint64() || a.Uint64() > whole {
		return 0, errRate
	}
	return Rate(a.Uint64()), nil // not above whole
}

// An IssuerRate is the issuer's fee for a fast burn, in billionths of a basis
// point: 1_300_000_000 is 1.3 bps. The issuer publishes decimals of a
// basis point, and nine of them leave room for any it might choose.
type IssuerRate uint64

const (
	issuerRateDecimals = 9

	// maxIssuerRate is 100 bps. The issuer's most expensive source charges 14, so
	// more than this is a fault of the answer, not a fee.
	maxIssuerRate = 100_000_000_000
)

var errIssuerRate = errors.New("not a fee between 0 and 100 basis points with at most nine decimals")

// ParseIssuerRate reads a decimal number of basis points, such as 1.3, exactly.
func ParseIssuerRate(bps string) (IssuerRate, error) {
	a, err := ParseUnits(bps, issuerRateDecimals)
	if err != nil || !a.IsUint64() || a.Uint64() > maxIssuerRate {
		return 0, errIssuerRate
	}
	return IssuerRate(a.Uint64()), nil
}

// String writes the rate in basis points, exactly: 1.3 for 1_300_000_000.
func (r IssuerRate) String() string {
	return FormatUnits(uint256.NewInt(uint64(r)), issuerRateDecimals)
}

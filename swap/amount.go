package swap

import (
	"errors"

	"github.com/holiman/uint256"
)

// An Amount is a number of a token's smallest units.
type Amount = uint256.Int

// MaxAmountDigits is the longest spelling of an amount that is looked at: the
// number of digits in the largest 256-bit integer.
const MaxAmountDigits = 78

var (
	errAmount     = errors.New("not a positive integer: write it in decimal digits without sign, point or leading zeros")
	errAmountSize = errors.New("too large for any token")
)

// ParseAmount reads plain decimal digits without a leading zero.
func ParseAmount(s string) (Amount, error) {
	if !isInteger(s) {
		return Amount{}, errAmount
	}
	if len(s) > MaxAmountDigits {
		return Amount{}, errAmountSize
	}
	var a Amount
	if err := a.SetFromDecimal(s); err != nil {
		return Amount{}, errAmountSize
	}
	return a, nil
}

// A Rate is a fraction in millionths: 3_000 is 0.3 %.
type Rate uint32

// An IssuerRate is what the issuer charges for a fast burn, in billionths of a
// basis point: 1_300_000_000 is 1.3 bps. The issuer publishes decimals of a
// basis point, and nine of them leave room for any it might choose.
type IssuerRate uint64

// Limits are the smallest and largest amount a swap may have, both inclusive.
type Limits struct {
	Min, Max Amount
}

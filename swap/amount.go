package swap

import (
	"errors"
	"strings"

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

var errUnits = errors.New("not an amount: write digits without leading zeros, with at most one decimal point, and no more decimals than the token has")

// ParseUnits reads an amount as people write it, such as 25.5, of a token with
// that many decimals. Nothing is rounded: a decimal too many is an error.
func ParseUnits(s string, decimals uint8) (Amount, error) {
	whole, frac, point := strings.Cut(s, ".")
	if whole == "" || len(whole) > 1 && whole[0] == '0' || point && frac == "" || len(frac) > int(decimals) {
		return Amount{}, errUnits
	}
	digits := whole + frac + strings.Repeat("0", int(decimals)-len(frac))
	digits = strings.TrimLeft(digits, "0")
	if digits == "" {
		return Amount{}, nil
	}
	a, err := ParseAmount(digits)
	if err == errAmount {
		err = errUnits
	}
	return a, err
}

// FormatUnits is the inverse of [ParseUnits], in its shortest spelling.
func FormatUnits(a *Amount, decimals uint8) string {
	digits := a.Dec()
	if pad := int(decimals) + 1 - len(digits); pad > 0 {
		digits = strings.Repeat("0", pad) + digits
	}
	point := len(digits) - int(decimals)
	frac := strings.TrimRight(digits[point:], "0")
	if frac == "" {
		return digits[:point]
	}
	return digits[:point] + "." + frac
}

// Limits are the smallest and largest amount a swap may have, both inclusive.
type Limits struct {
	Min, Max Amount
}

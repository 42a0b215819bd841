package swap

import (
	"encoding/hex"
	"errors"

	"golang.org/x/crypto/sha3"
)

// An Address is an EVM account or contract.
type Address [20]byte

// Native stands for a chain's own coin where a token address is expected.
var Native = MustAddress("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE")

// AddressLen is the length of an address in text: 0x and forty digits.
const AddressLen = 42

var (
	errAddress = errors.New("not an EVM address: write 0x and 40 hexadecimal digits")

	// ErrChecksum is returned for an address in mixed case whose capitals do
	// not match its EIP-55 checksum: most likely a digit is wrong.
	ErrChecksum = errors.New("the capital letters do not match the EIP-55 checksum: check every digit, or write it all in lower case if you are sure")
)

// ParseAddress reads an address in lower case, in upper case, or in mixed case
// with a correct EIP-55 checksum. The prefix is always a lower-case 0x.
func ParseAddress(s string) (Address, error) {
	if len(s) != AddressLen || s[:2] != "0x" {
		return Address{}, errAddress
	}
	var a Address
	if _, err := hex.Decode(a[:], []byte(s[2:])); err != nil {
		return Address{}, errAddress
	}
	if mixedCase(s[2:]) && !a.spelt(s) {
		return Address{}, ErrChecksum
	}
	return a, nil
}

// spelt reports whether s is the EIP-55 spelling of a.
func (a Address) spelt(s string) bool {
	text := a.text()
	return string(text[:]) == s
}

// MustAddress is [ParseAddress] for literals: it panics on an error.
func MustAddress(s string) Address {
	a, err := ParseAddress(s)
	if err != nil {
		panic("swap: " + s + ": " + err.Error())
	}
	return a
}

// IsZero reports whether a is the zero address.
func (a Address) IsZero() bool { return a == Address{} }

// String returns the EIP-55 spelling of a.
func (a Address) String() string {
	text := a.text()
	return string(text[:])
}

func (a Address) text() (text [AddressLen]byte) {
	copy(text[:], "0x")
	digits := text[2:]
	hex.Encode(digits, a[:])
	sum := keccak256(digits)
	for i, c := range digits {
		nibble := sum[i/2] >> (4 * (1 - i%2)) & 0xf
		if c >= 'a' && nibble >= 8 {
			digits[i] = c - 'a' + 'A'
		}
	}
	return text
}

// MarshalText makes JSON show the EIP-55 spelling.
func (a Address) MarshalText() ([]byte, error) {
	text := a.text()
	return text[:], nil
}

// UnmarshalText reads what [ParseAddress] reads.
func (a *Address) UnmarshalText(text []byte) (err error) {
	*a, err = ParseAddress(string(text))
	return err
}

func keccak256(data []byte) (sum [32]byte) {
	h := sha3.NewLegacyKeccak256()
	h.Write(data)
	h.Sum(sum[:0])
	return sum
}

func mixedCase(s string) bool {
	var lower, upper bool
	for i := range len(s) {
		lower = lower || 'a' <= s[i] && s[i] <= 'f'
		upper = upper || 'A' <= s[i] && s[i] <= 'F'
	}
	return lower && upper
}

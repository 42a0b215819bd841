package swap

import (
	"encoding/hex"
	"errors"
)

// A Hash is 32 bytes that name a transaction, a block or an order.
type Hash [32]byte

// HashLen is the length of a hash in text: 0x and 64 digits.
const HashLen = 66

var errHash = errors.New("not a hash: write 0x and 64 hexadecimal digits")

// ParseHash reads 0x and 64 digits in either letter case.
func ParseHash(s string) (h Hash, err error) {
	if len(s) != HashLen || s[:2] != "0x" {
		return Hash{}, errHash
	}
	if _, err := hex.Decode(h[:], []byte(s[2:])); err != nil {
		return Hash{}, errHash
	}
	return h, nil
}

// IsZero reports whether h is unset.
func (h Hash) IsZero() bool { return h == Hash{} }

// String returns 0x and 64 digits in lower case.
func (h Hash) String() string { return "0x" + hex.EncodeToString(h[:]) }

// MarshalText makes JSON show [Hash.String].
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads what [ParseHash] reads.
func (h *Hash) UnmarshalText(text []byte) (err error) {
	*h, err = ParseHash(string(text))
	return err
}

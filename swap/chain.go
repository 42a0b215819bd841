package swap

import (
	"errors"
	"strconv"
)

// A ChainID names a network: a real EVM chain, as in eth_chainId.
type ChainID uint64

// Hub is the network where every inbound swap ends and every outbound swap
// starts.
const Hub ChainID = 369

// A PlaceID is the value of srcChain or dstChain in a request: the ID of a
// network, or a virtual ID that stands for a privacy pool on one. It is a type
// of its own so that a virtual ID can never be mistaken for a network's.
type PlaceID uint64

// String returns the ID in decimal, as a client writes it.
func (id PlaceID) String() string { return strconv.FormatUint(uint64(id), 10) }

// A Place is one end of a route.
type Place struct {
	ID      PlaceID
	Network ChainID // where the place's contracts are
	Name    string
}

// Private reports whether the place is a privacy pool.
func (p Place) Private() bool { return uint64(p.ID) != uint64(p.Network) }

// A Domain is the issuer's own number for a network. It is never computed from
// a chain ID: the numbers collide (domain 1 is chain 43114).
type Domain uint32

var errPlaceID = errors.New("not a chain ID: write it in decimal digits without leading zeros")

// MaxPlaceDigits is the longest spelling of a chain ID that is looked at.
const MaxPlaceDigits = 10

// ParsePlaceID reads plain decimal digits without a leading zero.
func ParsePlaceID(s string) (PlaceID, error) {
	if !isInteger(s) || len(s) > MaxPlaceDigits {
		return 0, errPlaceID
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, errPlaceID
	}
	return PlaceID(n), nil
}

// isInteger reports whether s is a positive integer in its one spelling.
func isInteger(s string) bool {
	if s == "" || s[0] == '0' {
		return false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

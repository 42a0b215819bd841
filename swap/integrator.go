package swap

import (
	"encoding/hex"
	"errors"
	"strings"
)

// An IntegratorID names a partner: its wallet address, padded with zeros on the
// left to 32 bytes. The zero value means that no partner is named.
type IntegratorID [32]byte

// MaxIntegratorLen is the longest spelling of an integrator ID that is looked
// at: 0x and 64 digits.
const MaxIntegratorLen = 66

var errIntegrator = errors.New("not an integrator ID: write the partner's wallet address, or that address padded with zeros on the left to 32 bytes")

// ParseIntegratorID reads a wallet address as [ParseAddress] does, or its
// 32-byte form. Zero, and a form with anything but zeros before the address, is
// refused: such a partner cannot be registered.
func ParseIntegratorID(s string) (IntegratorID, error) {
	if len(s) == MaxIntegratorLen && strings.HasPrefix(s, "0x"+strings.Repeat("0", 24)) {
		s = "0x" + s[26:]
	}
	a, err := ParseAddress(s)
	switch {
	case errors.Is(err, ErrChecksum):
		return IntegratorID{}, err
	case err != nil, a.IsZero():
		return IntegratorID{}, errIntegrator
	}
	return IntegratorIDOf(a), nil
}

// IntegratorIDOf returns the ID of the partner with that wallet.
func IntegratorIDOf(wallet Address) (id IntegratorID) {
	copy(id[12:], wallet[:])
	return id
}

// IsZero reports whether no partner is named.
func (id IntegratorID) IsZero() bool { return id == IntegratorID{} }

func (id IntegratorID) String() string { return "0x" + hex.EncodeToString(id[:]) }

// An Integrator is a registered, active partner.
type Integrator struct {
	ID     IntegratorID
	Wallet Address // where its fee is paid
	Rate   Rate
}

// Package calldata writes the calls that a wallet signs, and reads them back.
// Every call has exactly one encoding: a parser here accepts only the bytes that
// its encoder writes.
package calldata

import (
	"errors"

	"hubquote/swap"
)

var errUnknown = errors.New("not a call of this service: neither a pool's swap or swapFor, nor a burn with one of our hooks, nor an approve, each in its one valid encoding")

// Parse reads any call that the service writes, and nothing else: a [*PoolCall],
// a [*HookedBurn] or an [*ApproveCall].
func Parse(call []byte) (swap.Call, error) {
	if c, err := ParsePoolCall(call); err == nil {
		return &c, nil
	}
	if c, err := ParseHookedBurn(call); err == nil {
		return &c, nil
	}
	if c, err := ParseApproveCall(call); err == nil {
		return &c, nil
	}
	return nil, errUnknown
}

// A Recipient is who a call pays, as the contracts read it.
type Recipient struct {
	Type  swap.RecipientType
	Bytes []byte
}

// ToAddress is the recipient that is an EVM address. For the zero address the
// contracts pay the sender.
func ToAddress(a swap.Address) Recipient { return Recipient{swap.ToAddress, a[:]} }

// ToNote is the recipient that is an encrypted note for a privacy pool.
func ToNote(note []byte) Recipient { return Recipient{swap.ToPrivate, note} }

// valid reports whether the recipient has a type that exists, and as many bytes
// as that type has.
func (r Recipient) valid() bool {
	switch r.Type {
	case swap.ToAddress:
		return len(r.Bytes) == len(swap.Address{})
	case swap.ToPrivate:
		return len(r.Bytes) == swap.NoteLen
	default:
		return false
	}
}

// Equal reports whether both pay the same.
func (r Recipient) Equal(other Recipient) bool {
	return r.Type == other.Type && string(r.Bytes) == string(other.Bytes)
}

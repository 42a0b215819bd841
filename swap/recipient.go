package swap

import "strings"

// A RecipientType tells the contracts how to read a recipient's bytes.
type RecipientType uint8

const (
	ToAddress RecipientType = 0 // 20 bytes, an EVM address
	ToPrivate RecipientType = 2 // 160 bytes, an encrypted note for a privacy pool
)

// NoteLen is the length of a recipient of type [ToPrivate]: the note's public
// key, three words of ciphertext, and the ephemeral public key.
const NoteLen = 160

// A Recipient is who a request wants paid. Exactly one of its fields is set in
// a valid request.
type Recipient struct {
	Address Address // an EVM address
	Private string  // a raw 0zk address; parsed and encrypted by the shield package
	Sender  bool    // whoever sends the transaction: the zero address of v1
}

// MaxRecipientLen is the longest spelling of a recipient that is looked at: the
// length of a 0zk address.
const MaxRecipientLen = 127

// ParseRecipient reads a raw privacy-pool address, which it does not check, or
// an EVM address as [ParseAddress] does.
func ParseRecipient(s string) (Recipient, error) {
	if len(s) >= 3 && strings.EqualFold(s[:3], "0zk") {
		return Recipient{Private: s}, nil
	}
	a, err := ParseAddress(s)
	return Recipient{Address: a}, err
}

// IsZero reports whether no recipient was named.
func (r Recipient) IsZero() bool { return r == Recipient{} }

// Type is the recipient's type in calldata.
func (r Recipient) Type() RecipientType {
	if r.Private != "" {
		return ToPrivate
	}
	return ToAddress
}

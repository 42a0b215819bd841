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

// A Recipient is who a swap pays: an EVM address, a private address, or the
// sender of the transaction. The zero value names none of them; every other
// value is valid by itself. Whether it fits a route depends on the route.
type Recipient struct {
	address Address
	private PrivateAddress
	sender  bool
}

// MaxRecipientLen is the longest spelling of a recipient that is looked at: the
// length of a 0zk address.
const MaxRecipientLen = 127

// ParseRecipient reads a private address as [ParsePrivateAddress] does, or an
// EVM address as [ParseAddress] does. The zero address cannot be paid.
func ParseRecipient(s string) (Recipient, error) {
	if len(s) >= len(privatePrefix) && strings.EqualFold(s[:len(privatePrefix)], privatePrefix) {
		p, err := ParsePrivateAddress(s)
		return Recipient{private: p}, err
	}
	a, err := ParseAddress(s)
	if err == nil && a.IsZero() {
		err = &Error{Code: RecipientZero, Param: "recipient", Message: "the zero address cannot receive a swap"}
	}
	return Recipient{address: a}, err
}

// MustRecipient is [ParseRecipient] for literals: it panics on an error.
func MustRecipient(s string) Recipient {
	r, err := ParseRecipient(s)
	if err != nil {
		panic("swap: " + s + ": " + err.Error())
	}
	return r
}

// ParseRefundTo reads the account that gets a deposit back, as [ParseAddress]
// does. The zero address stands for none, so it cannot be asked for.
func ParseRefundTo(s string) (Address, error) {
	a, err := ParseAddress(s)
	if err == nil && a.IsZero() {
		err = &Error{Code: RefundToZero, Param: "refundTo", Message: "the zero address cannot receive a refund: leave the parameter out, and the sender does"}
	}
	return a, err
}

// Sender is the recipient that stands for the sender of the transaction. Only
// the first version of the API knows it.
func Sender() Recipient { return Recipient{sender: true} }

// IsZero reports whether no recipient is named.
func (r Recipient) IsZero() bool { return r == Recipient{} }

// IsSender reports whether r is [Sender].
func (r Recipient) IsSender() bool { return r.sender }

// Address is the EVM address that is paid. It is zero for a private recipient,
// and for the sender, which the contracts know by it.
func (r Recipient) Address() Address { return r.address }

// IsPrivate reports whether a private address is paid.
func (r Recipient) IsPrivate() bool { return !r.private.IsZero() }

// Private is the private address that is paid; zero for any other recipient.
func (r Recipient) Private() PrivateAddress { return r.private }

// String writes the recipient as a request does.
func (r Recipient) String() string {
	if r.IsPrivate() {
		return r.private.String()
	}
	return r.address.String()
}

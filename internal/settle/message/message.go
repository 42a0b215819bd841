// Package message reads the issuer's message about a burn. It knows where the
// fields are and trusts none of them: any account can have any bytes sent and
// attested.
package message

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"

	"hubquote/swap"
)

// Where the fields are, big-endian, without padding. The issuer fills in those
// marked * when it attests, so that the attested message differs from the one
// that the burn emitted.
//
//	offset  size  field
//	     0     4  header version
//	     4     4  source domain
//	     8     4  destination domain
//	    12    32  nonce *
//	    44    32  sender, the messenger on the source
//	    76    32  recipient, the messenger on the destination
//	   108    32  destination caller
//	   140     4  minimum finality threshold
//	   144     4  finality threshold executed *
//	   148     4  body version
//	   152    32  burn token
//	   184    32  mint recipient
//	   216    32  amount
//	   248    32  message sender, who burned
//	   280    32  maximum fee
//	   312    32  fee executed *
//	   344    32  expiration block *
//	   376     n  hook data
const (
	offSource      = 4
	offDestination = 8
	offNonce       = 12
	offFrom        = 44
	offTo          = 76
	offCaller      = 108
	offFinality    = 140
	offExecuted    = 144
	offBody        = 148
	offToken       = 152
	offMintTo      = 184
	offAmount      = 216
	offSender      = 248
	offMaxFee      = 280
	offFee         = 312
	offExpires     = 344
	offHook        = 376

	version = 1
)

// MaxLength is the longest message that is read. The issuer's contracts allow a
// body of 8,192 bytes.
const MaxLength = offBody + 8192

// A Word is 32 bytes of a message: an account of any network, or a number.
type Word [32]byte

// WordOf returns the word of an account on an EVM network.
func WordOf(a swap.Address) (w Word) {
	copy(w[12:], a[:])
	return w
}

// Low returns the low 20 bytes, which are all that the issuer's contracts look
// at when they mint.
func (w Word) Low() swap.Address { return swap.Address(w[12:]) }

// Address returns the account that w is on an EVM network. It is false for zero
// and for a word with something above the low 20 bytes.
func (w Word) Address() (swap.Address, bool) {
	a := w.Low()
	return a, !a.IsZero() && WordOf(a) == w
}

// A Message is a message about a burn, with whole header and body.
type Message []byte

var (
	errLength  = errors.New("not the length of a message about a burn")
	errVersion = errors.New("a version of the message or its body that is not 1")
)

// Parse accepts bytes that have the layout above.
func Parse(b []byte) (Message, error) {
	switch {
	case len(b) < offHook || len(b) > MaxLength:
		return nil, errLength
	case number(b, 0) != version || number(b, offBody) != version:
		return nil, errVersion
	}
	return Message(b), nil
}

// Source is the domain that the message says it is from.
func (m Message) Source() swap.Domain { return swap.Domain(number(m, offSource)) }

// Destination is the domain that the message is for.
func (m Message) Destination() swap.Domain { return swap.Domain(number(m, offDestination)) }

// Nonce is what the message is known by where it is delivered. It is zero before
// the message is attested.
func (m Message) Nonce() Word { return m.word(offNonce) }

// From is the contract that sent the message.
func (m Message) From() Word { return m.word(offFrom) }

// To is the contract that the message is handed to.
func (m Message) To() Word { return m.word(offTo) }

// Caller is the only account that may deliver the message, or zero.
func (m Message) Caller() Word { return m.word(offCaller) }

// Fast reports whether the burner asked to be attested before finality.
func (m Message) Fast() bool { return number(m, offFinality) <= 1000 }

// Token is what was burned.
func (m Message) Token() Word { return m.word(offToken) }

// MintTo is the account that is minted for.
func (m Message) MintTo() Word { return m.word(offMintTo) }

// Amount is what was burned, before the issuer's fee.
func (m Message) Amount() swap.Amount { return m.amount(offAmount) }

// Sender is the account that burned.
func (m Message) Sender() Word { return m.word(offSender) }

// MaxFee is the most that the issuer may keep.
func (m Message) MaxFee() swap.Amount { return m.amount(offMaxFee) }

// Fee is what the issuer keeps. It is zero before the message is attested.
func (m Message) Fee() swap.Amount { return m.amount(offFee) }

// Expires is the first block of the destination that no longer takes the
// message, or 0 when every block takes it.
func (m Message) Expires() uint64 {
	n := m.amount(offExpires)
	if !n.IsUint64() || n.Uint64() > math.MaxInt64 {
		return math.MaxInt64
	}
	return n.Uint64()
}

// Hook is what the burner wants done with the money.
func (m Message) Hook() []byte { return m[offHook:] }

// Masked returns the message with zeros where the issuer fills in. Two messages
// are about the same burn only if these are equal.
func (m Message) Masked() Message {
	masked := Message(bytes.Clone(m))
	for _, field := range [][2]int{{offNonce, offFrom}, {offExecuted, offBody}, {offFee, offHook}} {
		clear(masked[field[0]:field[1]])
	}
	return masked
}

// SameBurn reports whether two messages differ in nothing but what the issuer
// fills in.
func (m Message) SameBurn(other Message) bool { return bytes.Equal(m.Masked(), other.Masked()) }

func (m Message) word(at int) Word { return Word(m[at : at+32]) }

func (m Message) amount(at int) (n swap.Amount) {
	n.SetBytes(m[at : at+32])
	return n
}

func number(b []byte, at int) uint32 { return binary.BigEndian.Uint32(b[at:]) }

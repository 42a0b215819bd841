// Package order is the vocabulary of settlement: an order, what is known about
// it, and the words for its states. It holds no rule; the rules are in policy,
// and the journal stores these words as they are written here.
package order

import (
	"database/sql/driver"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"log/slog"
	"time"

	"hubquote/swap"
)

// A Hash is 32 bytes that name a block, a transaction or an order.
type Hash [32]byte

// An ID names an order: the hash of the order without its deadline, so that a
// deposit mined again in another block keeps it.
type ID = Hash

// String returns 0x and 64 digits.
func (h Hash) String() string { return "0x" + hex.EncodeToString(h[:]) }

// LogValue makes a log show the same.
func (h Hash) LogValue() slog.Value { return slog.StringValue(h.String()) }

// IsZero reports whether h is unset.
func (h Hash) IsZero() bool { return h == Hash{} }

// Value stores h as bytes.
func (h Hash) Value() (driver.Value, error) { return h[:], nil }

// Scan reads what [Hash.Value] stored, and nothing of another length.
func (h *Hash) Scan(src any) error {
	b, ok := src.([]byte)
	if !ok || len(b) != len(h) {
		return fmt.Errorf("not a hash of 32 bytes: %T", src)
	}
	copy(h[:], b)
	return nil
}

// A Pool is a contract of ours on one network: a pool or a receiver.
type Pool struct {
	Chain   swap.ChainID
	Address swap.Address
}

// An Order is a deposit and the payment it asks for.
type Order struct {
	ID         ID
	Generation int64  // the deployment that its contracts belong to
	Running    uint64 // its number at the source, without gaps
	Src        Pool   // holds the deposit
	Dst        Pool   // pays; the zero address means that no pool can
	Asset      swap.Address
	Amount     swap.Amount // deposited, in units of Asset
	Pays       swap.Amount // the most a payment takes from Dst, in units of its token
	Burn       bool        // opened by a receiver from an attested burn
	Deadline   time.Time   // from this second on the destination refuses to pay
	Body       []byte      // the order as the contracts encode it
}

// Place is where the deposit was made: the second word of Body, after the offset
// that a value of variable length begins with. For a burn it is the network that
// was burned on, and not the receiver's.
func (o *Order) Place() swap.PlaceID {
	const end = 64
	if len(o.Body) < end {
		return 0
	}
	return swap.PlaceID(binary.BigEndian.Uint64(o.Body[end-8 : end]))
}

// Unpayable reports whether the source opened the order as one without a
// paying pool. Its deposit may be taken back at once, by any caller.
func (o *Order) Unpayable() bool { return o.Dst.Address.IsZero() }

package calldata

import "hubquote/swap"

// PoolSignature is the function every DIRECT route calls. Clients in the field
// decode and encode it themselves: it is part of the contract with them.
const PoolSignature = "swap(uint256,uint256,bytes,uint8,address,bytes32)"

var poolSelector = selectorOf(PoolSignature)

// A PoolCall deposits into a pool and says who is paid what on the far side.
//
// After the selector come six words, then the recipient:
//
//	offset  size  argument
//	     4    32  dstChain, the place ID the client gave
//	    36    32  amount
//	    68    32  where the recipient starts, counted from offset 4: always 192
//	   100    32  recipientType
//	   132    32  dstToken on the destination's network
//	   164    32  integratorId, zero when there is none
//	   196    32  length of recipient: 20 for type 0, 160 for type 2
//	   228     n  recipient, then zeros to a whole word
type PoolCall struct {
	DstChain   swap.PlaceID
	Amount     swap.Amount
	Recipient  []byte
	Type       swap.RecipientType
	DstToken   swap.Address
	Integrator swap.IntegratorID
}

const (
	poolHead = 6 * wordSize

	// PoolAmountOffset and PoolRecipientOffset are where amount and recipient
	// start in the calldata of a [PoolCall], for callers that patch them.
	PoolAmountOffset    = 4 + wordSize
	PoolRecipientOffset = 4 + poolHead + wordSize
)

// Append appends the call's bytes to dst.
func (c *PoolCall) Append(dst []byte) []byte {
	dst = append(dst, poolSelector[:]...)
	dst = appendUint(dst, uint64(c.DstChain))
	dst = appendAmount(dst, &c.Amount)
	dst = appendUint(dst, poolHead)
	dst = appendUint(dst, uint64(c.Type))
	dst = appendAddress(dst, c.DstToken)
	dst = append(dst, c.Integrator[:]...)
	return appendBytes(dst, c.Recipient)
}

// Bytes returns the call's bytes.
func (c *PoolCall) Bytes() []byte {
	size := PoolRecipientOffset + len(c.Recipient) + padding(len(c.Recipient))
	return c.Append(make([]byte, 0, size))
}

// ParsePoolCall reads what [PoolCall.Append] writes.
func ParsePoolCall(call []byte) (PoolCall, error) {
	r := newReader(call, poolSelector)
	c := PoolCall{DstChain: swap.PlaceID(r.uint64()), Amount: r.amount()}
	r.constant(poolHead)
	typ := r.uint64()
	c.Type = swap.RecipientType(typ)
	c.DstToken = r.address()
	c.Integrator = r.word()
	c.Recipient = r.bytes()
	r.bad = r.bad || typ != uint64(c.Type) || len(c.Recipient) != recipientLen(c.Type)
	if err := r.err(); err != nil {
		return PoolCall{}, err
	}
	return c, nil
}

// recipientLen is how many bytes a recipient of that type has, or -1 for a type
// that does not exist.
func recipientLen(t swap.RecipientType) int {
	switch t {
	case swap.ToAddress:
		return len(swap.Address{})
	case swap.ToPrivate:
		return swap.NoteLen
	default:
		return -1
	}
}

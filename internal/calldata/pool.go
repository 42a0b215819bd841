package calldata

import (
	"bytes"

	"hubquote/internal/abi"
	"hubquote/swap"
)

// Pool is the function that every DIRECT route calls. Clients in the field decode
// and encode it themselves: it is part of the contract with them.
var Pool = abi.Func{Name: "swap", Args: []abi.Arg{
	{Type: "uint256", Name: "dstChain"},
	{Type: "uint256", Name: "amount"},
	{Type: "bytes", Name: "recipient"},
	{Type: "uint8", Name: "recipientType"},
	{Type: "address", Name: "dstToken"},
	{Type: "bytes32", Name: "integratorId"},
}}

// PoolFor is [Pool] with an account that gets the deposit back if the swap cannot
// be paid. With Pool that is the sender, or the recipient of an unshielding swap.
var PoolFor = abi.Func{Name: "swapFor", Args: append(Pool.Args[:len(Pool.Args):len(Pool.Args)],
	abi.Arg{Type: "address", Name: "refundTo"},
)}

var (
	poolSelector    = Pool.Selector()
	poolHead        = uint64(Pool.HeadSize())
	poolForSelector = PoolFor.Selector()
	poolForHead     = uint64(PoolFor.HeadSize())
)

// A PoolCall deposits into a pool and names the payment on the destination. It
// is a call of [PoolFor] if it names an account for refunds, else of [Pool].
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
//
// With an account for refunds there are seven: refundTo at offset 196, and the
// recipient, 32 bytes later, starts at 224.
type PoolCall struct {
	DstChain   swap.PlaceID
	Amount     swap.Amount
	Recipient  Recipient
	DstToken   swap.Address
	Integrator swap.IntegratorID
	RefundTo   swap.Address // zero for none
}

// Func is the function that is called.
func (c *PoolCall) Func() abi.Func {
	if c.RefundTo.IsZero() {
		return Pool
	}
	return PoolFor
}

// Append appends the call's bytes to dst.
func (c *PoolCall) Append(dst []byte) []byte {
	selector, head := poolSelector, poolHead
	if !c.RefundTo.IsZero() {
		selector, head = poolForSelector, poolForHead
	}
	dst = append(dst, selector[:]...)
	dst = abi.AppendUint(dst, uint64(c.DstChain))
	dst = abi.AppendAmount(dst, &c.Amount)
	dst = abi.AppendUint(dst, head)
	dst = abi.AppendUint(dst, uint64(c.Recipient.Type))
	dst = abi.AppendAddress(dst, c.DstToken)
	dst = append(dst, c.Integrator[:]...)
	if !c.RefundTo.IsZero() {
		dst = abi.AppendAddress(dst, c.RefundTo)
	}
	return abi.AppendBytes(dst, c.Recipient.Bytes)
}

// Bytes returns the call's bytes.
func (c *PoolCall) Bytes() []byte {
	n := len(c.Recipient.Bytes)
	size := c.Func().TailOffset() + n + abi.Padding(n)
	return c.Append(make([]byte, 0, size))
}

// ParsePoolCall reads what [PoolCall.Append] writes.
func ParsePoolCall(call []byte) (PoolCall, error) {
	refunds := bytes.HasPrefix(call, poolForSelector[:])
	selector, head := poolSelector, poolHead
	if refunds {
		selector, head = poolForSelector, poolForHead
	}
	r := abi.NewReader(call, selector)
	c := PoolCall{DstChain: swap.PlaceID(r.Uint64()), Amount: r.Amount()}
	r.Constant(head)
	typ := r.Uint64()
	c.Recipient.Type = swap.RecipientType(typ)
	c.DstToken = r.Address()
	c.Integrator = r.Word()
	if refunds {
		c.RefundTo = r.Address()
		r.Require(!c.RefundTo.IsZero())
	}
	c.Recipient.Bytes = r.Bytes()
	r.Require(typ == uint64(c.Recipient.Type) && c.Recipient.valid())
	if err := r.Err(); err != nil {
		return PoolCall{}, err
	}
	return c, nil
}

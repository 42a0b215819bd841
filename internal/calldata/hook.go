package calldata

import (
	"hubquote/internal/abi"
	"hubquote/swap"
)

// A Hook tells the hub what to do with a burn once it is attested. The issuer
// attests these bytes, so a Hook has exactly one encoding and [ParseHook]
// accepts no other.
//
// It is packed, big-endian, without padding between fields:
//
//	offset  size  field
//	     0    32  destination chain ID
//	    32    20  target token
//	    52    32  integrator ID, zero when there is none
//	    84     1  recipient type
//	    85     n  recipient: 20 bytes for type 0, 160 for type 2
type Hook struct {
	DstChain   swap.PlaceID
	DstToken   swap.Address
	Integrator swap.IntegratorID
	Recipient  Recipient
}

// HookFields are the fields of a [Hook], in their order.
var HookFields = []abi.Arg{
	{Type: "uint256", Name: "dstChain"},
	{Type: "address", Name: "dstToken"},
	{Type: "bytes32", Name: "integratorId"},
	{Type: "uint8", Name: "recipientType"},
	{Type: "bytes", Name: "recipient"},
}

// HookRecipientOffset is where the recipient starts in a [Hook].
var HookRecipientOffset = abi.PackedOffset(HookFields, "recipient")

// Len is the number of bytes the hook takes.
func (h *Hook) Len() int { return HookRecipientOffset + len(h.Recipient.Bytes) }

// Append appends the hook's bytes to dst.
func (h *Hook) Append(dst []byte) []byte {
	dst = abi.AppendUint(dst, uint64(h.DstChain))
	dst = append(dst, h.DstToken[:]...)
	dst = append(dst, h.Integrator[:]...)
	dst = append(dst, byte(h.Recipient.Type))
	return append(dst, h.Recipient.Bytes...)
}

// ParseHook reads what [Hook.Append] writes.
func ParseHook(data []byte) (Hook, error) {
	r := abi.NewPackedReader(data)
	h := Hook{DstChain: swap.PlaceID(r.Uint64())}
	copy(h.DstToken[:], r.Take(len(h.DstToken)))
	h.Integrator = r.Word()
	h.Recipient.Type = swap.RecipientType(r.Take(1)[0])
	h.Recipient.Bytes = r.Rest()
	r.Require(h.Recipient.valid())
	if err := r.Err(); err != nil {
		return Hook{}, err
	}
	return h, nil
}

// A HookedBurn is a burn whose hook was read.
type HookedBurn struct {
	BurnCall
	Order Hook // what BurnCall.Hook says
}

// ParseHookedBurn reads a burn with one of our hooks.
func ParseHookedBurn(call []byte) (HookedBurn, error) {
	c, err := ParseBurnCall(call)
	if err != nil {
		return HookedBurn{}, err
	}
	h, err := ParseHook(c.Hook)
	return HookedBurn{c, h}, err
}

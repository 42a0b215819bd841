package calldata

import "hubquote/swap"

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
	Type       swap.RecipientType
	Recipient  []byte
}

const hookHead = 32 + 20 + 32 + 1

// Len is the number of bytes the hook takes.
func (h *Hook) Len() int { return hookHead + len(h.Recipient) }

// Append appends the hook's bytes to dst.
func (h *Hook) Append(dst []byte) []byte {
	dst = appendUint(dst, uint64(h.DstChain))
	dst = append(dst, h.DstToken[:]...)
	dst = append(dst, h.Integrator[:]...)
	dst = append(dst, byte(h.Type))
	return append(dst, h.Recipient...)
}

// ParseHook reads what [Hook.Append] writes.
func ParseHook(data []byte) (Hook, error) {
	r := &reader{rest: data}
	h := Hook{DstChain: swap.PlaceID(r.uint64())}
	copy(h.DstToken[:], r.take(len(h.DstToken)))
	h.Integrator = r.word()
	h.Type = swap.RecipientType(r.take(1)[0])
	h.Recipient = r.take(len(r.rest))
	r.bad = r.bad || len(h.Recipient) != recipientLen(h.Type)
	if err := r.err(); err != nil {
		return Hook{}, err
	}
	return h, nil
}

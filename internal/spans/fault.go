package spans

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"hubquote/internal/calldata"
	"hubquote/swap"
)

// Fault says which byte keeps a call from being one that a quote can hold, in
// its one valid encoding. It is empty for a call that is.
func Fault(call []byte) string {
	nearest := nearest(call)
	if nearest == nil {
		return fmt.Sprintf("byte 0: it begins with 0x%x, and swap, depositForBurnWithHook and approve begin with %s",
			call[:min(len(call), selectorLen)], selectors())
	}
	i := 0
	for i < min(len(call), len(nearest)) && call[i] == nearest[i] {
		i++
	}
	switch {
	case i < len(call) && i >= len(nearest):
		return fmt.Sprintf("byte %d: the call ends here, and %d bytes follow", i, len(call)-i)
	case i < len(nearest) && i >= len(call):
		return fmt.Sprintf("byte %d: the call is cut off in %s", i, nameAt(nearest, i))
	case i < len(nearest):
		return fmt.Sprintf("byte %d, in %s, is 0x%02x, and can only be 0x%02x", i, nameAt(nearest, i), call[i], nearest[i])
	}
	return ""
}

func nameAt(call []byte, i int) string {
	for _, s := range Of(call) {
		if s.Start <= i && i < s.End {
			return s.Name
		}
	}
	return "the call"
}

func selectors() string {
	var b bytes.Buffer
	for i, f := range functions {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "0x%x", f.selector)
	}
	return b.String()
}

// nearest returns the valid call that has the same arguments as call, as far as
// they can be valid; nil if it has none of the functions.
func nearest(call []byte) []byte {
	p := plenty(call)
	switch {
	case bytes.HasPrefix(call, pool.selector):
		return p.pool().Bytes()
	case bytes.HasPrefix(call, burn.selector):
		return p.burn().Bytes()
	case bytes.HasPrefix(call, approve.selector):
		return p.approve().Bytes()
	}
	return nil
}

// A roomy call has zeros behind its end, so that every argument can be read.
type roomy []byte

func plenty(call []byte) roomy { return append(bytes.Clone(call), make([]byte, 1024)...) }

func (p roomy) address(at int) swap.Address { return swap.Address(p[at : at+20]) }

func (p roomy) amount(at int) (a swap.Amount) {
	a.SetBytes32(p[at : at+wordLen])
	return a
}

func (p roomy) place(at int) swap.PlaceID {
	return swap.PlaceID(binary.BigEndian.Uint64(p[at+24:]))
}

// recipient reads a recipient of the type that is in a byte; of an unknown type
// it makes an address.
func (p roomy) recipient(typeAt, at int) (swap.RecipientType, []byte) {
	if t := swap.RecipientType(p[typeAt]); t == swap.ToPrivate {
		return t, p[at : at+swap.NoteLen]
	}
	return swap.ToAddress, p[at : at+20]
}

func (p roomy) pool() *calldata.PoolCall {
	c := &calldata.PoolCall{
		DstChain: p.place(4), Amount: p.amount(calldata.PoolAmountOffset),
		DstToken: p.address(132 + 12), Integrator: swap.IntegratorID(p[164:196]),
	}
	c.Type, c.Recipient = p.recipient(131, calldata.PoolRecipientOffset)
	return c
}

func (p roomy) burn() *calldata.BurnCall {
	const at = calldata.BurnHookOffset
	h := calldata.Hook{DstChain: p.place(at), DstToken: p.address(at + 32), Integrator: swap.IntegratorID(p[at+52 : at+84])}
	h.Type, h.Recipient = p.recipient(at+84, at+85)
	return &calldata.BurnCall{
		Amount: p.amount(4), Domain: swap.Domain(binary.BigEndian.Uint32(p[64:])),
		Recipient: p.address(68 + 12), Token: p.address(100 + 12), Caller: p.address(132 + 12),
		MaxFee: p.amount(164), Finality: binary.BigEndian.Uint32(p[224:]), Hook: h.Append(nil),
	}
}

func (p roomy) approve() *calldata.ApproveCall {
	return &calldata.ApproveCall{Spender: p.address(4 + 12), Amount: p.amount(36)}
}

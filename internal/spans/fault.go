package spans

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"hubquote/internal/abi"
	"hubquote/internal/calldata"
	"hubquote/swap"
)

// Fault says which byte keeps a call from being one that a quote can hold, in
// its one valid encoding. It is empty for a call that is.
func Fault(call []byte) string {
	nearest := nearest(call)
	if nearest == nil {
		return fmt.Sprintf("byte 0: it begins with 0x%x, and swap, swapFor, depositForBurnWithHook and approve begin with %s",
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
		fmt.Fprintf(&b, "0x%x", f.Selector())
	}
	return b.String()
}

func begins(call []byte, f abi.Func) bool {
	selector := f.Selector()
	return bytes.HasPrefix(call, selector[:])
}

// nearest returns the valid call that has the same arguments as call, as far as
// they can be valid; nil if it has none of the functions.
func nearest(call []byte) []byte {
	p := plenty(call)
	switch {
	case begins(call, calldata.Pool):
		return p.pool(calldata.Pool).Bytes()
	case begins(call, calldata.PoolFor):
		return p.poolFor().Bytes()
	case begins(call, calldata.Burn):
		return p.burn().Bytes()
	case begins(call, calldata.Approve):
		return p.approve().Bytes()
	}
	return nil
}

// A roomy call has zeros behind its end, so that every argument can be read.
type roomy []byte

func plenty(call []byte) roomy { return append(bytes.Clone(call), make([]byte, 1024)...) }

func (p roomy) address(at int) swap.Address { return swap.Address(p[at : at+20]) }

func (p roomy) amount(at int) (a swap.Amount) {
	a.SetBytes32(p[at : at+abi.WordSize])
	return a
}

func (p roomy) place(at int) swap.PlaceID {
	return swap.PlaceID(binary.BigEndian.Uint64(p[at+24:]))
}

// recipient reads a recipient whose type is the byte at typeAt.
func (p roomy) recipient(typeAt, at int) calldata.Recipient {
	if t := swap.RecipientType(p[typeAt]); t == swap.ToPrivate {
		return calldata.ToNote(p[at : at+swap.NoteLen])
	}
	return calldata.ToAddress(p.address(at))
}

func (p roomy) pool(f abi.Func) *calldata.PoolCall {
	return &calldata.PoolCall{
		DstChain: p.place(f.Offset("dstChain")), Amount: p.amount(f.Offset("amount")),
		Recipient: p.recipient(lastByte(f, "recipientType"), f.TailOffset()),
		DstToken:  p.wordAddress(f.Offset("dstToken")), Integrator: p.word(f.Offset("integratorId")),
	}
}

// poolFor has 1 for an account of zero: that is one which can be named.
func (p roomy) poolFor() *calldata.PoolCall {
	c := p.pool(calldata.PoolFor)
	c.RefundTo = p.wordAddress(calldata.PoolFor.Offset("refundTo"))
	if c.RefundTo.IsZero() {
		c.RefundTo[len(c.RefundTo)-1] = 1
	}
	return c
}

func (p roomy) burn() *calldata.BurnCall {
	f, at := calldata.Burn, calldata.Burn.TailOffset()
	field := func(name string) int { return at + abi.PackedOffset(calldata.HookFields, name) }
	h := calldata.Hook{
		DstChain: p.place(at), DstToken: p.address(field("dstToken")), Integrator: p.word(field("integratorId")),
		Recipient: p.recipient(field("recipientType"), field("recipient")),
	}
	return &calldata.BurnCall{
		Amount: p.amount(f.Offset("amount")), Domain: swap.Domain(p.uint32(f.Offset("destinationDomain"))),
		Recipient: p.wordAddress(f.Offset("mintRecipient")), Token: p.wordAddress(f.Offset("burnToken")),
		Caller: p.wordAddress(f.Offset("destinationCaller")), MaxFee: p.amount(f.Offset("maxFee")),
		Finality: p.uint32(f.Offset("minFinalityThreshold")), Hook: h.Append(nil),
	}
}

func (p roomy) approve() *calldata.ApproveCall {
	f := calldata.Approve
	return &calldata.ApproveCall{Spender: p.wordAddress(f.Offset("spender")), Amount: p.amount(f.Offset("amount"))}
}

// lastByte is where the last byte of an argument's word is.
func lastByte(f abi.Func, name string) int { return f.Offset(name) + abi.WordSize - 1 }

func (p roomy) word(at int) [abi.WordSize]byte { return [abi.WordSize]byte(p[at : at+abi.WordSize]) }

func (p roomy) wordAddress(at int) swap.Address {
	return p.address(at + abi.WordSize - len(swap.Address{}))
}

func (p roomy) uint32(at int) uint32 { return binary.BigEndian.Uint32(p[at+abi.WordSize-4:]) }

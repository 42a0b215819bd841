package calldata

import "hubquote/swap"

// BurnSignature is the function every CCTP_INBOUND route calls.
const BurnSignature = "depositForBurnWithHook(uint256,uint32,bytes32,address,bytes32,uint256,uint32,bytes)"

var burnSelector = selectorOf(BurnSignature)

// A BurnCall burns USDC through the issuer's messenger.
//
// After the selector come eight words, then the hook:
//
//	offset  size  argument
//	     4    32  amount
//	    36    32  destinationDomain
//	    68    32  mintRecipient, an address padded on the left
//	   100    32  burnToken
//	   132    32  destinationCaller, likewise
//	   164    32  maxFee
//	   196    32  minFinalityThreshold
//	   228    32  where hookData starts, counted from offset 4: always 256
//	   260    32  length of hookData
//	   292     n  hookData, then zeros to a whole word
type BurnCall struct {
	Amount    swap.Amount
	Domain    swap.Domain
	Recipient swap.Address // who is minted to
	Token     swap.Address
	Caller    swap.Address // the only one who may mint
	MaxFee    swap.Amount
	Finality  uint32
	Hook      []byte
}

const (
	burnHead = 8 * wordSize

	// BurnAmountOffset and BurnHookOffset are where amount and hookData start
	// in the calldata of a [BurnCall].
	BurnAmountOffset = 4
	BurnHookOffset   = 4 + burnHead + wordSize
)

// Append appends the call's bytes to dst.
func (c *BurnCall) Append(dst []byte) []byte {
	dst = append(dst, burnSelector[:]...)
	dst = appendAmount(dst, &c.Amount)
	dst = appendUint(dst, uint64(c.Domain))
	dst = appendAddress(dst, c.Recipient)
	dst = appendAddress(dst, c.Token)
	dst = appendAddress(dst, c.Caller)
	dst = appendAmount(dst, &c.MaxFee)
	dst = appendUint(dst, uint64(c.Finality))
	dst = appendUint(dst, burnHead)
	return appendBytes(dst, c.Hook)
}

// Bytes returns the call's bytes.
func (c *BurnCall) Bytes() []byte {
	size := BurnHookOffset + len(c.Hook) + padding(len(c.Hook))
	return c.Append(make([]byte, 0, size))
}

// ParseBurnCall reads what [BurnCall.Append] writes. It does not look into the
// hook.
func ParseBurnCall(call []byte) (BurnCall, error) {
	r := newReader(call, burnSelector)
	c := BurnCall{Amount: r.amount()}
	domain := r.uint64()
	c.Domain = swap.Domain(domain)
	c.Recipient, c.Token, c.Caller = r.address(), r.address(), r.address()
	c.MaxFee = r.amount()
	finality := r.uint64()
	c.Finality = uint32(finality)
	r.constant(burnHead)
	c.Hook = r.bytes()
	r.bad = r.bad || domain != uint64(c.Domain) || finality != uint64(c.Finality)
	if err := r.err(); err != nil {
		return BurnCall{}, err
	}
	return c, nil
}

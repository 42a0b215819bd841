package calldata

import (
	"hubquote/internal/abi"
	"hubquote/swap"
)

// Burn is the function that every CCTP_INBOUND route calls.
var Burn = abi.Func{Name: "depositForBurnWithHook", Args: []abi.Arg{
	{Type: "uint256", Name: "amount"},
	{Type: "uint32", Name: "destinationDomain"},
	{Type: "bytes32", Name: "mintRecipient"},
	{Type: "address", Name: "burnToken"},
	{Type: "bytes32", Name: "destinationCaller"},
	{Type: "uint256", Name: "maxFee"},
	{Type: "uint32", Name: "minFinalityThreshold"},
	{Type: "bytes", Name: "hookData"},
}}

var (
	burnSelector = Burn.Selector()
	burnHead     = uint64(Burn.HeadSize())
)

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
	Recipient swap.Address // the account that is minted to
	Token     swap.Address
	Caller    swap.Address // the only account that may mint
	MaxFee    swap.Amount
	Finality  uint32
	Hook      []byte
}

// Append appends the call's bytes to dst.
func (c *BurnCall) Append(dst []byte) []byte {
	dst = append(dst, burnSelector[:]...)
	dst = abi.AppendAmount(dst, &c.Amount)
	dst = abi.AppendUint(dst, uint64(c.Domain))
	dst = abi.AppendAddress(dst, c.Recipient)
	dst = abi.AppendAddress(dst, c.Token)
	dst = abi.AppendAddress(dst, c.Caller)
	dst = abi.AppendAmount(dst, &c.MaxFee)
	dst = abi.AppendUint(dst, uint64(c.Finality))
	dst = abi.AppendUint(dst, burnHead)
	return abi.AppendBytes(dst, c.Hook)
}

// Bytes returns the call's bytes.
func (c *BurnCall) Bytes() []byte {
	size := Burn.TailOffset() + len(c.Hook) + abi.Padding(len(c.Hook))
	return c.Append(make([]byte, 0, size))
}

// ParseBurnCall reads what [BurnCall.Append] writes. It does not look into the
// hook.
func ParseBurnCall(call []byte) (BurnCall, error) {
	r := abi.NewReader(call, burnSelector)
	c := BurnCall{Amount: r.Amount()}
	domain := r.Uint64()
	c.Domain = swap.Domain(domain)
	c.Recipient, c.Token, c.Caller = r.Address(), r.Address(), r.Address()
	c.MaxFee = r.Amount()
	finality := r.Uint64()
	c.Finality = uint32(finality)
	r.Constant(burnHead)
	c.Hook = r.Bytes()
	r.Require(domain == uint64(c.Domain) && finality == uint64(c.Finality))
	if err := r.Err(); err != nil {
		return BurnCall{}, err
	}
	return c, nil
}

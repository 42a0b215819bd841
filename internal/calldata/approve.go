package calldata

import (
	"hubquote/internal/abi"
	"hubquote/swap"
)

// Approve is the ERC-20 function that lets a contract take tokens.
var Approve = abi.Func{Name: "approve", Args: []abi.Arg{
	{Type: "address", Name: "spender"},
	{Type: "uint256", Name: "amount"},
}}

var approveSelector = Approve.Selector()

// An ApproveCall sets a token allowance.
//
//	offset  size  argument
//	     4    32  spender
//	    36    32  amount
type ApproveCall struct {
	Spender swap.Address
	Amount  swap.Amount
}

const approveLen = 4 + 2*abi.WordSize

// Append appends the call's bytes to dst.
func (c *ApproveCall) Append(dst []byte) []byte {
	dst = append(dst, approveSelector[:]...)
	dst = abi.AppendAddress(dst, c.Spender)
	return abi.AppendAmount(dst, &c.Amount)
}

// Bytes returns the call's bytes.
func (c *ApproveCall) Bytes() []byte { return c.Append(make([]byte, 0, approveLen)) }

// ParseApproveCall reads what [ApproveCall.Append] writes.
func ParseApproveCall(call []byte) (ApproveCall, error) {
	r := abi.NewReader(call, approveSelector)
	c := ApproveCall{Spender: r.Address(), Amount: r.Amount()}
	if err := r.Err(); err != nil {
		return ApproveCall{}, err
	}
	return c, nil
}

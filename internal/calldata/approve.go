package calldata

import "hubquote/swap"

// ApproveSignature is the ERC-20 function that lets a contract take tokens.
const ApproveSignature = "approve(address,uint256)"

var approveSelector = selectorOf(ApproveSignature)

// An ApproveCall sets a token allowance.
//
//	offset  size  argument
//	     4    32  spender
//	    36    32  amount
type ApproveCall struct {
	Spender swap.Address
	Amount  swap.Amount
}

const approveLen = 4 + 2*wordSize

// Append appends the call's bytes to dst.
func (c *ApproveCall) Append(dst []byte) []byte {
	dst = append(dst, approveSelector[:]...)
	dst = appendAddress(dst, c.Spender)
	return appendAmount(dst, &c.Amount)
}

// Bytes returns the call's bytes.
func (c *ApproveCall) Bytes() []byte { return c.Append(make([]byte, 0, approveLen)) }

// ParseApproveCall reads what [ApproveCall.Append] writes.
func ParseApproveCall(call []byte) (ApproveCall, error) {
	r := newReader(call, approveSelector)
	c := ApproveCall{Spender: r.address(), Amount: r.amount()}
	if err := r.err(); err != nil {
		return ApproveCall{}, err
	}
	return c, nil
}

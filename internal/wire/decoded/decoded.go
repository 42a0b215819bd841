// Package decoded shows a call argument by argument, in the form an ABI decoder
// gives them. Integers of up to 32 bits are numbers, larger ones decimal strings.
package decoded

import (
	"encoding/hex"

	"hubquote/internal/calldata"
	"hubquote/swap"
)

// A Call is a function and every argument of it by name.
type Call struct {
	Function  string   `json:"function"`
	Arguments any      `json:"arguments"` // a PoolArguments, BurnArguments or ApproveArguments
	Hook      *Hook    `json:"hook,omitempty"`
	Offsets   *Offsets `json:"offsets,omitempty"`
}

// Offsets are where in the calldata, counted in bytes, the amount and the
// recipient start, for contracts that check or patch them.
type Offsets struct {
	Amount    int `json:"amount"`
	Recipient int `json:"recipient"`
}

// PoolArguments are those of [calldata.Pool], or with RefundTo of
// [calldata.PoolFor].
type PoolArguments struct {
	DstChain      string             `json:"dstChain"`
	Amount        string             `json:"amount"`
	Recipient     string             `json:"recipient"`
	RecipientType swap.RecipientType `json:"recipientType"`
	DstToken      string             `json:"dstToken"`
	IntegratorID  string             `json:"integratorId"`
	RefundTo      string             `json:"refundTo,omitempty"`
}

// BurnArguments are those of [calldata.Burn].
type BurnArguments struct {
	Amount               string      `json:"amount"`
	DestinationDomain    swap.Domain `json:"destinationDomain"`
	MintRecipient        string      `json:"mintRecipient"`
	BurnToken            string      `json:"burnToken"`
	DestinationCaller    string      `json:"destinationCaller"`
	MaxFee               string      `json:"maxFee"`
	MinFinalityThreshold uint32      `json:"minFinalityThreshold"`
	HookData             string      `json:"hookData"`
}

// ApproveArguments are those of [calldata.Approve].
type ApproveArguments struct {
	Spender string `json:"spender"`
	Amount  string `json:"amount"`
}

// Hook is the content of a burn's hookData.
type Hook struct {
	DstChain      string             `json:"dstChain"`
	DstToken      string             `json:"dstToken"`
	IntegratorID  string             `json:"integratorId"`
	RecipientType swap.RecipientType `json:"recipientType"`
	Recipient     string             `json:"recipient"`
}

// Parse shows a call. It reads the calls that the service writes and no others.
func Parse(call []byte) (*Call, error) {
	c, err := calldata.Parse(call)
	return Of(c), err
}

// Of shows a call that was read already. It returns nil for none.
func Of(call swap.Call) *Call {
	switch c := call.(type) {
	case *calldata.PoolCall:
		return ofPool(c)
	case *calldata.HookedBurn:
		return ofBurn(c)
	case *calldata.ApproveCall:
		return &Call{
			Function:  calldata.Approve.String(),
			Arguments: ApproveArguments{c.Spender.String(), c.Amount.Dec()},
		}
	}
	return nil
}

func ofPool(c *calldata.PoolCall) *Call {
	f := c.Func()
	arguments := PoolArguments{
		DstChain: c.DstChain.String(), Amount: c.Amount.Dec(),
		Recipient: hexOf(c.Recipient.Bytes), RecipientType: c.Recipient.Type,
		DstToken: c.DstToken.String(), IntegratorID: c.Integrator.String(),
	}
	if !c.RefundTo.IsZero() {
		arguments.RefundTo = c.RefundTo.String()
	}
	return &Call{Function: f.String(), Arguments: arguments, Offsets: &Offsets{f.Offset("amount"), f.TailOffset()}}
}

func ofBurn(c *calldata.HookedBurn) *Call {
	h := &c.Order
	return &Call{
		Function: calldata.Burn.String(),
		Arguments: BurnArguments{
			Amount: c.Amount.Dec(), DestinationDomain: c.Domain,
			MintRecipient: word(c.Recipient), BurnToken: c.Token.String(), DestinationCaller: word(c.Caller),
			MaxFee: c.MaxFee.Dec(), MinFinalityThreshold: c.Finality, HookData: hexOf(c.BurnCall.Hook),
		},
		Hook: &Hook{
			DstChain: h.DstChain.String(), DstToken: h.DstToken.String(), IntegratorID: h.Integrator.String(),
			RecipientType: h.Recipient.Type, Recipient: hexOf(h.Recipient.Bytes),
		},
		Offsets: &Offsets{calldata.Burn.Offset("amount"), calldata.Burn.TailOffset() + calldata.HookRecipientOffset},
	}
}

// word writes an address as the bytes32 that the issuer's contracts take.
func word(a swap.Address) string {
	return hexOf(append(make([]byte, 32-len(a)), a[:]...))
}

func hexOf(b []byte) string { return "0x" + hex.EncodeToString(b) }

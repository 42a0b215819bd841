package wire

import (
	"errors"

	"hubquote/internal/calldata"
	"hubquote/swap"
)

// Decoded is a call taken apart: its function, and every argument by name, in
// the form an ABI decoder gives them. Integers of up to 32 bits are numbers,
// larger ones decimal strings.
type Decoded struct {
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

// The functions, with the names of their arguments.
const (
	PoolFunction    = "swap(uint256 dstChain, uint256 amount, bytes recipient, uint8 recipientType, address dstToken, bytes32 integratorId)"
	BurnFunction    = "depositForBurnWithHook(uint256 amount, uint32 destinationDomain, bytes32 mintRecipient, address burnToken, bytes32 destinationCaller, uint256 maxFee, uint32 minFinalityThreshold, bytes hookData)"
	ApproveFunction = "approve(address spender, uint256 amount)"
)

// PoolArguments are those of [PoolFunction].
type PoolArguments struct {
	DstChain      string             `json:"dstChain"`
	Amount        string             `json:"amount"`
	Recipient     string             `json:"recipient"`
	RecipientType swap.RecipientType `json:"recipientType"`
	DstToken      string             `json:"dstToken"`
	IntegratorID  string             `json:"integratorId"`
}

// BurnArguments are those of [BurnFunction].
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

// ApproveArguments are those of [ApproveFunction].
type ApproveArguments struct {
	Spender string `json:"spender"`
	Amount  string `json:"amount"`
}

// Hook is what a burn's hookData says.
type Hook struct {
	DstChain      string             `json:"dstChain"`
	DstToken      string             `json:"dstToken"`
	IntegratorID  string             `json:"integratorId"`
	RecipientType swap.RecipientType `json:"recipientType"`
	Recipient     string             `json:"recipient"`
}

var errUnknownCall = errors.New("not a call of this service: neither a pool's swap, nor a burn with one of our hooks, nor an approve, each in its one valid encoding")

// Decode takes a call apart. It reads what the service writes and nothing else.
func Decode(call []byte) (*Decoded, error) {
	if c, err := calldata.ParsePoolCall(call); err == nil {
		return decodePool(&c), nil
	}
	if c, err := calldata.ParseBurnCall(call); err == nil {
		return decodeBurn(&c)
	}
	if c, err := calldata.ParseApproveCall(call); err == nil {
		return &Decoded{
			Function:  ApproveFunction,
			Arguments: ApproveArguments{c.Spender.String(), c.Amount.Dec()},
		}, nil
	}
	return nil, errUnknownCall
}

func decodePool(c *calldata.PoolCall) *Decoded {
	return &Decoded{
		Function: PoolFunction,
		Arguments: PoolArguments{
			DstChain: c.DstChain.String(), Amount: c.Amount.Dec(),
			Recipient: hexOf(c.Recipient), RecipientType: c.Type,
			DstToken: c.DstToken.String(), IntegratorID: c.Integrator.String(),
		},
		Offsets: &Offsets{calldata.PoolAmountOffset, calldata.PoolRecipientOffset},
	}
}

func decodeBurn(c *calldata.BurnCall) (*Decoded, error) {
	h, err := calldata.ParseHook(c.Hook)
	if err != nil {
		return nil, errUnknownCall
	}
	hookHead := h.Len() - len(h.Recipient)
	return &Decoded{
		Function: BurnFunction,
		Arguments: BurnArguments{
			Amount: c.Amount.Dec(), DestinationDomain: c.Domain,
			MintRecipient: word(c.Recipient), BurnToken: c.Token.String(), DestinationCaller: word(c.Caller),
			MaxFee: c.MaxFee.Dec(), MinFinalityThreshold: c.Finality, HookData: hexOf(c.Hook),
		},
		Hook: &Hook{
			DstChain: h.DstChain.String(), DstToken: h.DstToken.String(), IntegratorID: h.Integrator.String(),
			RecipientType: h.Type, Recipient: hexOf(h.Recipient),
		},
		Offsets: &Offsets{calldata.BurnAmountOffset, calldata.BurnHookOffset + hookHead},
	}, nil
}

// word writes an address as the bytes32 that the issuer's contracts take.
func word(a swap.Address) string {
	return hexOf(append(make([]byte, 32-len(a)), a[:]...))
}

// decoded takes q's own call apart, which cannot fail: the quoter has read it
// back before the quote left it.
func decoded(q *swap.Quote) *Decoded {
	d, _ := Decode(q.Payload.Calldata)
	return d
}

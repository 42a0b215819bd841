// Package wire is the JSON a quote is shown in, in every version of the API. All
// of them are made from the same quote and compute nothing, so no version can
// answer differently from another.
package wire

import (
	"encoding/hex"
	"encoding/json"

	"hubquote/swap"
)

// A Token is a resolved token.
type Token struct {
	Address  string `json:"address"`
	Symbol   string `json:"symbol"`
	Decimals uint8  `json:"decimals"`
	ChainID  uint64 `json:"chainId"` // the network's, never a virtual ID
}

// NewToken shows t.
func NewToken(t *swap.Token) Token {
	return Token{t.Address.String(), t.Symbol, t.Decimals, uint64(t.Chain)}
}

// MethodParameters is the main transaction.
type MethodParameters struct {
	Calldata string `json:"calldata"`
	Value    string `json:"value"` // in hexadecimal without leading zeros
}

func methodParameters(p *swap.Payload) MethodParameters {
	return MethodParameters{hexOf(p.Calldata), p.Value.Hex()}
}

// An Approval is the transaction that must come first when the allowance is
// too small.
type Approval struct {
	Token    string `json:"token"`
	Spender  string `json:"spender"`
	Amount   string `json:"amount"`
	Calldata string `json:"calldata"`
	Reset    string `json:"resetCalldata,omitempty"`
}

func approval(a *swap.Approval) *Approval {
	if a == nil {
		return nil
	}
	out := &Approval{
		Token: a.Token.String(), Spender: a.Spender.String(),
		Amount: a.Amount.Dec(), Calldata: hexOf(a.Calldata),
	}
	if a.Reset != nil {
		out.Reset = hexOf(a.Reset)
	}
	return out
}

// percentage prints a rate as a JSON number, straight from the integer.
func percentage(r swap.Rate) json.Number { return json.Number(r.Percent()) }

func hexOf(b []byte) string { return "0x" + hex.EncodeToString(b) }

// Append appends any version of a quote as encoding/json writes it.
func Append(dst []byte, quote any) ([]byte, error) {
	body, err := json.Marshal(quote)
	return append(dst, body...), err
}

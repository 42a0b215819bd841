package wire

import (
	"strconv"

	"hubquote/swap"
)

// Calls are the quote's transactions as EIP-5792 has a wallet take them in one
// go, in wallet_sendCalls. The account that sends them is left to the wallet.
type Calls struct {
	Version        string `json:"version"`
	ChainID        string `json:"chainId"` // in hexadecimal, here alone
	AtomicRequired bool   `json:"atomicRequired"`
	Calls          []Call `json:"calls"`
}

// A Call is one transaction.
type Call struct {
	To    string `json:"to"`
	Data  string `json:"data"`
	Value string `json:"value"`
}

// NewCalls lists q's transactions: the approval if there is one, after its
// reset where the token wants one, then the call. Several must succeed or fail
// together, or an allowance could be left behind; a single one asks nothing
// special of the wallet.
func NewCalls(q *swap.Quote) *Calls {
	p := &q.Payload
	c := &Calls{Version: "2.0.0", ChainID: "0x" + strconv.FormatUint(uint64(q.Route.Src.Network), 16)}
	if a := p.Approval; a != nil {
		if a.Reset != nil {
			c.add(a.Token, a.Reset, &swap.Amount{})
		}
		c.add(a.Token, a.Calldata, &swap.Amount{})
	}
	c.add(p.To, p.Calldata, &p.Value)
	c.AtomicRequired = len(c.Calls) > 1
	return c
}

func (c *Calls) add(to swap.Address, data []byte, value *swap.Amount) {
	c.Calls = append(c.Calls, Call{to.String(), hexOf(data), value.Hex()})
}

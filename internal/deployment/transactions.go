package deployment

import (
	"encoding/hex"
	"fmt"

	"hubquote/swap"
)

// A Transaction is one step of a deployment, for any wallet to sign.
type Transaction struct {
	ChainID swap.ChainID  `json:"chainId"`
	From    *swap.Address `json:"from,omitempty"` // absent when any account may send it
	To      swap.Address  `json:"to"`
	Data    string        `json:"data"`
	Says    string        `json:"says"` // what it does, for people
}

// Transactions returns every step in order: first the contracts, then the calls
// of the admin.
func (p *Plan) Transactions() (list []Transaction) {
	for _, c := range p.Contracts {
		list = append(list, Transaction{
			ChainID: c.Network, To: swap.Address(Deployer), Data: "0x" + hex.EncodeToString(c.Transaction()),
			Says: fmt.Sprintf("deploy %s %s at %s", c.Code.Name, c.Name, c.Address),
		})
	}
	for _, c := range p.Calls {
		list = append(list, Transaction{
			ChainID: c.Network, From: &p.opts.Roles.Admin, To: c.To, Data: "0x" + hex.EncodeToString(c.Data), Says: c.Says,
		})
	}
	return list
}

package deployment

import (
	"encoding/hex"
	"fmt"

	"hubquote/internal/deployment/creation"
	"hubquote/swap"
)

// A Transaction is one step of a deployment, for any wallet to sign.
type Transaction struct {
	Step    Step          `json:"step"`
	ChainID swap.ChainID  `json:"chainId"`
	From    *swap.Address `json:"from,omitempty"` // absent when any account may send it
	To      swap.Address  `json:"to"`
	Data    string        `json:"data"`
	Says    string        `json:"says"` // what it does, for people
}

// Transactions returns everything in order: first the contracts, then the calls
// of the admin, and those that follow them.
func (p *Plan) Transactions(after ...Call) (list []Transaction) {
	for _, c := range p.Contracts {
		list = append(list, Transaction{
			Step: Deploy, ChainID: c.Network, To: swap.Address(creation.Deployer), Data: "0x" + hex.EncodeToString(c.Transaction()),
			Says: fmt.Sprintf("deploy %s %s at %s", c.Code.Name, c.Name, c.Address),
		})
	}
	for _, c := range append(p.Calls[:len(p.Calls):len(p.Calls)], after...) {
		list = append(list, Transaction{
			Step: c.Step, ChainID: c.Network, From: &p.Settings.Roles.Admin, To: c.To, Data: "0x" + hex.EncodeToString(c.Data), Says: c.Says,
		})
	}
	return list
}

package front

import (
	"encoding/json"
	"net/http"

	"hubquote/swap"
	"hubquote/test/devnet"
)

// A Config is what a page or a program needs to know of a devnet.
type Config struct {
	Accounts    []Account    `json:"accounts"` // with money, and signed for by every node
	Private     string       `json:"private"`  // the 0zk address of a wallet whose keys are public
	Integrators []Integrator `json:"integrators"`
	Chains      []Chain      `json:"chains"`
}

// An Account is one of the accounts that every node signs for.
type Account struct {
	Name    string       `json:"name"`
	Address swap.Address `json:"address"`
}

// An Integrator is a partner in every registry.
type Integrator struct {
	Address    swap.Address `json:"address"`
	Percentage json.Number  `json:"percentage"`
	Active     bool         `json:"active"`
}

// A Chain is a local chain.
type Chain struct {
	ChainID swap.ChainID `json:"chainId"`
	Name    string       `json:"name"`
	RPC     string       `json:"rpc"` // below the origin
}

func (f *Front) config(w http.ResponseWriter, _ *http.Request) {
	c := Config{Private: devnet.PrivateWallet().Address}
	for _, p := range devnet.Personas()[devnet.Alice : devnet.Carol+1] {
		c.Accounts = append(c.Accounts, Account{p.Label, p.Address})
	}
	percentage := json.Number(devnet.PartnerRate.Percent())
	c.Integrators = []Integrator{
		{devnet.Account(devnet.Partner).Address, percentage, true},
		{devnet.Account(devnet.FormerPartner).Address, percentage, false},
	}
	for _, id := range f.net.Networks() {
		c.Chains = append(c.Chains, Chain{id, f.net.Name(id), RPCPath(id)})
	}
	answer(w, http.StatusOK, c)
}

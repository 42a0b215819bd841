package call

import (
	"slices"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/third"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/sign"
	"hubquote/swap"
)

var (
	atSource   = []string{"refund", "releaseMany", "reclaim"}
	atPool     = slices.Concat(atSource, []string{"fulfil", "fulfilMany", "cancel", "claimFor"})
	atReceiver = slices.Concat(atSource, []string{"relay", "sweep"})
)

// List is all that the settler's key may sign: these functions of our contracts,
// and the delivery of messages on the issuer's networks, for at most these fees.
func List(r roster.Roster, issuer *third.Issuer, caps map[swap.ChainID]swap.Amount) sign.List {
	l := sign.List{Chains: map[swap.ChainID]sign.Limit{}}
	for chain, fee := range caps {
		l.Chains[chain] = sign.Limit{Cap: fee, Gas: most}
	}
	for _, s := range r {
		if s.Kind == roster.Receiver {
			add(&l, s.Pool, contract.Receiver, atReceiver...)
		} else {
			add(&l, s.Pool, contract.Pool, atPool...)
		}
	}
	for chain := range issuer.Domains {
		add(&l, order.Pool{Chain: chain, Address: third.Transmitter}, contract.Transmitter, "receiveMessage")
	}
	return l
}

func add(l *sign.List, at order.Pool, code *contract.Compiled, functions ...string) {
	for _, name := range functions {
		id := code.ABI().Methods[name].ID
		l.Calls = append(l.Calls, sign.Call{Chain: at.Chain, Contract: at.Address, Selector: [4]byte(id)})
	}
}

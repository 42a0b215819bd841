package atlas

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/swap"
)

// A Foreign is a contract of others.
type Foreign struct {
	Name    string // such as messenger, or USDC
	Address swap.Address
}

// Foreign returns the contracts of others that those of a network, or burns that
// start there, depend on.
func (a *Atlas) Foreign(network swap.ChainID) (list []Foreign) {
	add := func(name string, address common.Address) {
		p := Foreign{Name: name, Address: swap.Address(address)}
		if address != (common.Address{}) && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	for _, c := range a.On(network) {
		if !c.Token.IsNative() {
			add(c.Token.Symbol, c.Fixed.Token)
		}
		add("messenger", c.Fixed.Messenger)
		add("transmitter", c.Fixed.Transmitter)
		add("privacy pool", c.Fixed.PrivacyPool)
	}
	if _, burns := a.Issuer.Domains[network]; burns {
		add("messenger", common.Address(a.Issuer.Messenger))
	}
	return list
}

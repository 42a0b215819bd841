package devnet

import (
	"github.com/ethereum/go-ethereum/crypto"

	"hubquote/swap"
	"hubquote/test/devnet/evm"
	"hubquote/test/zk"
)

// A NamedAccount is one of the default accounts of development chains, and its role
// here.
type NamedAccount struct {
	evm.Account
	Label string
	Key   string // public knowledge
}

// Phrase is the mnemonic of the accounts.
const Phrase = "test test test test test test test test test test test junk"

// The accounts, by their number.
const (
	Alice = iota
	Bob
	Carol
	Partner       // an integrator, active
	FormerPartner // an integrator, switched off
	Admin
	Relayer
	Guardian
	Attester
	Treasury // where other people's fees go; also the last resort
	Standby  // a second relayer
	Treasurer
)

var labels = [...]string{
	"Alice", "Bob", "Carol", "integrator, active", "integrator, inactive",
	"admin", "relayer", "guardian", "attester", "treasury", "standby relayer", "treasurer",
}

var keys = [...]string{
	"ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
	"59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
	"5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
	"7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6",
	"47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a",
	"8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba",
	"92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e",
	"4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356",
	"dbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97",
	"2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6",
	"f214f2b2cd398c806f84e317254e0f0b801d0643303237d97a22a48e01628897",
	"701b615bbdfb9de65240bc28bd21bbc0d996645a3dd57e7b12bc2bdf6f192c82",
}

// Accounts returns all twelve, in order.
func Accounts() []NamedAccount {
	var list []NamedAccount
	for i := range keys {
		list = append(list, NamedAccount{Account(i), labels[i], keys[i]})
	}
	return list
}

// Account returns the account with that number, ready to sign.
func Account(number int) evm.Account {
	key, err := crypto.HexToECDSA(keys[number])
	if err != nil {
		panic("devnet: " + err.Error())
	}
	return evm.NewAccount(key)
}

// Safe is a contract wallet without owners, at the same address on every chain. It
// stands in for a Safe; package batch makes calls from it.
var Safe = swap.MustAddress("0x5afe000000000000000000000000000000000000")

// PartnerRate is the fee of the active integrator: 0.25 %.
const PartnerRate swap.Rate = 2_500

// A Private wallet is one in a privacy pool.
type Private struct {
	Address    string // 0zk…
	ViewingKey string // private, but public knowledge; it can see notes and spend none
}

// PrivateWallet is the first wallet of the same phrase, on all chains.
func PrivateWallet() Private {
	return Private{
		Address:    zk.Alice,
		ViewingKey: "9da4b4f0b5493a6ba3f7df0611c3e0842f7e2bb3d640f313b235f1b75c1d80b9",
	}
}

// Package creation has the contracts of a deployment: the constructor arguments and
// the address of each.
package creation

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"hubquote/internal/catalog"
	"hubquote/internal/contract"
	"hubquote/internal/deployment/addresses"
	"hubquote/internal/deployment/operator"
	"hubquote/internal/deployment/third"
	"hubquote/swap"
)

// Deployer is the contract through which everything is deployed. It is at this
// address on nearly every chain, and what it deploys is at an address that
// depends on the salt and the code alone (D35).
var Deployer = common.HexToAddress("0x4e59b44847b379578588920cA78FbF26c0B4956C")

// A Contract is one contract to deploy.
type Contract struct {
	Name    string // its key in deployment.toml: receiver, USDC@1, registry@369
	Network swap.ChainID
	Code    *contract.Compiled
	Salt    [32]byte
	Init    []byte // the code with its constructor's arguments
	Address swap.Address
}

// Transaction returns the calldata that makes [Deployer] deploy the contract.
func (c *Contract) Transaction() []byte { return append(c.Salt[:], c.Init...) }

// Options determine the contracts. All but Before are required.
type Options struct {
	Catalog    *catalog.Catalog
	Settings   operator.Settings // complete
	Issuer     *third.Issuer
	Generation int
	Before     *catalog.Catalog // of the generation before, whose registries are used again; nil for none
}

// list is the contracts so far.
type list struct {
	opts      Options
	contracts []Contract
	book      addresses.Book
}

// New returns the contracts in the order of deployment, and all addresses, with
// those of the generation before that are used again.
func New(opts Options) ([]Contract, addresses.Book, error) {
	l := &list{opts: opts, book: addresses.Book{}}
	l.addRegistries()
	if err := l.addPools(); err != nil {
		return nil, nil, err
	}
	l.addReceiver()
	return l.contracts, l.book, l.checkAddresses()
}

// add plans a contract. Its salt is its name, so that two contracts with the
// same code on two chains do not share an address: a quote for one would call
// the other.
func (l *list) add(name string, network swap.ChainID, code *contract.Compiled, args ...any) {
	text := "hubquote " + name
	if l.opts.Generation > 1 && code != contract.Registry {
		text += fmt.Sprintf(" generation %d", l.opts.Generation)
	}
	salt, init := crypto.Keccak256Hash([]byte(text)), code.Init(args...)
	address := swap.Address(crypto.CreateAddress2(Deployer, salt, crypto.Keccak256(init)))
	l.contracts = append(l.contracts, Contract{name, network, code, salt, init, address})
	l.book[name] = address
}

func (l *list) address(name string) common.Address { return common.Address(l.book[name]) }

// checkAddresses refuses addresses that are another contract's, of this
// generation or of the one before.
func (l *list) checkAddresses() error {
	all, made := addresses.Book{}, map[string]bool{}
	for name, address := range l.book {
		all[name] = address
	}
	for _, c := range l.contracts {
		made[c.Name] = true
	}
	if l.opts.Before != nil {
		for name, address := range addresses.Of(l.opts.Before) {
			if _, known := l.book[name]; made[name] || !known {
				all["the former "+name] = address
			}
		}
	}
	return all.CheckDistinct()
}

// Package deployment lists the contracts of a deployment: what each is made with,
// where it will be, and the calls that make them know each other.
//
// It is computed from a catalog and the roles alone and reaches no chain, so
// that every reader can recompute an address and see that it is the bytecode's. The
// addresses that the catalog records play no part in it.
package deployment

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"hubquote/internal/catalog"
	"hubquote/internal/contract"
	"hubquote/swap"
)

//go:generate go run ../../cmd/hubquote plan --catalog ../catalog/data --write

// Deployer is the contract through which everything is deployed. It is at this
// address on nearly every chain, and what it deploys is at an address that
// depends on the salt and the code alone (D35).
var Deployer = common.HexToAddress("0x4e59b44847b379578588920cA78FbF26c0B4956C")

// Options configure a plan.
type Options struct {
	// Catalog has the places, tokens, limits and rates. Required.
	Catalog *catalog.Catalog

	// Roles are who may do what. Required.
	Roles Roles

	// DailyOrders is how many of the largest orders a pool may pay in any 24
	// hours. Zero means 400.
	DailyOrders uint64
}

// Roles are the accounts that run a deployment.
type Roles struct {
	Admin      swap.Address // sets routes and limits, moves liquidity, ends a pause
	Relayer    swap.Address // says what happened elsewhere
	Pauser     swap.Address // stops everything but claims
	LastResort swap.Address // may claim a burn whose sender has no address
}

const defaultDailyOrders = 400

// A Plan is a whole deployment.
type Plan struct {
	Contracts []Contract // in the order of deployment
	Calls     []Call     // the admin's, in any order, when the contracts are there
	Issuer    Issuer

	opts   Options
	names  map[string]swap.Address // of the contracts, by name
	done   map[string]bool         // which calls are there, by what they say
	payers map[debt]Payer
}

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

// A Call is one thing the admin tells a contract.
type Call struct {
	Network swap.ChainID
	To      swap.Address
	Data    []byte
	Says    string // what it does, for people
}

// New makes a plan.
func New(opts Options) (*Plan, error) {
	if opts.Catalog == nil {
		return nil, errors.New("plan: Options.Catalog is required")
	}
	for _, account := range []swap.Address{opts.Roles.Admin, opts.Roles.Relayer, opts.Roles.Pauser, opts.Roles.LastResort} {
		if account.IsZero() {
			return nil, errors.New("plan: every role needs an account")
		}
	}
	if opts.DailyOrders == 0 {
		opts.DailyOrders = defaultDailyOrders
	}
	p := &Plan{opts: opts, names: map[string]swap.Address{}, done: map[string]bool{}, payers: map[debt]Payer{}}
	for _, step := range []func() error{p.addIssuer, p.addRegistries, p.addPools, p.addReceiver, p.addCalls} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("plan: %w", err)
		}
	}
	return p, nil
}

// Routes returns the routes that the deployment serves.
func (p *Plan) Routes() []*swap.Route { return p.opts.Catalog.Routes() }

// Address returns where the contract with that name is.
func (p *Plan) Address(name string) (swap.Address, bool) {
	a, ok := p.names[name]
	return a, ok
}

// add plans a contract. Its salt is its name, so that two contracts with the
// same code on two chains do not share an address: a quote for one would call
// the other.
func (p *Plan) add(name string, network swap.ChainID, code *contract.Compiled, args ...any) {
	salt := crypto.Keccak256Hash([]byte("hubquote " + name))
	init := code.Init(args...)
	address := swap.Address(crypto.CreateAddress2(Deployer, salt, crypto.Keccak256(init)))
	p.Contracts = append(p.Contracts, Contract{name, network, code, salt, init, address})
	p.names[name] = address
}

// tell plans a call, once however often it follows from the routes.
func (p *Plan) tell(network swap.ChainID, to string, code *contract.Compiled, says, function string, args ...any) {
	says = to + ": " + says
	if p.done[says] {
		return
	}
	p.done[says] = true
	p.Calls = append(p.Calls, Call{network, p.names[to], code.Call(function, args...), says})
}

// Receiver is the name of the receiver.
const Receiver = "receiver"

// PoolName is the name of the pool for a token at a place.
func PoolName(place swap.Place, token *swap.Token) string {
	return token.At(place.ID).String()
}

// RegistryName is the name of the integrator registry on a network.
func RegistryName(network swap.ChainID) string { return fmt.Sprintf("registry@%d", network) }

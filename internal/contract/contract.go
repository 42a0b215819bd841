// Package contract is the compiled contracts as Go values: their bytecode, their
// calls and events, and the structs in those.
//
// It encodes with the ABI that the compiler wrote and nothing else, so what Go
// sends and reads here cannot drift from what was deployed.
package contract

import (
	"bytes"
	"fmt"
	"path"
	"sync"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/contracts"
)

// A Compiled is one compiled contract. It is read when it is first used, so that
// a program that uses none does not wait for it.
type Compiled struct {
	Name string
	load func() *loaded
}

// loaded is a contract's artifact.
type loaded struct {
	abi               abi.ABI
	creation, runtime []byte
	immutables        map[string][]contracts.Span // by name
}

// ABI is the contract's interface.
func (c *Compiled) ABI() *abi.ABI { return &c.load().abi }

// Runtime is the deployed code, but for the immutables.
func (c *Compiled) Runtime() []byte { return c.load().runtime }

// The contracts that are deployed.
var (
	Pool        = Load(contracts.Pool)
	GatewayPool = Load(contracts.GatewayPool)
	ShieldPool  = Load(contracts.ShieldPool)
	Receiver    = Load(contracts.Receiver)
	Registry    = Load(contracts.IntegratorRegistry)
)

// Code that runs inside an eth_call and is never deployed.
var (
	Lens     = Load(contracts.Lens)
	LensCall = Load(contracts.LensCall)
)

// Stand-ins for contracts of others, on local chains.
var (
	Token        = Load(contracts.MintableToken)
	USDC         = Load(contracts.BlacklistToken)
	Tether       = Load(contracts.TetherToken)
	WrappedEther = Load(contracts.WrappedEther)
	Messenger    = Load(contracts.TokenMessenger)
	Transmitter  = Load(contracts.MessageTransmitter)
	Minter       = Load(contracts.TokenMinter)
	PrivacyPool  = Load(contracts.PrivacyPool)
	BatchWallet  = Load(contracts.BatchWallet)
)

// Load returns an artifact that is part of the program, so that an error in it
// is a panic.
func Load(name contracts.Name) *Compiled {
	return &Compiled{path.Base(string(name)), sync.OnceValue(func() *loaded { return mustLoad(name) })}
}

func mustLoad(name contracts.Name) *loaded {
	a, err := contracts.Load(name)
	if err != nil {
		panic("contract: " + err.Error())
	}
	parsed, err := abi.JSON(bytes.NewReader(a.ABI))
	if err != nil {
		panic(fmt.Sprintf("contract: %s: %v", name, err))
	}
	return &loaded{parsed, a.Creation, a.Runtime, a.Immutables}
}

// Init returns the code that deploys the contract with these arguments.
func (c *Compiled) Init(args ...any) []byte {
	return append(bytes.Clone(c.load().creation), c.Call("", args...)...)
}

// Call encodes a call of a function. It panics on arguments of the wrong type, which
// are a fault of the program.
func (c *Compiled) Call(function string, args ...any) []byte {
	data, err := c.ABI().Pack(function, args...)
	if err != nil {
		panic(fmt.Sprintf("contract: %s.%s: %v", c.Name, function, err))
	}
	return data
}

// Result decodes the return value of a function with one result.
func Result[T any](c *Compiled, function string, data []byte) (result T, err error) {
	values, err := c.ABI().Unpack(function, data)
	if err != nil {
		return result, fmt.Errorf("%s.%s: %w", c.Name, function, err)
	}
	result, ok := values[0].(T)
	if !ok {
		return result, fmt.Errorf("%s.%s returned %T", c.Name, function, values[0])
	}
	return result, nil
}

// Results decodes the return values of a function with several into the fields
// of into.
func (c *Compiled) Results(into any, function string, data []byte) error {
	if err := c.ABI().UnpackIntoInterface(into, function, data); err != nil {
		return fmt.Errorf("%s.%s: %w", c.Name, function, err)
	}
	return nil
}

// Event decodes the part of a log that is not indexed into the fields of into.
func (c *Compiled) Event(into any, event string, log *types.Log) error {
	if err := c.ABI().UnpackIntoInterface(into, event, log.Data); err != nil {
		return fmt.Errorf("%s.%s: %w", c.Name, event, err)
	}
	return nil
}

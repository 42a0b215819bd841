// Package bind is the contracts as Go sees them: their bytecode, their calls
// and events, and the structs that travel in those.
//
// It encodes with the ABI that the compiler wrote and nothing else, so what Go
// sends and reads here cannot drift from what was deployed.
package bind

import (
	"bytes"
	"fmt"
	"path"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/core/types"

	"hubquote/contracts"
)

// A Contract is one compiled contract.
type Contract struct {
	Name     string
	ABI      abi.ABI
	Creation []byte // what is deployed, before the constructor's arguments
	Runtime  []byte // what is then there, but for the immutables
}

// The contracts that are deployed.
var (
	Pool        = MustLoad(contracts.Pool)
	GatewayPool = MustLoad(contracts.GatewayPool)
	ShieldPool  = MustLoad(contracts.ShieldPool)
	Receiver    = MustLoad(contracts.Receiver)
	Registry    = MustLoad(contracts.IntegratorRegistry)
)

// What a local chain has in place of other people's contracts.
var (
	Token        = MustLoad(contracts.MintableToken)
	USDC         = MustLoad(contracts.BlacklistToken)
	Tether       = MustLoad(contracts.TetherToken)
	WrappedEther = MustLoad(contracts.WrappedEther)
	Messenger    = MustLoad(contracts.TokenMessenger)
	Transmitter  = MustLoad(contracts.MessageTransmitter)
	Minter       = MustLoad(contracts.TokenMinter)
	PrivacyPool  = MustLoad(contracts.PrivacyPool)
)

// MustLoad reads an artifact that is part of the program, so that a fault in it
// is the program's.
func MustLoad(name contracts.Name) *Contract {
	a, err := contracts.Load(name)
	if err != nil {
		panic("bind: " + err.Error())
	}
	parsed, err := abi.JSON(bytes.NewReader(a.ABI))
	if err != nil {
		panic(fmt.Sprintf("bind: %s: %v", name, err))
	}
	return &Contract{path.Base(string(name)), parsed, a.Creation, a.Runtime}
}

// Init returns the code that deploys the contract with these arguments.
func (c *Contract) Init(args ...any) []byte {
	return append(bytes.Clone(c.Creation), c.Call("", args...)...)
}

// Call encodes a call of a function. Its arguments are this program's own, so
// that ones that do not fit are a fault of the program.
func (c *Contract) Call(function string, args ...any) []byte {
	data, err := c.ABI.Pack(function, args...)
	if err != nil {
		panic(fmt.Sprintf("bind: %s.%s: %v", c.Name, function, err))
	}
	return data
}

// Result decodes what a function with one result returned.
func Result[T any](c *Contract, function string, data []byte) (result T, err error) {
	values, err := c.ABI.Unpack(function, data)
	if err != nil {
		return result, fmt.Errorf("%s.%s: %w", c.Name, function, err)
	}
	result, ok := values[0].(T)
	if !ok {
		return result, fmt.Errorf("%s.%s returned %T", c.Name, function, values[0])
	}
	return result, nil
}

// Event decodes the part of a log that is not indexed into the fields of into.
func (c *Contract) Event(into any, event string, log *types.Log) error {
	if err := c.ABI.UnpackIntoInterface(into, event, log.Data); err != nil {
		return fmt.Errorf("%s.%s: %w", c.Name, event, err)
	}
	return nil
}

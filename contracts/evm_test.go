package contracts_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm/runtime"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"hubquote/contracts"
)

// deployer is the contract that deploys by CREATE2 at the same address on every
// network, and its code.
var (
	deployer     = common.HexToAddress("0x4e59b44847b379578588920cA78FbF26c0B4956C")
	deployerCode = common.FromHex("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3")
)

// blockTime is the time of every block.
const blockTime = 1_800_000_000

// An evm is a network of one process: the compiled contracts run in it. It
// knows no opcode that is younger than the bytecode's target, Paris.
type evm struct {
	t      *testing.T
	config params.ChainConfig
	state  *state.StateDB
}

func newEVM(t *testing.T, chain int64) *evm {
	t.Helper()
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	if err != nil {
		t.Fatal(err)
	}
	zero := new(big.Int)
	e := &evm{t: t, state: db, config: params.ChainConfig{
		ChainID:        big.NewInt(chain),
		HomesteadBlock: zero, EIP150Block: zero, EIP155Block: zero, EIP158Block: zero,
		ByzantiumBlock: zero, ConstantinopleBlock: zero, PetersburgBlock: zero, IstanbulBlock: zero,
		MuirGlacierBlock: zero, BerlinBlock: zero, LondonBlock: zero,
		TerminalTotalDifficulty: zero,
	}}
	e.place(deployer, deployerCode)
	return e
}

// place puts runtime code at an address.
func (e *evm) place(at common.Address, code []byte) {
	e.state.CreateAccount(at)
	e.state.SetCode(at, code, tracing.CodeChangeUnspecified)
}

// give sets an account's native balance.
func (e *evm) give(to common.Address, amount uint64) {
	e.state.SetBalance(to, uint256.NewInt(amount), tracing.BalanceChangeUnspecified)
}

// send performs a call and returns what it returned, or what it reverted with
// and the error.
func (e *evm) send(from, to common.Address, value int64, input []byte) ([]byte, error) {
	ret, _, err := runtime.Call(to, input, &runtime.Config{
		ChainConfig: &e.config,
		Origin:      from,
		Value:       big.NewInt(value),
		Time:        blockTime,
		State:       e.state,
	})
	return ret, err
}

// mustSend is send for calls that must succeed.
func (e *evm) mustSend(from, to common.Address, value int64, input []byte) []byte {
	e.t.Helper()
	ret, err := e.send(from, to, value, input)
	if err != nil {
		e.t.Fatalf("call of %x to %s: %v: %x", input[:4], to, err, ret)
	}
	return ret
}

// deploy deploys a contract through the deployer, and returns where it is.
func (e *evm) deploy(name contracts.Name, args ...any) contract {
	e.t.Helper()
	a := load(e.t, name)
	c := contract{e: e, abi: parseABI(e.t, a)}
	encoded, err := c.abi.Pack("", args...)
	if err != nil {
		e.t.Fatalf("%s: constructor arguments: %v", name, err)
	}
	var salt common.Hash
	initCode := append(bytes.Clone(a.Creation), encoded...)
	ret := e.mustSend(common.Address{}, deployer, 0, append(salt[:], initCode...))
	c.address = common.BytesToAddress(ret)
	if want := crypto.CreateAddress2(deployer, salt, crypto.Keccak256(initCode)); c.address != want {
		e.t.Fatalf("%s is at %s, want %s", name, c.address, want)
	}
	return c
}

// A contract is a deployed one.
type contract struct {
	e       *evm
	address common.Address
	abi     abi.ABI
}

// call calls one of its functions and returns what it returned.
func (c contract) call(from common.Address, function string, args ...any) []any {
	c.e.t.Helper()
	input, err := c.abi.Pack(function, args...)
	if err != nil {
		c.e.t.Fatal(err)
	}
	ret, err := c.abi.Unpack(function, c.e.mustSend(from, c.address, 0, input))
	if err != nil {
		c.e.t.Fatal(err)
	}
	return ret
}

func parseABI(t *testing.T, a *contracts.Artifact) abi.ABI {
	t.Helper()
	parsed, err := abi.JSON(bytes.NewReader(a.ABI))
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}

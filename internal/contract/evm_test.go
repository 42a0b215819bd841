package contract_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/state"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm/runtime"
	"github.com/ethereum/go-ethereum/params"

	"hubquote/contracts"
	"hubquote/internal/contract"
)

// now is the time of every block.
const now = 1_800_000_000

// A machine is an EVM in this process, on one chain.
type machine struct {
	t      testing.TB
	config *params.ChainConfig
	state  *state.StateDB
}

func newMachine(t testing.TB, chain int64) *machine {
	t.Helper()
	db, err := state.New(types.EmptyRootHash, state.NewDatabaseForTesting())
	if err != nil {
		t.Fatal(err)
	}
	config := *params.MergedTestChainConfig
	config.ChainID = big.NewInt(chain)
	return &machine{t, &config, db}
}

// place puts code that has no immutables at an address.
func (m *machine) place(at common.Address, code []byte) {
	m.state.CreateAccount(at)
	m.state.SetCode(at, code, tracing.CodeChangeUnspecified)
}

func (m *machine) run(from common.Address) *runtime.Config {
	return &runtime.Config{ChainConfig: m.config, Origin: from, State: m.state, Time: now, Value: new(big.Int)}
}

func (m *machine) call(from, to common.Address, data []byte) []byte {
	m.t.Helper()
	out, _, err := runtime.Call(to, data, m.run(from))
	if err != nil {
		m.t.Fatalf("call of %x: %v: %x", data[:4], err, out)
	}
	return out
}

func (m *machine) deploy(c *contract.Compiled, args ...any) common.Address {
	m.t.Helper()
	_, address, _, err := runtime.Create(c.Init(args...), m.run(common.Address{}))
	if err != nil {
		m.t.Fatalf("deploying %s: %v", c.Name, err)
	}
	return address
}

// lens is the address of the lens. LensCall cannot be used here: its answer takes the
// place of a new contract's code, which may not begin with 0xef.
var lens = common.Address{0x1e}

// askLens asks for an answer of one word.
func (m *machine) askLens(function string, args ...any) common.Hash {
	m.t.Helper()
	if m.state.GetCodeSize(lens) == 0 {
		m.place(lens, contract.Lens.Runtime())
	}
	return common.BytesToHash(m.call(common.Address{}, lens, contract.Lens.Call(function, args...)))
}

// A harness is the contracts' libraries, callable.
type harness struct {
	*machine
	code *contract.Compiled
	at   common.Address
}

func newHarness(t testing.TB) harness {
	t.Helper()
	h := harness{newMachine(t, 369), contract.Load(contracts.LibraryHarness), common.Address{0x77}}
	h.place(h.at, h.code.Runtime())
	return h
}

func (h harness) ask(function string, args ...any) []any {
	h.t.Helper()
	out, err := h.code.ABI().Unpack(function, h.call(common.Address{}, h.at, h.code.Call(function, args...)))
	if err != nil {
		h.t.Fatal(err)
	}
	return out
}

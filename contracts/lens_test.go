package contracts_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm/runtime"
	"github.com/ethereum/go-ethereum/crypto"

	"hubquote/contracts"
)

// A program asks the lens in one eth_call without recipient: the creation code
// of LensCall, with one call of Lens as its argument, returns the answer.
func TestLensAnswersACallWithoutRecipient(t *testing.T) {
	e := newEVM(t, 1)
	pool := deployPool(e, 1, native, 18, 1_000_000)
	lens := parseABI(t, load(t, contracts.Lens))
	call, err := lens.Pack("spendable", pool.address, uint8(0))
	if err != nil {
		t.Fatal(err)
	}
	got, err := lens.Unpack("spendable", e.ask(call))
	if err != nil {
		t.Fatal(err)
	}
	if want := big.NewInt(4e12); got[0].(*big.Int).Cmp(want) != 0 {
		t.Errorf("spendable = %d, want half the cap, %d", got[0], want)
	}
}

// The snapshot tells code from no code, and which code it is.
func TestLensSnapshotHasTheCodeHash(t *testing.T) {
	e := newEVM(t, 1)
	pool := deployPool(e, 1, native, 18, 1_000_000)
	type query struct {
		Kind         uint8
		Target       common.Address
		Destinations []struct {
			Place   *big.Int
			Account common.Address
		}
		Sources []struct {
			Place   *big.Int
			Account common.Address
		}
		Remotes []*big.Int
		Domains []uint32
		Roles   []struct {
			Role    [32]byte
			Account common.Address
		}
		Treasury []common.Address
	}
	lens := parseABI(t, load(t, contracts.Lens))
	call, err := lens.Pack("snapshot", []query{{Target: pool.address}, {Target: alice}})
	if err != nil {
		t.Fatal(err)
	}
	answer := e.ask(call)
	want := crypto.Keccak256(e.state.GetCode(pool.address))
	if !bytes.Contains(answer, want) {
		t.Errorf("the answer does not have the hash of the pool's code, %x", want)
	}
	if _, err := lens.Unpack("snapshot", answer); err != nil {
		t.Error(err)
	}
}

// ask runs one call of the lens as an eth_call without recipient does, and
// takes the zero byte off its answer.
func (e *evm) ask(call []byte) []byte {
	e.t.Helper()
	a := load(e.t, contracts.LensCall)
	args, err := parseABI(e.t, a).Pack("", call)
	if err != nil {
		e.t.Fatal(err)
	}
	ret, _, _, err := runtime.Create(append(bytes.Clone(a.Creation), args...), &runtime.Config{
		ChainConfig: &e.config,
		Time:        blockTime,
		State:       e.state,
	})
	if err != nil {
		e.t.Fatalf("lens: %v: %x", err, ret)
	}
	if len(ret) == 0 || ret[0] != 0 {
		e.t.Fatalf("answer = %x, want a zero byte first", ret)
	}
	return ret[1:]
}

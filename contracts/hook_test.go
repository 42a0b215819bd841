package contracts_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/google/go-cmp/cmp"

	"hubquote/contracts"
)

type hook struct {
	DstPlace      *big.Int
	DstToken      common.Address
	IntegratorId  [32]byte
	RecipientType uint8
	Recipient     []byte
}

// hookLiteral has no two fields equal.
var hookLiteral = common.FromHex("0x" +
	"0000000000000000000000000000000000000000000000000000000000000171" +
	"1111111111111111111111111111111111111111" +
	"0000000000000000000000002222222222222222222222222222222222222222" +
	"02" +
	"3333333333333333333333333333333333333333")

func TestHookIsReadAsItsTableSays(t *testing.T) {
	harness := newEVM(t, 8453).deploy(contracts.LibraryHarness)
	ret := harness.call(alice, "readHook", hookLiteral)
	want := &hook{
		DstPlace:      big.NewInt(369),
		DstToken:      dstToken,
		IntegratorId:  common.HexToHash("0x2222222222222222222222222222222222222222"),
		RecipientType: 2,
		Recipient:     common.FromHex("0x3333333333333333333333333333333333333333"),
	}
	if diff := cmp.Diff(want, abi.ConvertType(ret[1], new(hook)), bigs); diff != "" || ret[0] != true {
		t.Errorf("readHook = %v (-want +got):\n%s", ret[0], diff)
	}
}

func TestHookWithoutRecipientIsNoHook(t *testing.T) {
	harness := newEVM(t, 8453).deploy(contracts.LibraryHarness)
	for n := range 86 {
		if ok := harness.call(alice, "readHook", hookLiteral[:n])[0]; ok != false {
			t.Errorf("%d bytes are read as a hook, want a revert", n)
		}
	}
}

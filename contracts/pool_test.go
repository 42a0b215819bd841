package contracts_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/go-cmp/cmp"

	"hubquote/contracts"
)

// The Go faces of the contracts' structs; the ABI's names decide the fields'.
type (
	roles struct {
		Admin, Relayer, Pauser common.Address
	}
	limits struct {
		Min, Max, Daily *big.Int
	}
	poolConfig struct {
		Place    *big.Int
		Token    common.Address
		Decimals uint8
		Registry common.Address
		Roles    roles
		Limits   limits
	}
	order struct {
		SrcPlace      *big.Int
		SrcPool       common.Address
		Nonce         *big.Int
		RefundTo      common.Address
		Amount        *big.Int
		DstPlace      *big.Int
		DstToken      common.Address
		IntegratorId  [32]byte
		RecipientType uint8
		Recipient     []byte
	}
)

var (
	admin    = common.HexToAddress("0x00000000000000000000000000000000000000A1")
	relayer  = common.HexToAddress("0x00000000000000000000000000000000000000A2")
	pauser   = common.HexToAddress("0x00000000000000000000000000000000000000A3")
	alice    = common.HexToAddress("0x00000000000000000000000000000000000000B1")
	native   = common.HexToAddress("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE")
	dstToken = common.HexToAddress("0x1111111111111111111111111111111111111111")
	bigs     = cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })
)

// swapCalldata is a literal: 100 units of 6 decimals to chain 369, no two
// fields equal.
var swapCalldata = common.FromHex("0x095ff22d" +
	"0000000000000000000000000000000000000000000000000000000000000171" + // dstChain
	"0000000000000000000000000000000000000000000000000000000005f5e100" + // amount
	"00000000000000000000000000000000000000000000000000000000000000c0" + // where the recipient is
	"0000000000000000000000000000000000000000000000000000000000000000" + // recipientType
	"0000000000000000000000001111111111111111111111111111111111111111" + // dstToken
	"0000000000000000000000002222222222222222222222222222222222222222" + // integratorId
	"0000000000000000000000000000000000000000000000000000000000000014" + // recipient: length
	"3333333333333333333333333333333333333333000000000000000000000000") // and bytes

func TestSwapSelector(t *testing.T) {
	for _, name := range []contracts.Name{contracts.Pool, contracts.ShieldPool, contracts.GatewayPool} {
		swap := parseABI(t, load(t, name)).Methods["swap"]
		if got := common.Bytes2Hex(swap.ID); got != "095ff22d" {
			t.Errorf("%s.swap has selector %s, want 095ff22d: %s", name, got, swap.Sig)
		}
	}
}

func TestSwapToken(t *testing.T) {
	e := newEVM(t, 1)
	token := e.deploy(contracts.BlacklistToken)
	token.call(admin, "init", "USD Coin", "USDC", uint8(6))
	pool := deployPool(e, 1, token.address, 6, 1_000_000)
	pool.call(admin, "setDestination", big.NewInt(369), dstToken, uint8(1))
	token.call(admin, "mint", alice, big.NewInt(100_000_000))
	token.call(alice, "approve", pool.address, big.NewInt(100_000_000))

	id := common.BytesToHash(e.mustSend(alice, pool.address, 0, swapCalldata))

	want := order{
		SrcPlace:     big.NewInt(1),
		SrcPool:      pool.address,
		Nonce:        new(big.Int),
		RefundTo:     alice,
		Amount:       big.NewInt(100_000_000),
		DstPlace:     big.NewInt(369),
		DstToken:     dstToken,
		IntegratorId: common.HexToHash("0x2222222222222222222222222222222222222222"),
		Recipient:    common.FromHex("0x3333333333333333333333333333333333333333"),
	}
	if diff := cmp.Diff(want, openedOrder(e, pool, id), bigs); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if got := token.call(alice, "balanceOf", pool.address)[0].(*big.Int); got.Int64() != 100_000_000 {
		t.Errorf("the pool has %d, want the deposit", got)
	}
	if got := token.call(alice, "allowance", alice, pool.address)[0].(*big.Int); got.Sign() != 0 {
		t.Errorf("an allowance of %d is left", got)
	}
}

func TestSwapNative(t *testing.T) {
	e := newEVM(t, 1)
	pool := deployPool(e, 1, native, 18, 1_000_000)
	pool.call(admin, "setDestination", big.NewInt(369), dstToken, uint8(1))
	e.give(alice, 200_000_000)

	if ret, err := e.send(alice, pool.address, 99_999_999, swapCalldata); err == nil {
		t.Errorf("a deposit of less than the amount returned %x, want a revert", ret)
	}
	id := common.BytesToHash(e.mustSend(alice, pool.address, 100_000_000, swapCalldata))
	if got := openedOrder(e, pool, id).Amount; got.Int64() != 100_000_000 {
		t.Errorf("order of %d, want 100000000", got)
	}
	if got := e.state.GetBalance(pool.address); got.Uint64() != 100_000_000 {
		t.Errorf("the pool has %d, want the deposit", got)
	}
}

func TestOrderIDIsTheHashOfTheEncodedOrder(t *testing.T) {
	e := newEVM(t, 1)
	harness := e.deploy(contracts.LibraryHarness)
	o := order{
		SrcPlace: big.NewInt(1), SrcPool: admin, Nonce: big.NewInt(2), RefundTo: alice, Amount: big.NewInt(3),
		DstPlace: big.NewInt(4), DstToken: dstToken, IntegratorId: [32]byte{5}, RecipientType: 2, Recipient: []byte{6, 7},
	}
	encoded, err := harness.abi.Methods["orderId"].Inputs.Pack(o)
	if err != nil {
		t.Fatal(err)
	}
	got := common.Hash(harness.call(alice, "orderId", o)[0].([32]byte))
	if want := crypto.Keccak256Hash(encoded); got != want {
		t.Errorf("id = %s, want %s", got, want)
	}
}

// deployPool deploys a pool and, before it, its registry.
func deployPool(e *evm, place int64, token common.Address, decimals uint8, minimum int64) contract {
	e.t.Helper()
	registry := e.deploy(contracts.IntegratorRegistry, admin)
	return e.deploy(contracts.Pool, poolConfig{
		Place:    big.NewInt(place),
		Token:    token,
		Decimals: decimals,
		Registry: registry.address,
		Roles:    roles{Admin: admin, Relayer: relayer, Pauser: pauser},
		Limits:   limits{Min: big.NewInt(minimum), Max: big.NewInt(1e12), Daily: big.NewInt(1e13)},
	})
}

// openedOrder returns the order in the first OrderOpened event of pool, which
// must have that ID.
func openedOrder(e *evm, pool contract, id common.Hash) order {
	e.t.Helper()
	var opened struct{ Order order }
	event := pool.abi.Events["OrderOpened"]
	for _, log := range e.state.Logs() {
		if log.Address != pool.address || log.Topics[0] != event.ID {
			continue
		}
		if log.Topics[1] != id {
			e.t.Errorf("the event has ID %s, swap returned %s", log.Topics[1], id)
		}
		if err := pool.abi.UnpackIntoInterface(&opened, event.Name, log.Data); err != nil {
			e.t.Fatal(err)
		}
		return opened.Order
	}
	e.t.Fatal("no order was opened")
	return order{}
}

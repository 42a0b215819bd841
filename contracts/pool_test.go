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
		Admin, Relayer, Standby, Guardian, Treasurer common.Address
	}
	limits struct {
		Min, Max *big.Int
	}
	caps struct {
		Payments, Refunds, Releases, Treasury *big.Int
	}
	poolConfig struct {
		Place    *big.Int
		Token    common.Address
		Decimals uint8
		Registry common.Address
		Roles    roles
		Limits   limits
		Caps     caps
		FeeBound uint32
	}
	destination struct {
		Delivery uint8
		State    uint8
		Pool     common.Address
		Rate     uint32
		Lifetime uint32
	}
	order struct {
		SrcPlace      *big.Int
		SrcPool       common.Address
		RefundTo      common.Address
		Nonce         *big.Int
		SrcDecimals   uint8
		Amount        *big.Int
		DstPlace      *big.Int
		DstPool       common.Address
		DstToken      common.Address
		Rate          uint32
		IntegratorId  [32]byte
		RecipientType uint8
		Recipient     []byte
		Deadline      *big.Int
	}
)

// open is the terms of an open destination: by address, paid by dstPool at
// 0.3 %, within three days.
var open = destination{Delivery: 1, State: 1, Pool: dstPool, Rate: 3_000, Lifetime: 72 * 3600}

var (
	admin    = common.HexToAddress("0x00000000000000000000000000000000000000A1")
	relayer  = common.HexToAddress("0x00000000000000000000000000000000000000A2")
	standby  = common.HexToAddress("0x00000000000000000000000000000000000000A3")
	guardian = common.HexToAddress("0x00000000000000000000000000000000000000A4")
	treasury = common.HexToAddress("0x00000000000000000000000000000000000000A5")
	alice    = common.HexToAddress("0x00000000000000000000000000000000000000B1")
	native   = common.HexToAddress("0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE")
	dstPool  = common.HexToAddress("0x4444444444444444444444444444444444444444")
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
	pool.call(admin, "setDestination", big.NewInt(369), dstToken, open)
	token.call(admin, "mint", alice, big.NewInt(100_000_000))
	token.call(alice, "approve", pool.address, big.NewInt(100_000_000))

	id := common.BytesToHash(e.mustSend(alice, pool.address, 0, swapCalldata))

	want := order{
		SrcPlace:     big.NewInt(1),
		SrcPool:      pool.address,
		RefundTo:     alice,
		Nonce:        firstNonce(alice),
		SrcDecimals:  6,
		Amount:       big.NewInt(100_000_000),
		DstPlace:     big.NewInt(369),
		DstPool:      dstPool,
		DstToken:     dstToken,
		Rate:         3_000,
		IntegratorId: common.HexToHash("0x2222222222222222222222222222222222222222"),
		Recipient:    common.FromHex("0x3333333333333333333333333333333333333333"),
		Deadline:     big.NewInt(blockTime + 72*3600),
	}
	if diff := cmp.Diff(want, openedOrder(e, pool, id), bigs); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if got := token.call(alice, "balanceOf", pool.address)[0].(*big.Int); got.Int64() != 100_000_000 {
		t.Errorf("the pool has %d, want the deposit", got)
	}
	if got := token.call(alice, "allowance", alice, pool.address)[0].(*big.Int); got.Sign() != 0 {
		t.Errorf("allowance after the swap = %d, want 0", got)
	}
}

func TestSwapNative(t *testing.T) {
	e := newEVM(t, 1)
	pool := deployPool(e, 1, native, 18, 1_000_000)
	pool.call(admin, "setDestination", big.NewInt(369), dstToken, open)
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

// swapFor is swap with a seventh word before the recipient: who is refunded.
func TestSwapFor(t *testing.T) {
	e := newEVM(t, 1)
	pool := deployPool(e, 1, native, 18, 1_000_000)
	pool.call(admin, "setDestination", big.NewInt(369), dstToken, open)
	e.give(alice, 100_000_000)
	input, err := pool.abi.Pack("swapFor", big.NewInt(369), big.NewInt(100_000_000),
		common.FromHex("0x3333333333333333333333333333333333333333"), uint8(0), dstToken, [32]byte{}, guardian)
	if err != nil {
		t.Fatal(err)
	}
	if got := common.Bytes2Hex(input[:4]); got != "addb3d3d" {
		t.Errorf("selector = %s, want addb3d3d", got)
	}
	id := common.BytesToHash(e.mustSend(alice, pool.address, 100_000_000, input))
	if got := openedOrder(e, pool, id).RefundTo; got != guardian {
		t.Errorf("refundTo = %s, want %s", got, guardian)
	}
}

// The ID is the hash of all fields with a zero for the deadline, whatever the
// deadline is.
func TestOrderIDIsTheHashOfTheOrderWithoutItsDeadline(t *testing.T) {
	harness := newEVM(t, 1).deploy(contracts.LibraryHarness)
	o := order{
		SrcPlace: big.NewInt(1), SrcPool: admin, RefundTo: alice, Nonce: big.NewInt(2), SrcDecimals: 6, Amount: big.NewInt(3),
		DstPlace: big.NewInt(4), DstPool: dstPool, DstToken: dstToken, Rate: 7, IntegratorId: [32]byte{5}, RecipientType: 2,
		Recipient: []byte{6, 7}, Deadline: new(big.Int),
	}
	encoded, err := harness.abi.Methods["orderId"].Inputs.Pack(o)
	if err != nil {
		t.Fatal(err)
	}
	want := crypto.Keccak256Hash(encoded)
	for _, deadline := range []int64{0, 1, 1<<48 - 1} {
		o.Deadline = big.NewInt(deadline)
		if got := common.Hash(harness.call(alice, "orderId", o)[0].([32]byte)); got != want {
			t.Errorf("id with deadline %d = %s, want %s", deadline, got, want)
		}
	}
}

// firstNonce is the nonce of a caller's first order for itself.
func firstNonce(caller common.Address) *big.Int {
	return crypto.Keccak256Hash(common.LeftPadBytes(caller[:], 32), make([]byte, 32)).Big()
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
		Roles:    roles{Admin: admin, Relayer: relayer, Standby: standby, Guardian: guardian, Treasurer: treasury},
		Limits:   limits{Min: big.NewInt(minimum), Max: big.NewInt(1e12)},
		Caps: caps{
			Payments: big.NewInt(8e12), Refunds: big.NewInt(8e12), Releases: big.NewInt(8e12), Treasury: big.NewInt(8e12),
		},
		FeeBound: 5_000,
	})
}

// openedOrder returns the order in the first OrderOpened event of pool, which
// must have that ID.
func openedOrder(e *evm, pool contract, id common.Hash) order {
	e.t.Helper()
	var opened struct {
		Depositor       common.Address
		Number, Deposit *big.Int
		Order           order
	}
	event := pool.abi.Events["OrderOpened"]
	for _, log := range e.state.Logs() {
		if log.Address != pool.address || log.Topics[0] != event.ID {
			continue
		}
		if log.Topics[1] != id {
			e.t.Errorf("ID in the event = %s, want the one that swap returned, %s", log.Topics[1], id)
		}
		if err := pool.abi.UnpackIntoInterface(&opened, event.Name, log.Data); err != nil {
			e.t.Fatal(err)
		}
		return opened.Order
	}
	e.t.Fatal("no order was opened")
	return order{}
}

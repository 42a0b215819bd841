package contract_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hubquote/internal/calldata"
	"hubquote/internal/contract"
	"hubquote/swap"
)

var bigs = cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })

func bytesOf(t *rapid.T, name string, n int) []byte {
	return rapid.SliceOfN(rapid.Byte(), n, n).Draw(t, name)
}

// The pool reads from a call the values that Go wrote into it, and opens an order
// with them. The pool, the lens and Go agree on the order's ID.
func TestPoolReadsWhatGoWrites(t *testing.T) {
	admin, sender, token, payer := common.Address{1}, common.Address{2}, common.Address{3}, common.Address{0xff}
	m := newMachine(t, 1)
	m.place(token, contract.Token.Runtime())
	m.call(admin, token, contract.Token.Call("init", "USD Coin", "USDC", uint8(6)))
	registry := m.deploy(contract.Registry, admin)
	most := new(big.Int).Lsh(big.NewInt(1), 90)
	pool := m.deploy(contract.Pool, poolConfig(admin, token, registry, most))
	m.call(sender, token, contract.Token.Call("mint", sender, new(big.Int).Lsh(most, 20)))
	m.call(sender, token, contract.Token.Call("approve", pool, new(big.Int).Lsh(most, 20)))
	const rate, lifetime = 5_000, 72 * 3600
	count := int64(0)
	rapid.Check(t, func(t *rapid.T) {
		c := drawPoolCall(t)
		place := new(big.Int).SetUint64(uint64(c.DstChain))
		terms := contract.Destination{Delivery: contract.ToAddress, State: contract.Open, Pool: payer, Rate: rate, Lifetime: lifetime}
		if c.Recipient.Type == swap.ToPrivate {
			terms.Delivery = contract.ToNote
		}
		m.call(admin, pool, contract.Pool.Call("setDestination", place, common.Address(c.DstToken), terms))
		id := common.BytesToHash(m.call(sender, pool, c.Bytes()))

		logs := m.state.Logs()
		opened, err := contract.ReadOpened(logs[len(logs)-1])
		if err != nil {
			t.Fatal(err)
		}
		want := &contract.Opened{
			Depositor: sender, Number: big.NewInt(count), Deposit: c.Amount.ToBig(),
			Order: contract.Order{
				SrcPlace: big.NewInt(1), SrcPool: pool, RefundTo: sender, Nonce: nonceOf(sender, count),
				SrcDecimals: 6, Amount: c.Amount.ToBig(),
				DstPlace: place, DstPool: payer, DstToken: common.Address(c.DstToken), Rate: rate, IntegratorId: c.Integrator,
				RecipientType: uint8(c.Recipient.Type), Recipient: c.Recipient.Bytes, Deadline: big.NewInt(now + lifetime),
			},
		}
		if diff := cmp.Diff(want, opened, bigs); diff != "" {
			t.Fatalf("order (-want +got):\n%s", diff)
		}
		if got := opened.Order.ID(); got != id || m.askLens("orderId", opened.Order) != id {
			t.Fatalf("ID = %s, want that of the pool, %s, and of the lens, %s", got, id, m.askLens("orderId", opened.Order))
		}
		count++
	})
}

func poolConfig(admin, token, registry common.Address, most *big.Int) contract.PoolConfig {
	double := new(big.Int).Lsh(most, 1)
	return contract.PoolConfig{
		Place: big.NewInt(1), Token: token, Decimals: 6, Registry: registry,
		Roles: contract.Roles{
			Admin: admin, Relayer: common.Address{11}, Standby: common.Address{12}, Guardian: common.Address{13}, Treasurer: common.Address{14},
		},
		Limits: contract.Limits{Min: big.NewInt(1), Max: most},
		Caps:   contract.Caps{Payments: double, Refunds: double, Releases: double, Treasury: double},
	}
}

// nonceOf is the nonce of a sender's order, of those that are refunded to the
// sender itself.
func nonceOf(sender common.Address, count int64) *big.Int {
	return crypto.Keccak256Hash(common.LeftPadBytes(sender[:], 32), common.BigToHash(big.NewInt(count)).Bytes()).Big()
}

func drawPoolCall(t *rapid.T) *calldata.PoolCall {
	c := &calldata.PoolCall{
		DstChain:   swap.PlaceID(rapid.Uint64Range(1, 1<<63).Draw(t, "dstChain")),
		DstToken:   swap.Address(bytesOf(t, "dstToken", 20)),
		Integrator: swap.IntegratorIDOf(swap.Address(bytesOf(t, "integrator", 20))),
	}
	c.DstToken[0] |= 1
	c.Amount.SetUint64(rapid.Uint64Min(1).Draw(t, "amount"))
	c.Recipient = calldata.ToAddress(swap.Address(bytesOf(t, "address", 20)))
	if rapid.Bool().Draw(t, "private") {
		c.Recipient = calldata.ToNote(bytesOf(t, "note", 160))
		c.Recipient.Bytes[0] &= 0x1f // below the order of the field
	}
	c.Recipient.Bytes[19] |= 1
	return c
}

// hook is a hook as Solidity reads it.
type hook struct {
	DstPlace      *big.Int
	DstToken      common.Address
	IntegratorId  [32]byte
	RecipientType uint8
	Recipient     []byte
}

func TestReceiverReadsWhatGoWrites(t *testing.T) {
	h := newHarness(t)
	rapid.Check(t, func(t *rapid.T) {
		c := drawPoolCall(t)
		sent := calldata.Hook{
			DstChain: c.DstChain, DstToken: c.DstToken, Integrator: c.Integrator, Recipient: c.Recipient,
		}
		out := h.ask("readHook", sent.Append(nil))
		want := &hook{
			new(big.Int).SetUint64(uint64(c.DstChain)), common.Address(c.DstToken), c.Integrator, uint8(c.Recipient.Type), c.Recipient.Bytes,
		}
		if diff := cmp.Diff(want, abi.ConvertType(out[1], new(hook)), bigs); diff != "" || out[0] != true {
			t.Fatalf("hook, read %v (-want +got):\n%s", out[0], diff)
		}
	})
}

// An order's ID covers everything it says, but for its deadline.
func TestOrderID(t *testing.T) {
	m := newMachine(t, 369)
	rapid.Check(t, func(t *rapid.T) {
		o := drawOrder(t)
		if want := m.askLens("orderId", o); o.ID() != want {
			t.Fatalf("ID = %s, want that of Solidity, %s", o.ID(), want)
		}
		later := o
		later.Deadline = big.NewInt(rapid.Int64Range(0, 1<<47).Draw(t, "later"))
		if later.ID() != o.ID() {
			t.Fatalf("ID %s with another deadline, want %s", later.ID(), o.ID())
		}
	})
}

func drawOrder(t *rapid.T) contract.Order {
	number := func(name string, size int) *big.Int { return new(big.Int).SetBytes(bytesOf(t, name, size)) }
	return contract.Order{
		SrcPlace: number("srcPlace", 32), SrcPool: common.Address(bytesOf(t, "srcPool", 20)), RefundTo: common.Address(bytesOf(t, "refundTo", 20)),
		Nonce: number("nonce", 32), SrcDecimals: rapid.Byte().Draw(t, "decimals"), Amount: number("amount", 32),
		DstPlace: number("dstPlace", 32), DstPool: common.Address(bytesOf(t, "dstPool", 20)), DstToken: common.Address(bytesOf(t, "dstToken", 20)),
		Rate: rapid.Uint32().Draw(t, "rate"), IntegratorId: [32]byte(bytesOf(t, "integrator", 32)),
		RecipientType: rapid.Byte().Draw(t, "type"), Recipient: rapid.SliceOf(rapid.Byte()).Draw(t, "recipient"),
		Deadline: number("deadline", 6),
	}
}

// A log whose order does not hash to its ID is refused.
func TestForgedLogIsRefused(t *testing.T) {
	o := contract.Order{
		SrcPlace: big.NewInt(1), Nonce: big.NewInt(2), Amount: big.NewInt(3), DstPlace: big.NewInt(4), Deadline: big.NewInt(5), Recipient: []byte{6},
	}
	event := contract.Pool.ABI().Events["OrderOpened"]
	data, err := event.Inputs.NonIndexed().Pack(common.Address{7}, big.NewInt(0), big.NewInt(3), o)
	if err != nil {
		t.Fatal(err)
	}
	topics := []common.Hash{event.ID, o.ID(), {}, {}}
	if _, err := contract.ReadOpened(&types.Log{Topics: topics, Data: data}); err != nil {
		t.Errorf("ReadOpened of an honest log: %v, want no error", err)
	}
	topics[1][0]++
	if _, err := contract.ReadOpened(&types.Log{Topics: topics, Data: data}); err == nil {
		t.Error("ReadOpened of a log with another ID = nil error, want one")
	}
}

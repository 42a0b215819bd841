package contract_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
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

// What Go writes into a pool call is what the pool reads out of it, and opens
// an order with.
func TestPoolReadsWhatGoWrites(t *testing.T) {
	admin, sender, token := common.Address{1}, common.Address{2}, common.Address{3}
	m := newMachine(t, 1)
	m.place(token, contract.Token.Runtime())
	m.call(admin, token, contract.Token.Call("init", "USD Coin", "USDC", uint8(6)))
	registry := m.deploy(contract.Registry, admin)
	most := new(big.Int).Lsh(big.NewInt(1), 100)
	pool := m.deploy(contract.Pool, contract.PoolConfig{
		Place: big.NewInt(1), Token: token, Decimals: 6, Registry: registry,
		Roles:  contract.Roles{Admin: admin, Relayer: admin, Pauser: admin},
		Limits: contract.Limits{Min: big.NewInt(1), Max: most, Daily: new(big.Int).Lsh(most, 1)},
	})
	m.call(sender, token, contract.Token.Call("mint", sender, new(big.Int).Lsh(most, 20)))
	m.call(sender, token, contract.Token.Call("approve", pool, new(big.Int).Lsh(most, 20)))
	nonce := int64(0)
	rapid.Check(t, func(t *rapid.T) {
		c := drawPoolCall(t)
		place := new(big.Int).SetUint64(uint64(c.DstChain))
		delivery := contract.ToAddress
		if c.Recipient.Type == swap.ToPrivate {
			delivery = contract.ToNote
		}
		m.call(admin, pool, contract.Pool.Call("setDestination", place, common.Address(c.DstToken), delivery))
		id := common.BytesToHash(m.call(sender, pool, c.Bytes()))

		logs := m.state.Logs()
		got, err := contract.OpenedOrder(logs[len(logs)-1])
		want := &contract.Order{
			SrcPlace: big.NewInt(1), SrcPool: pool, Nonce: big.NewInt(nonce), RefundTo: sender, Amount: c.Amount.ToBig(),
			DstPlace: place, DstToken: common.Address(c.DstToken), IntegratorId: c.Integrator,
			RecipientType: uint8(c.Recipient.Type), Recipient: c.Recipient.Bytes,
		}
		if diff := cmp.Diff(want, got, bigs); diff != "" || err != nil {
			t.Fatalf("order (-want +got), %v:\n%s", err, diff)
		}
		if got.ID() != id {
			t.Fatalf("ID %s, the pool says %s", got.ID(), id)
		}
		nonce++
	})
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

func TestOrderID(t *testing.T) {
	h := newHarness(t)
	rapid.Check(t, func(t *rapid.T) {
		o := contract.Order{
			SrcPlace: new(big.Int).SetBytes(bytesOf(t, "srcPlace", 32)), SrcPool: common.Address(bytesOf(t, "srcPool", 20)),
			Nonce: new(big.Int).SetBytes(bytesOf(t, "nonce", 32)), RefundTo: common.Address(bytesOf(t, "refundTo", 20)),
			Amount: new(big.Int).SetBytes(bytesOf(t, "amount", 32)), DstPlace: new(big.Int).SetBytes(bytesOf(t, "dstPlace", 32)),
			DstToken: common.Address(bytesOf(t, "dstToken", 20)), IntegratorId: [32]byte(bytesOf(t, "integrator", 32)),
			RecipientType: rapid.Byte().Draw(t, "type"), Recipient: rapid.SliceOf(rapid.Byte()).Draw(t, "recipient"),
		}
		if want := common.Hash(h.ask("orderId", o)[0].([32]byte)); o.ID() != want {
			t.Fatalf("ID %s, Solidity says %s", o.ID(), want)
		}
	})
}

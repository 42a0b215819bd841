package record_test

import (
	"bytes"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"

	"hubquote/internal/contract"
	"hubquote/internal/record"
	"hubquote/swap"
)

// theirs is an order in the words of the compiled contracts, no two fields equal.
func theirs() contract.Order {
	return contract.Order{
		SrcPlace: big.NewInt(369), SrcPool: common.Address{1}, RefundTo: common.Address{2}, Nonce: new(big.Int).Lsh(big.NewInt(3), 250),
		SrcDecimals: 6, Amount: big.NewInt(1_000_000), DstPlace: big.NewInt(8453), DstPool: common.Address{4}, DstToken: common.Address{5},
		Rate: 3000, IntegratorId: [32]byte{31: 7}, RecipientType: 2, Recipient: bytes.Repeat([]byte{8}, 33), Deadline: big.NewInt(1_800_000_000),
	}
}

func ours() *swap.Order {
	o := &swap.Order{
		SrcPlace: *uint256.NewInt(369), SrcPool: swap.Address{1}, RefundTo: swap.Address{2}, Nonce: *new(uint256.Int).Lsh(uint256.NewInt(3), 250),
		SrcDecimals: 6, Amount: *uint256.NewInt(1_000_000), DstPlace: *uint256.NewInt(8453), DstPool: swap.Address{4}, DstToken: swap.Address{5},
		Rate: 3000, Integrator: swap.IntegratorID{31: 7}, RecipientType: 2, Recipient: bytes.Repeat([]byte{8}, 33), Deadline: 1_800_000_000,
	}
	return o
}

// The compiler's ABI is the witness of the encoding, of the ID and of the calls.
func TestSameAsTheContracts(t *testing.T) {
	order := theirs()
	packed, err := contract.Lens.ABI().Methods["orderId"].Inputs.Pack(order)
	if err != nil {
		t.Fatal(err)
	}
	if got := record.ID(ours()); got != swap.Hash(order.ID()) {
		t.Errorf("ID() = %s, want %s", got, order.ID())
	}
	for _, tt := range []struct {
		name      string
		got, want []byte
	}{
		{"Encode", record.Encode(ours()), packed},
		{"Reclaim", record.Reclaim(ours()), contract.Pool.Call("reclaim", order)},
		{"ClaimFor", record.ClaimFor(swap.Address{9}), contract.Pool.Call("claimFor", common.Address{9})},
		{"Relay", record.Relay([]byte("message"), []byte("signature")), contract.Receiver.Call("relay", []byte("message"), []byte("signature"))},
		{"ReceiveMessage", record.ReceiveMessage([]byte("m"), []byte("s")), contract.Transmitter.Call("receiveMessage", []byte("m"), []byte("s"))},
		{"Settlements", record.Settlements(swap.Hash{1}), contract.Pool.Call("settlements", [32]byte{1})},
	} {
		if !bytes.Equal(tt.got, tt.want) {
			t.Errorf("%s = %x, want %x", tt.name, tt.got, tt.want)
		}
	}
}

func TestTopicsAreTheContracts(t *testing.T) {
	for name, tt := range map[string]struct {
		of   *contract.Compiled
		have swap.Hash
	}{
		"OrderOpened": {contract.Pool, record.TopicOpened}, "OrderFulfilled": {contract.Pool, record.TopicFulfilled},
		"OrderCancelled": {contract.Pool, record.TopicCancelled}, "OrderRefunded": {contract.Pool, record.TopicRefunded},
		"OrderReclaimed": {contract.Pool, record.TopicReclaimed}, "Credited": {contract.Pool, record.TopicCredited},
		"Claimed": {contract.Pool, record.TopicClaimed}, "BurnReceived": {contract.Receiver, record.TopicBurn},
		"MessageSent": {contract.Transmitter, record.TopicMessageSent}, "MessageReceived": {contract.Transmitter, record.TopicMessageReceived},
	} {
		if want := tt.of.ABI().Events[name].ID; swap.Hash(want) != tt.have {
			t.Errorf("the topic of %s = %s, want %s", name, tt.have, want)
		}
	}
}

func TestDecodeReadsOneEncoding(t *testing.T) {
	body := record.Encode(ours())
	got, err := record.Decode(body)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ours(), got); diff != "" {
		t.Errorf("Decode(Encode(o)) (-want +got):\n%s", diff)
	}
	for name, bad := range map[string][]byte{
		"a byte less": body[:len(body)-1], "a byte more": append(bytes.Clone(body), 0), "nothing": nil,
		"another offset": append([]byte{1}, body[1:]...), "padding that is not zero": altered(body, len(body)-1),
		"more bits than decimals have": altered(body, 32*6-2), "more bits than a deadline has": altered(body, 32*15-7),
	} {
		if o, err := record.Decode(bad); err == nil {
			t.Errorf("%s: Decode = %+v, want an error", name, o)
		}
	}
}

func altered(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[at] ^= 1
	return b
}

// log makes an event with the compiler's ABI.
func log(t *testing.T, c *contract.Compiled, event string, topics []swap.Hash, args ...any) *record.Log {
	t.Helper()
	data, err := c.ABI().Events[event].Inputs.NonIndexed().Pack(args...)
	if err != nil {
		t.Fatal(err)
	}
	return &record.Log{Topics: topics, Data: data}
}

func TestEvents(t *testing.T) {
	order := theirs()
	id := swap.Hash(order.ID())
	l := log(t, contract.Pool, "OrderOpened", []swap.Hash{record.TopicOpened, id, {2}, {3}}, common.Address{6}, big.NewInt(5), big.NewInt(999), order)
	opened, err := record.ReadOpened(l)
	if err != nil || opened.ID != id || opened.Deposit.Uint64() != 999 || !cmp.Equal(opened.Order, ours()) {
		t.Errorf("ReadOpened = %+v, %v, want the order", opened, err)
	}
	if _, err := contract.ReadOpened(&types.Log{Topics: []common.Hash{{}, common.Hash(id), {}, {}}, Data: l.Data}); err != nil {
		t.Errorf("the other reader: %v, want the same log read", err)
	}
	l.Topics[1][0] ^= 1
	if _, err := record.ReadOpened(l); err == nil {
		t.Error("ReadOpened of an order that does not hash to its ID: no error, want one")
	}

	paid := log(t, contract.Pool, "OrderFulfilled", []swap.Hash{record.TopicFulfilled, id, {2}, {31: 4}},
		big.NewInt(1), common.Address{2}, big.NewInt(77), big.NewInt(3), big.NewInt(4), big.NewInt(5), true)
	if p, err := record.ReadPayment(paid); err != nil || *p != (record.Payment{ID: id, Recipient: swap.Address{19: 4}, Received: *uint256.NewInt(77), Paid: true}) {
		t.Errorf("ReadPayment = %+v, %v, want 77 paid", p, err)
	}
	back := log(t, contract.Receiver, "OrderRefunded", []swap.Hash{record.TopicRefunded, id, {31: 4}}, big.NewInt(78), uint8(2))
	if r, err := record.ReadReturn(back); err != nil || *r != (record.Return{ID: id, To: swap.Address{19: 4}, Amount: *uint256.NewInt(78), How: record.BurnedBack}) {
		t.Errorf("ReadReturn = %+v, %v, want 78 burned back", r, err)
	}
}

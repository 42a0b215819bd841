package event_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"hubquote/internal/contract"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/watch/event"
	"hubquote/swap"
)

var (
	source = order.Pool{Chain: 1, Address: swap.Address{1}}
	payer  = order.Pool{Chain: 369, Address: swap.Address{2}}
	gate   = order.Pool{Chain: 8453, Address: swap.Address{3}}
	reader = event.Reader{Chain: 1, Contracts: roster.Roster{
		{Pool: source, Kind: roster.Pool, Generation: 2, Token: swap.Address{9}, Decimals: 6},
		{Pool: payer, Kind: roster.Pool, Decimals: 18},
		{Pool: gate, Kind: roster.GatewayPool, Decimals: 6},
	}}
)

func body() contract.Order {
	return contract.Order{
		SrcPlace: big.NewInt(1), SrcPool: common.Address(source.Address), RefundTo: common.Address{7}, Nonce: big.NewInt(3), SrcDecimals: 6,
		Amount: big.NewInt(10_000_000), DstPlace: big.NewInt(369), DstPool: common.Address(payer.Address), DstToken: common.Address{8}, Rate: 3000,
		Recipient: make([]byte, 20), Deadline: big.NewInt(2_000_000_000),
	}
}

func opened(t *testing.T, o contract.Order, deposit int64) *types.Log {
	t.Helper()
	e := contract.Pool.ABI().Events["OrderOpened"]
	data, err := e.Inputs.NonIndexed().Pack(o.RefundTo, big.NewInt(41), big.NewInt(deposit), o)
	if err != nil {
		t.Fatal(err)
	}
	return &types.Log{
		Address: common.Address(source.Address), Data: data, BlockNumber: 5, BlockHash: common.Hash{6}, TxHash: common.Hash{7}, Index: 8, BlockTimestamp: 9,
		Topics: []common.Hash{e.ID, o.ID(), common.BytesToHash(o.RefundTo[:]), common.BigToHash(o.DstPlace)},
	}
}

// An order has what its log says, and what it takes at most to pay it.
func TestOpened(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*contract.Order)
		dst    order.Pool
		pays   string
	}{
		"more decimals":        {func(*contract.Order) {}, payer, "10000000000000000000"},
		"third party's fee":    {func(o *contract.Order) { o.DstPool = common.Address(gate.Address) }, gate, "10050000"},
		"a pool not listed":    {func(o *contract.Order) { o.DstPool = common.Address{99} }, order.Pool{Address: swap.Address{99}}, "0"},
		"no pool":              {func(o *contract.Order) { o.DstPool = common.Address{} }, order.Pool{}, "0"},
		"more source decimals": {func(o *contract.Order) { o.SrcDecimals = 18 }, payer, "10000000"},
	} {
		t.Run(name, func(t *testing.T) {
			o := body()
			c.change(&o)
			events, err := reader.Read(opened(t, o, 9_000_000))
			if err != nil || len(events) != 1 {
				t.Fatalf("Read = %v, %v; want one event", events, err)
			}
			got := events[0].Order
			if got.ID != order.ID(o.ID()) || got.Src != source || got.Dst != c.dst || got.Pays.Dec() != c.pays || got.Amount.Dec() != "9000000" ||
				got.Running != 41 || got.Generation != 2 || got.Asset != (swap.Address{9}) || got.Deadline.Unix() != 2_000_000_000 {
				t.Errorf("order = %+v, want that of the log, paid by %+v with %s", got, c.dst, c.pays)
			}
			again, err := event.Body(got)
			if err != nil || again.ID() != o.ID() || again.Deadline.Cmp(o.Deadline) != 0 {
				t.Errorf("body = %+v, %v; want the order", again, err)
			}
		})
	}
}

// A log that is not what it seems is refused.
func TestRefusedLogs(t *testing.T) {
	for name, change := range map[string]func(*types.Log){
		"other ID":       func(l *types.Log) { l.Topics[1] = common.Hash{1} },
		"other contract": func(l *types.Log) { l.Address = common.Address{77} },
		"other event":    func(l *types.Log) { l.Topics[0] = common.Hash{1} },
		"no topics":      func(l *types.Log) { l.Topics = nil },
		"cut short":      func(l *types.Log) { l.Data = l.Data[:64] },
	} {
		log := opened(t, body(), 1)
		change(log)
		if got, err := reader.Read(log); err == nil {
			t.Errorf("%s: Read = %+v, want an error", name, got)
		}
	}
}

// Every error of a payment has its reason; only what no later state can change
// is for good.
func TestRefusalOf(t *testing.T) {
	for signature, want := range map[string]order.Refusal{
		"Expired(uint256)":                {Why: order.Deadline, ForGood: true},
		"WrongPool(address)":              {Why: order.Refused, ForGood: true},
		"NothingToPay(bytes32)":           {Why: order.Refused, ForGood: true},
		"TooManyDecimals(uint8)":          {Why: order.Refused, ForGood: true},
		"UnknownSource(uint256,address)":  {Why: order.Shut},
		"SourceIsClosed(uint256,address)": {Why: order.Shut},
		"Illiquid(uint256,uint256)":       {Why: order.Liquidity},
		"CapExceeded(uint256,uint256)":    {Why: order.Cap},
		"FeeTooHigh(uint256,uint256)":     {Why: order.Fee},
		"CannotPay(bytes32)":              {Why: order.Recipient},
		"PaymentsArePaused()":             {Why: order.Paused},
		"AlreadySettled(bytes32,uint8)":   {},
		"OrderRefused(uint8)":             {Why: order.Refused},
		"Unheard()":                       {Why: order.Refused},
	} {
		if got := event.RefusalOf([4]byte(crypto.Keccak256([]byte(signature)))); got != want {
			t.Errorf("%s: %+v, want %+v", signature, got, want)
		}
	}
}

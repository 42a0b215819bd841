package contract

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// Roles are who may do what in a contract at first.
type Roles struct {
	Admin   common.Address // sets routes and limits, moves liquidity, ends a pause
	Relayer common.Address // says what happened elsewhere
	Pauser  common.Address // stops everything but claims
}

// Limits are how much may pass, in the token's smallest units.
type Limits struct {
	Min, Max *big.Int // of one order
	Daily    *big.Int // of all payments in any 24 hours
}

// PoolConfig is the argument of a pool's constructor.
type PoolConfig struct {
	Place    *big.Int
	Token    common.Address
	Decimals uint8
	Registry common.Address
	Roles    Roles
	Limits   Limits
}

// ReceiverConfig is the argument of the receiver's constructor.
type ReceiverConfig struct {
	Token       common.Address
	Messenger   common.Address
	Transmitter common.Address
	Pool        common.Address
	LastResort  common.Address
	AbsorbRate  uint32
	Roles       Roles
	Limits      Limits
}

// A Source is a contract whose orders a pool pays.
type Source struct {
	Known    bool
	Decimals uint8
	Rate     uint32
}

// A Remote is a place that a gateway pool reaches by burning.
type Remote struct {
	Domain uint32
	Token  common.Address
}

// A Delivery is how a destination is paid.
type Delivery = uint8

// The deliveries there are.
const (
	ToAddress Delivery = 1
	ToNote    Delivery = 2
)

// A Settlement is the state of an order at the pool that owes it.
type Settlement = uint8

// Unsettled is the state of an order that is neither paid nor cancelled.
const Unsettled Settlement = 0

// An Order is a deposit that is owed a payment elsewhere.
type Order struct {
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

// ID is the order's identity: the hash of all it says.
func (o *Order) ID() common.Hash {
	data, err := Pool.ABI().Methods["fulfil"].Inputs.Pack(*o)
	if err != nil {
		panic(fmt.Sprintf("contract: order: %v", err))
	}
	return crypto.Keccak256Hash(data)
}

// OpenedOrder reads the order out of an OrderOpened log. It believes nothing
// that does not hash to the ID in the log.
func OpenedOrder(log *types.Log) (*Order, error) {
	var opened struct{ Order Order }
	if err := Pool.Event(&opened, "OrderOpened", log); err != nil {
		return nil, err
	}
	if len(log.Topics) != 3 || log.Topics[1] != opened.Order.ID() {
		return nil, fmt.Errorf("the log of order %s does not hash to it", opened.Order.ID())
	}
	return &opened.Order, nil
}

// A Payment is what an OrderFulfilled log says besides whose it was.
type Payment struct {
	Received      *big.Int
	ProtocolFee   *big.Int
	IntegratorFee *big.Int
	Paid          bool // false when the recipient has to claim it
}

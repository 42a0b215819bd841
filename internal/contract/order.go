package contract

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// An Order is a deposit that is owed a payment elsewhere.
type Order struct {
	SrcPlace      *big.Int       // where the deposit was made
	SrcPool       common.Address // the contract that took it
	RefundTo      common.Address // gets the deposit back
	Nonce         *big.Int
	SrcDecimals   uint8
	Amount        *big.Int // in the source token's smallest units, before fees
	DstPlace      *big.Int
	DstPool       common.Address // the only contract that may pay it; zero when none may
	DstToken      common.Address
	Rate          uint32 // the most that the protocol takes, in millionths
	IntegratorId  [32]byte
	RecipientType uint8
	Recipient     []byte
	Deadline      *big.Int // paid before this time or not at all; not part of the ID
}

// ID is the order's identity: the hash of all its fields except the deadline. The
// deadline depends on the block of the deposit, so that it would change the ID of a
// deposit that is mined again in another block.
func (o *Order) ID() common.Hash {
	bare := *o
	bare.Deadline = new(big.Int)
	return crypto.Keccak256Hash(bare.Bytes())
}

// Bytes is the order as a call carries it, with its deadline.
func (o *Order) Bytes() []byte {
	data, err := Lens.ABI().Methods["orderId"].Inputs.Pack(*o)
	if err != nil {
		panic(fmt.Sprintf("contract: order: %v", err))
	}
	return data
}

// ReadOrder reads what [Order.Bytes] wrote.
func ReadOrder(data []byte) (o Order, err error) {
	inputs := Lens.ABI().Methods["orderId"].Inputs
	values, err := inputs.Unpack(data)
	if err != nil {
		return o, fmt.Errorf("not an order: %w", err)
	}
	var read struct{ Order Order }
	if err := inputs.Copy(&read, values); err != nil {
		return o, fmt.Errorf("not an order: %w", err)
	}
	return read.Order, nil
}

// An Opened is an OrderOpened log.
type Opened struct {
	Depositor common.Address
	Number    *big.Int // counts the orders of the contract, from zero and without gaps
	Deposit   *big.Int // what came in; at the receiver less than the amount when the issuer took a fee
	Order     Order
}

// ReadOpened reads an OrderOpened log. It refuses an order that does not hash to the
// ID in the log.
func ReadOpened(log *types.Log) (*Opened, error) {
	var opened Opened
	if err := Pool.Event(&opened, "OrderOpened", log); err != nil {
		return nil, err
	}
	if len(log.Topics) != 4 || log.Topics[1] != opened.Order.ID() {
		return nil, fmt.Errorf("the log of order %s does not hash to it", opened.Order.ID())
	}
	return &opened, nil
}

// A Payment is an OrderFulfilled log without its indexed fields.
type Payment struct {
	SrcPlace      *big.Int
	SrcPool       common.Address
	Received      *big.Int
	ProtocolFee   *big.Int
	IntegratorFee *big.Int
	ThirdPartyFee *big.Int // what the issuer or the privacy pool took, borne by the pool
	Paid          bool     // false when the recipient has to claim it
}

// A Settlement is the state of an order at the pool that owes it.
type Settlement = uint8

// Unsettled is the state of an order that is neither paid nor cancelled.
const Unsettled Settlement = 0

// A Deposit is the money that a contract holds for an open order.
type Deposit struct {
	Amount   *big.Int
	Deadline *big.Int // of the order; once it is announced, from when it may be taken
	Domain   uint32   // the issuer's, at the receiver
	State    uint8    // 0 when nothing is held
}

// Totals are the money in a contract that belongs to others.
type Totals struct{ Owed, Held *big.Int }

package contract

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Roles are the accounts that hold a contract's roles when it is deployed.
type Roles struct{ Admin, Relayer, Standby, Guardian, Treasurer common.Address }

// RelayerRole is the role of the accounts that pay.
func RelayerRole() [32]byte { return crypto.Keccak256Hash([]byte("RELAYER_ROLE")) }

// Limits are the smallest and the largest deposit.
type Limits struct{ Min, Max *big.Int }

// Caps are how much may leave in any 24 hours, half of it at once.
type Caps struct{ Payments, Refunds, Releases, Treasury *big.Int }

// The caps of a contract, as its functions number them.
const (
	PaymentsCap uint8 = iota
	RefundsCap
	ReleasesCap
	TreasuryCap
)

// PoolConfig is the argument of a pool's constructor.
type PoolConfig struct {
	Place    *big.Int
	Token    common.Address
	Decimals uint8
	Registry common.Address
	Roles    Roles
	Limits   Limits
	Caps     Caps
	FeeBound uint32 // of third parties' fees, in millionths
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
	RefundCap   *big.Int
	ReleaseCap  *big.Int
}

// A Link is whether a contract uses another.
type Link = uint8

// The states of a link. What was open once can be closed, and never be a draft again.
const (
	Draft  Link = 0
	Open   Link = 1
	Closed Link = 2
)

// A Delivery is how a destination is paid.
type Delivery = uint8

// The deliveries there are.
const (
	ToAddress Delivery = 1
	ToNote    Delivery = 2
)

// A Destination is what a source promises for a place and token.
type Destination struct {
	Delivery Delivery
	State    Link
	Pool     common.Address // pays
	Rate     uint32         // in millionths; after the first opening it only falls
	Lifetime uint32         // of an order, in seconds
}

// A Remote is a place that a gateway pool reaches by burning.
type Remote struct {
	Domain uint32
	Token  common.Address
	State  Link
}

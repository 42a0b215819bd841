package contract

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

// A Kind is which functions a contract has, as the lens numbers them.
type Kind = uint8

// The kinds of contracts that the lens looks at.
const (
	PlainKind Kind = iota
	GatewayKind
	ShieldKind
	ReceiverKind
)

// A Key is a destination (place and token) or a source (place and pool).
type Key struct {
	Place   *big.Int
	Account common.Address
}

// A RoleKey is a role that an account may hold.
type RoleKey struct {
	Role    [32]byte
	Account common.Address
}

// A Query is what the lens looks at in one contract.
type Query struct {
	Kind         Kind
	Target       common.Address
	Destinations []Key
	Sources      []Key
	Remotes      []*big.Int
	Domains      []uint32
	Roles        []RoleKey
	Treasury     []common.Address
}

// Fixed is what never changes; zero where a contract of the kind does not have it.
type Fixed struct {
	Token       common.Address
	Decimals    uint8
	Place       *big.Int
	Registry    common.Address
	Messenger   common.Address
	Transmitter common.Address
	Pool        common.Address
	LastResort  common.Address
	AbsorbRate  uint32
	PrivacyPool common.Address
}

// A Bucket is a cap and how much of it is used.
type Bucket struct {
	Cap, Level *big.Int
	Since      uint32
}

// A Source is what a pool knows of a contract whose orders it pays.
type Source struct {
	State Link
	Rate  *big.Int // in millionths
	Cap   *big.Int
	Level *big.Int
	Since uint32
}

// A Snapshot is a contract at one block; the lists are in the order of the
// query's.
type Snapshot struct {
	CodeHash       [32]byte // with all else zero when there is no contract
	Fixed          Fixed
	Admin          common.Address
	PendingAdmin   common.Address
	Liquidity      *big.Int
	Totals         Totals
	Orders         uint64
	DepositsPaused bool
	PaymentsPaused bool
	Limits         Limits
	Caps           [4]Bucket
	Spendable      [4]*big.Int
	FeeBound       uint32   // in millionths
	ShieldFee      *big.Int // in basis points; the largest number while the privacy pool does not answer
	Destinations   []Destination
	Sources        []Source
	SpendableFrom  []*big.Int
	Remotes        []Remote
	Places         []*big.Int
	Roles          []bool
	Treasury       []bool
}

// Snapshots are contracts of one chain at one block.
type Snapshots struct {
	ChainId   *big.Int
	Number    *big.Int
	Timestamp *big.Int
	Snapshots []Snapshot
}

// SnapshotCall returns the data of an eth_call without recipient that looks at
// the contracts.
func SnapshotCall(queries []Query) []byte {
	return LensCall.Init(Lens.Call("snapshot", queries))
}

var errNoAnswer = errors.New("not an answer of the lens")

// ReadSnapshots reads what an eth_call with [SnapshotCall] returned.
func ReadSnapshots(answer []byte, queries int) (*Snapshots, error) {
	if len(answer) == 0 || answer[0] != 0 {
		return nil, errNoAnswer
	}
	var s Snapshots
	if err := Lens.Results(&s, "snapshot", answer[1:]); err != nil {
		return nil, err
	}
	if len(s.Snapshots) != queries {
		return nil, fmt.Errorf("the lens looked at %d contracts, want %d", len(s.Snapshots), queries)
	}
	return &s, nil
}

package state

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
)

// A query is what the lens is asked about a contract.
type query struct {
	Kind         uint8
	Target       common.Address
	Destinations []key
	Sources      []key
	Remotes      []*big.Int
	Domains      []uint32
	Roles        []struct {
		Role    [32]byte
		Account common.Address
	}
	Treasury []common.Address
}

type key struct {
	Place   *big.Int
	Account common.Address
}

// A snapshot is all that the lens says about a contract, field by field.
type snapshot struct {
	CodeHash [32]byte
	Fixed    struct {
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
	Admin          common.Address
	PendingAdmin   common.Address
	Liquidity      *big.Int
	Totals         contract.Totals
	Orders         uint64
	DepositsPaused bool
	PaymentsPaused bool
	Limits         contract.Limits
	Caps           [4]struct {
		Cap, Level *big.Int
		Since      uint32
	}
	Spendable    [4]*big.Int
	FeeBound     uint32
	ShieldFee    *big.Int
	Destinations []contract.Destination
	Sources      []struct {
		State            contract.Link
		Rate, Cap, Level *big.Int
		Since            uint32
	}
	SpendableFrom []*big.Int
	Remotes       []contract.Remote
	Places        []*big.Int
	Roles         []bool
	Treasury      []bool
}

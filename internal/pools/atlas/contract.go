package atlas

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"hubquote/internal/contract"
	"hubquote/internal/deployment/caps"
	"hubquote/internal/deployment/operator"
	"hubquote/swap"
)

// A Contract is one contract, what the lens is asked about it, and what is
// expected of it.
type Contract struct {
	Name    string // as in deployment.toml: receiver, USDC@1
	Network swap.ChainID
	Address swap.Address
	Code    *contract.Compiled
	Token   *swap.Token // that it holds
	Query   contract.Query
	Fixed   contract.Fixed
	Limits  swap.Limits // of deposits; zero when no route starts there
	Largest swap.Amount // order that it pays, in its token's units; zero when it pays none

	// Operator is what the operator decided; nil when that is not known.
	Operator *Decisions
}

// Decisions are those of an operator about one contract.
type Decisions struct {
	Admin    common.Address
	FeeBound uint32 // zero for a contract that bears no fees
	Caps     caps.Caps
	Holders  []string // names of the roles in the query
}

// The roles of a contract, as it hashes them.
var (
	relayer   = crypto.Keccak256Hash([]byte("RELAYER_ROLE"))
	guardian  = crypto.Keccak256Hash([]byte("GUARDIAN_ROLE"))
	treasurer = crypto.Keccak256Hash([]byte("TREASURER_ROLE"))
)

func (c *Contract) addSettings(s *operator.Settings) {
	c.Operator = &Decisions{Admin: common.Address(s.Roles.Admin), Caps: s.Caps[c.Name]}
	if c.Query.Kind == contract.GatewayKind || c.Query.Kind == contract.ShieldKind {
		c.Operator.FeeBound = uint32(s.FeeBound)
	}
	if c.Query.Kind == contract.ReceiverKind {
		c.Fixed.LastResort = common.Address(s.Roles.LastResort)
	}
	for _, holder := range []struct {
		name    string
		role    common.Hash
		account swap.Address
	}{
		{"relayer", relayer, s.Roles.Relayer}, {"standby", relayer, s.Roles.Standby},
		{"guardian", guardian, s.Roles.Guardian}, {"treasurer", treasurer, s.Roles.Treasurer},
	} {
		c.Query.Roles = append(c.Query.Roles, contract.RoleKey{Role: holder.role, Account: common.Address(holder.account)})
		c.Operator.Holders = append(c.Operator.Holders, holder.name)
	}
}

// Payable reports whether any of the operator's relayers has its role, so that
// orders can be paid. Where they are not known, it is true.
func (c *Contract) Payable(roles []bool) bool {
	if c.Operator == nil {
		return true
	}
	for i, key := range c.Query.Roles {
		if key.Role == relayer && roles[i] {
			return true
		}
	}
	return false
}

// Words are the values that the contract's immutables must have, by name. The last
// resort is the operator's decision, so that where that is not known, what the
// contract itself names is accepted.
func (c *Contract) Words(seen *contract.Fixed) map[string]common.Hash {
	f := c.Fixed
	if c.Operator == nil {
		f.LastResort = seen.LastResort
	}
	words := map[string]common.Hash{
		"place": common.BigToHash(f.Place), "decimals": wordOf(f.Decimals), "absorbRate": wordOf(f.AbsorbRate),
		"min": common.BigToHash(c.Limits.Min.ToBig()), "max": common.BigToHash(c.Limits.Max.ToBig()),
	}
	for name, a := range map[string]common.Address{
		"token": f.Token, "registry": f.Registry, "messenger": f.Messenger, "transmitter": f.Transmitter,
		"pool": f.Pool, "lastResort": f.LastResort, "privacyPool": f.PrivacyPool,
	} {
		words[name] = common.BytesToHash(a[:])
	}
	return words
}

func wordOf[T uint8 | uint32](n T) common.Hash { return common.BigToHash(number(uint64(n))) }

func number[T ~uint64](n T) *big.Int { return new(big.Int).SetUint64(uint64(n)) }

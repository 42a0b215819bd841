package tables

import (
	"errors"

	"hubquote/swap"
)

// The faults that several tables can have.
var (
	ErrZero     = errors.New("the zero address")
	ErrNoSource = errors.New("a fact needs a source")
)

// Chains is chains.toml.
type Chains struct {
	Edition int    // counts the changes that could surprise a wallet
	Updated string // when, as RFC 3339 writes it
	Chain   []Chain
	Privacy []Privacy
}

// A Chain is a network.
type Chain struct {
	ID       swap.ChainID
	Name     string
	Explorer string
	Wait     uint32 // seconds; zero when unknown
	Source   string
	CCTP     *CCTP
	Token    []Token
}

// A CCTP is the issuer's burn-and-mint contract on a chain.
type CCTP struct {
	Domain    swap.Domain
	Messenger swap.Address
	FeeBPS    *string `toml:"fee_bps"` // nil on chains that burns never start from
	Source    string
}

// A Token is a token of a chain.
type Token struct {
	Symbol       string
	Name         string
	Native       bool
	Address      swap.Address
	Decimals     uint8
	ApproveReset bool `toml:"approve_reset"`
	Source       string
}

// A Privacy is a privacy pool, with its virtual ID.
type Privacy struct {
	ID       swap.PlaceID
	Network  swap.ChainID
	Contract swap.Address
	Source   string
}

// Deployment is deployment.toml.
type Deployment struct {
	Name       string
	Reference  bool
	Receiver   swap.Address
	Pools      map[string]swap.Address // by coin, which no TOML key can be
	Registries map[string]swap.Address // by chain ID
}

// Pairs is pairs.toml.
type Pairs struct {
	Pairs []Pair
}

// A Pair serves every coin of From to every coin of To.
type Pair struct {
	Title string
	Kind  swap.RouteKind
	From  []swap.Coin
	To    []swap.Coin
}

// Policy is policy.toml.
type Policy struct {
	Rates struct {
		Inbound, Outbound, Privacy swap.Rate
		Source                     string
	}
	Limits []Limits
	V1     V1
	Burn   struct {
		Gateway  swap.ChainID
		Finality uint32
		Source   string
	}
}

// V1 lists the places that the first version of the API serves.
type V1 struct {
	Places []swap.PlaceID
	Source string
}

// Limits are the smallest and largest amount of some tokens of one asset.
type Limits struct {
	Asset    string // tokens of one asset are worth the same, one for one
	Symbols  []string
	Min, Max string // in whole tokens
	Source   string
}

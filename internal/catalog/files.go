package catalog

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/BurntSushi/toml"

	"hubquote/swap"
)

// files are the four files as written, before anything is checked.
type files struct {
	chains     chainsFile
	deployment deploymentFile
	pairs      pairsFile
	policy     policyFile
}

func (f *files) part(name string) any {
	return map[string]any{
		"chains.toml":     &f.chains,
		"deployment.toml": &f.deployment,
		"pairs.toml":      &f.pairs,
		"policy.toml":     &f.policy,
	}[name]
}

type chainsFile struct {
	Edition int    // counts the changes that could surprise a wallet
	Updated string // when, as RFC 3339 writes it
	Chain   []chain
	Privacy []privacyRoute
}

type chain struct {
	ID       swap.ChainID
	Name     string
	Explorer string
	Wait     uint32 // seconds; zero when unknown
	Source   string
	CCTP     *cctp
	Token    []token
}

type cctp struct {
	Domain    swap.Domain
	Messenger swap.Address
	FeeBPS    *string `toml:"fee_bps"` // nil on chains that burns never start from
	Source    string
}

type token struct {
	Symbol       string
	Name         string
	Native       bool
	Address      swap.Address
	Decimals     uint8
	ApproveReset bool `toml:"approve_reset"`
	Source       string
}

type privacyRoute struct {
	ID       swap.PlaceID
	Network  swap.ChainID
	Contract swap.Address
	Source   string
}

type deploymentFile struct {
	Name       string
	Reference  bool
	Receiver   swap.Address
	Pools      map[string]swap.Address // by coin, which no TOML key can be
	Registries map[string]swap.Address // by chain ID
}

type pairsFile struct {
	Pairs []pairsTable
}

type pairsTable struct {
	Title string
	Kind  swap.RouteKind
	From  []swap.Coin
	To    []swap.Coin
}

type policyFile struct {
	Rates struct {
		Inbound, Outbound, Privacy swap.Rate
		Source                     string
	}
	Limits []limitsTable
	V1     v1Table
	Burn   struct {
		Gateway  swap.ChainID
		Finality uint32
		Source   string
	}
}

type v1Table struct {
	Places []swap.PlaceID
	Source string
}

type limitsTable struct {
	Symbols  []string
	Min, Max string // in whole tokens
	Source   string
}

// decode reads one file and refuses keys that nothing reads: a misspelt key
// would otherwise be a fact silently left out.
func decode(text []byte, into any) error {
	meta, err := toml.NewDecoder(bytes.NewReader(text)).Decode(into)
	if err != nil {
		return err
	}
	var unknown []string
	for _, key := range meta.Undecoded() {
		unknown = append(unknown, key.String())
	}
	if unknown != nil {
		return fmt.Errorf("unknown key %s", strings.Join(unknown, ", "))
	}
	return nil
}

package swap

import (
	"errors"
	"strings"
)

// A Token is a currency on one network. Its decimals belong to the address on
// that network and to nothing else: USDC has 18 on chain 56 and 6 elsewhere.
type Token struct {
	Chain    ChainID
	Address  Address // [Native] for the chain's own coin
	Symbol   string
	Name     string
	Decimals uint8

	// ApproveReset is set for tokens that refuse to change an allowance that
	// is not zero: it must be set to zero first.
	ApproveReset bool
}

// IsNative reports whether t is its chain's own coin.
func (t *Token) IsNative() bool { return t.Address == Native }

// A TokenName is how a request spells a token: by symbol or by address. Which
// token it means depends on the chain.
type TokenName struct {
	Symbol  string  // in capitals; empty when the token is named by address
	Address Address // [Native] for either spelling of the chain's own coin
}

// MaxTokenLen is the longest spelling of a token that is looked at.
const MaxTokenLen = 66

const maxSymbolLen = 11

var errToken = errors.New("not a token: write its symbol, or its address as 0x and 40 hexadecimal digits")

// ParseTokenName reads a symbol in any letter case, or an address as
// [ParseAddress] does. The zero address is taken for the native coin, as many
// wallets spell it.
func ParseTokenName(s string) (TokenName, error) {
	if isSymbol(s) {
		return TokenName{Symbol: strings.ToUpper(s)}, nil
	}
	a, err := ParseAddress(s)
	switch {
	case errors.Is(err, ErrChecksum):
		return TokenName{}, err
	case err != nil:
		return TokenName{}, errToken
	case a.IsZero():
		a = Native
	}
	return TokenName{Address: a}, nil
}

// IsZero reports whether no token was named.
func (n TokenName) IsZero() bool { return n == TokenName{} }

func (n TokenName) String() string {
	if n.Symbol != "" {
		return n.Symbol
	}
	return n.Address.String()
}

func isSymbol(s string) bool {
	if s == "" || len(s) > maxSymbolLen {
		return false
	}
	for i := range len(s) {
		c := s[i] | 0x20
		if (c < 'a' || c > 'z') && (s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return true
}

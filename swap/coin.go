package swap

import (
	"fmt"
	"strings"
)

// A Coin is a token at a place, written USDC@369. The place may be a privacy
// pool; the token is then one of the network under it.
type Coin struct {
	Token TokenName
	Place PlaceID
}

// ParseCoin reads a token as [ParseTokenName] does, an @, and the place. An error
// is an [*Error] with the code of the part that is wrong.
func ParseCoin(s string) (c Coin, err error) {
	token, place, found := strings.Cut(s, "@")
	if !found {
		return Coin{}, &Error{Code: ParamMissing, Message: "write a token and its chain as in USDC@369"}
	}
	if c.Place, err = ParsePlaceID(place); err != nil {
		return Coin{}, Refuse("", ChainInvalid, err)
	}
	if c.Token, err = ParseTokenName(token); err != nil {
		return Coin{}, Refuse("", TokenInvalid, err)
	}
	return c, nil
}

// String returns the one spelling of c that files have: symbols are in
// capitals, addresses in EIP-55.
func (c Coin) String() string { return c.Token.String() + "@" + c.Place.String() }

// MarshalText makes JSON show [Coin.String].
func (c Coin) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a coin by its symbol, in the spelling of [Coin.String] and
// no other, so that a coin stands in a file under one name only.
func (c *Coin) UnmarshalText(text []byte) (err error) {
	*c, err = ParseCoin(string(text))
	if err != nil || c.Token.Symbol == "" || c.String() != string(text) {
		return fmt.Errorf("%q is not of the form USDC@369", text)
	}
	return nil
}

// At returns the coin that t is at a place.
func (t *Token) At(place PlaceID) Coin { return Coin{TokenName{Symbol: t.Symbol}, place} }

// Matches reports whether c is meant by a pattern: a symbol such as USDC, a
// place such as @369, or both. An empty pattern matches every coin.
func (c Coin) Matches(pattern string) bool {
	symbol, place, _ := strings.Cut(pattern, "@")
	return (symbol == "" || strings.EqualFold(symbol, c.Token.Symbol)) && (place == "" || place == c.Place.String())
}

// Names reports whether a request that says n means t.
func (n TokenName) Names(t *Token) bool {
	if n.Symbol != "" {
		return n.Symbol == t.Symbol
	}
	return n.Address == t.Address
}

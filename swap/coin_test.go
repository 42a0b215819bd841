package swap_test

import (
	"testing"

	"hubquote/swap"
)

func TestParseCoin(t *testing.T) {
	usdc := swap.MustAddress("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48")
	tests := []struct {
		name, text string
		want       swap.Coin
		spelling   string // empty when files must not have it
	}{
		{"a symbol", "USDC@369", swap.Coin{Token: swap.TokenName{Symbol: "USDC"}, Place: 369}, "USDC@369"},
		{"a symbol in small letters", "usdc@369", swap.Coin{Token: swap.TokenName{Symbol: "USDC"}, Place: 369}, ""},
		{"a privacy pool", "WETH@69696969", swap.Coin{Token: swap.TokenName{Symbol: "WETH"}, Place: 69696969}, "WETH@69696969"},
		{"an address", usdc.String() + "@1", swap.Coin{Token: swap.TokenName{Address: usdc}, Place: 1}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := swap.ParseCoin(tt.text)
			if err != nil || got != tt.want {
				t.Errorf("ParseCoin(%q) = %v, %v, want %v", tt.text, got, err, tt.want)
			}
			var file swap.Coin
			err = file.UnmarshalText([]byte(tt.text))
			if tt.spelling == "" && err == nil {
				t.Errorf("UnmarshalText(%q) = %v, want an error", tt.text, file)
			}
			if tt.spelling != "" && (err != nil || file.String() != tt.spelling) {
				t.Errorf("UnmarshalText(%q) = %v, %v, want %s", tt.text, file, err, tt.spelling)
			}
		})
	}
}

func TestParseCoinRefuses(t *testing.T) {
	for _, text := range []string{"", "@", "USDC", "USDC@", "@369", "USDC@0369", "USDC@369@1", "USD-C@369", "USDC@x", " USDC@369"} {
		if got, err := swap.ParseCoin(text); err == nil {
			t.Errorf("ParseCoin(%q) = %v, want an error", text, got)
		}
		var file swap.Coin
		if err := file.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("UnmarshalText(%q) = %v, want an error", text, file)
		}
	}
}

func TestCoinMatches(t *testing.T) {
	coin := swap.Coin{Token: swap.TokenName{Symbol: "USDC"}, Place: 369}
	for pattern, want := range map[string]bool{
		"": true, "@": true, "USDC": true, "usdc": true, "@369": true, "USDC@369": true,
		"USDT": false, "@36": false, "@3690": false, "USDC@1": false, "WETH@369": false,
	} {
		if got := coin.Matches(pattern); got != want {
			t.Errorf("%v.Matches(%q) = %t, want %t", coin, pattern, got, want)
		}
	}
}

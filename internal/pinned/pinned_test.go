package pinned_test

import (
	"strings"
	"testing"

	"hubquote/internal/pinfile"
	"hubquote/internal/pinned"
	"hubquote/swap"
	"hubquote/test/reference"
)

const (
	partnerWallet = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"
	partnerID     = "0x0000000000000000000000003c44cdddb6a900fa2b585dd299e03d12fa4293bc"
)

func embeddedText(t *testing.T) string {
	t.Helper()
	return string(pinfile.Of(reference.Catalog(t), pinfile.Allowances{}).Text())
}

func parse(text string) (*pinned.Pins, error) {
	f, err := pinfile.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	return pinned.New(f)
}

// source returns a route that starts with USDC there.
func source(t *testing.T, place swap.PlaceID) *swap.Route {
	t.Helper()
	for _, r := range reference.Catalog(t).Routes() {
		if r.Src.ID == place && r.SrcToken.Symbol == "USDC" {
			return r
		}
	}
	t.Fatalf("no route starts with USDC on %d", place)
	return nil
}

func TestPinsAreReadStrictly(t *testing.T) {
	text := embeddedText(t)
	target := source(t, 369).Target.String()
	tests := []struct{ name, old, new, says string }{
		{"another format", "hubquote-pins/1", "hubquote-pins/2", "the format is not"},
		{"an unknown key", `"deployment":`, `"deployed":`, "unknown field"},
		{"an unknown key further in", `"decimals":6`, `"decimal":6`, "unknown field"},
		{"a key twice", `"deployment":`, `"deployment": "a", "deployment":`, "repeated"},
		{"text behind the end", "]\n}\n", "]\n}\n{}", "well-formed"},
		{"a bad checksum", "0xA0b86991", "0xa0b86991", "checksum"},
		{"a router of zeros", target, "0x0000000000000000000000000000000000000000", "zero address"},
		{"a token twice", `    {"token":"USDC@1",`, `    {"token":"ETH@1","address":"` + target + `","decimals":18},` + "\n" + `    {"token":"USDC@1",`, "listed twice"},
		{"a token without decimals", `"decimals":6`, `"decimals":0`, "impossible"},
		{"a token with too many decimals", `"decimals":6`, `"decimals":37`, "impossible"},
		{"a token of zeros", "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "0x0000000000000000000000000000000000000000", "impossible"},
		{"a token at a privacy pool", `{"token":"USDC@1",`, `{"token":"USDC@69696969",`, "name the network"},
		{"a token that is none", `{"token":"USDC@1",`, `{"token":"usdc@1",`, "not of the form"},
		{"a token without its chain", `{"token":"USDC@1",`, `{"token":"USDC",`, "not of the form"},
		{"a router for nothing listed", `{"from":"USDC@1","type"`, `{"from":"USDX@1","type"`, "not listed"},
		{"a router twice", `{"from":"USDT@1","type"`, `{"from":"USDC@1","type"`, "listed twice"},
		{"a router of another type", `"type":"DIRECT"`, `"type":"BRIDGE"`, "neither DIRECT nor CCTP_INBOUND"},
		{"a pool with the issuer's fee", `"type":"CCTP_INBOUND"`, `"type":"DIRECT"`, "does not fit the rest"},
		{"a burn without a receiver", source(t, 10).Burn.Receiver.String(), "0x0000000000000000000000000000000000000000", "needs issuerBps and a receiver"},
		{"a burn without the issuer's fee", `,"issuerBps":["1.3","1.3"]`, ``, "needs issuerBps"},
		{"an issuer's fee that is none", `["1.3","1.3"]`, `["1.3","x"]`, "basis points"},
		{"an issuer's fee upside down", `["1.3","1.3"]`, `["1.3","1.2"]`, "not a range"},
		{"limits upside down", `"min":"10000000"`, `"min":"100000000000"`, "not a range"},
		{"limits that are none", `"min":"10000000"`, `"min":""`, "not a range"},
		{"a largest amount that is none", `"max":"25000000000"`, `"max":"x"`, "not a range"},
		{"a route without a router", `{"from":"USDC@1","to":"USDC@369"`, `{"from":"USDX@1","to":"USDC@369"`, "no router takes"},
		{"a route to nowhere", `{"from":"USDC@1","to":"USDC@369"`, `{"from":"USDC@1","to":"USDX@369"`, "not listed"},
		{"a route twice", `{"from":"USDC@369","to":"USDC@1",`, `{"from":"USDC@369","to":"USDC@8453",`, "listed twice"},
		{"a route whose fees are nowhere", `"feeChain":369`, `"feeChain":0`, "impossible"},
		{"no routes", text[strings.Index(text, `"routes": [`):], `"routes": []}`, "there are no routes"},
		{"a route for nothing", `"feeChain":369,"millionths":3000`, `"feeChain":369,"millionths":0`, "impossible"},
		{"a route for all of it", `"feeChain":369,"millionths":3000`, `"feeChain":369,"millionths":10001`, "impossible"},
		{"partners without a limit", `"maxMillionths":10000`, `"maxMillionths":10001`, "over the maximum"},
		{"a partner over the limit", `"known":[]`, `"known":[{"id":"` + partnerID + `","millionths":10001}]`, "more than maxMillionths"},
		{"a partner twice", `"known":[]`, `"known":[{"id":"` + partnerID + `","millionths":1},{"id":"` + partnerWallet + `","millionths":2}]`, "listed twice"},
		{"a partner that is none", `"known":[]`, `"known":[{"id":"0x12","millionths":1}]`, "not an integrator ID"},
		{"a partner with more to say", `"known":[]`, `"known":[{"id":"` + partnerID + `","millionths":1,"x":1}]`, "unknown field"},
		{"nothing", text, "{}", "the format is not"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			mutant := strings.Replace(text, tt.old, tt.new, 1)
			if mutant == text {
				t.Fatal("nothing was changed")
			}
			if _, err := parse(mutant); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("parse: %v, want an error that says %q", err, tt.says)
			}
		})
	}
}

func TestPinsAtTheirLimits(t *testing.T) {
	text := embeddedText(t)
	tests := []struct{ name, old, new string }{
		{"a token with as many decimals as an amount can have", `"decimals":6`, `"decimals":36`},
		{"limits of one amount", `"min":"10000000"`, `"min":"25000000000"`},
		{"a route at the highest rate", `"feeChain":369,"millionths":3000`, `"feeChain":369,"millionths":10000`},
		{"partners that take nothing", `"maxMillionths":10000`, `"maxMillionths":0`},
		{"a partner at the limit", `"known":[]`, `"known":[{"id":"` + partnerID + `","millionths":10000}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := parse(strings.Replace(text, tt.old, tt.new, 1)); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTokensAreFoundByName(t *testing.T) {
	pins, err := parse(embeddedText(t))
	if err != nil {
		t.Fatal(err)
	}
	for at, decimals := range map[string]uint8{"USDC@369": 6, "usdc@56": 18, "ETH@1": 18, "WETH@96969696": 18, "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE@4663": 18} {
		if _, token, err := pins.Token(at); err != nil || token.Decimals != decimals {
			t.Errorf("Token(%q) = %v, %v; want %d decimals", at, token, err, decimals)
		}
	}
	for _, at := range []string{"", "USDC", "USDC@", "@369", "USDC@0369", "DAI@369", "USDC@4663", "0x12@1"} {
		if _, token, err := pins.Token(at); err == nil {
			t.Errorf("Token(%q) = %v, want an error", at, token)
		}
	}
}

// A request takes the route of its pair, by symbols or addresses, for an amount
// within the limits.
func TestRoute(t *testing.T) {
	pins, err := parse(embeddedText(t))
	if err != nil {
		t.Fatal(err)
	}
	usdc, address := swap.TokenName{Symbol: "USDC"}, swap.TokenName{Address: source(t, 369).SrcToken.Address}
	tests := []struct {
		name     string
		src      swap.TokenName
		dstChain swap.PlaceID
		amount   uint64
		code     swap.Code // empty for a route
	}{
		{"by symbol", usdc, 8453, 25_500_000, ""},
		{"by address", address, 8453, 25_500_000, ""},
		{"the smallest amount", usdc, 8453, 10_000_000, ""},
		{"the largest amount", usdc, 8453, 25_000_000_000, ""},
		{"a unit too little", usdc, 8453, 9_999_999, swap.AmountTooLow},
		{"a unit too much", usdc, 8453, 25_000_000_001, swap.AmountTooHigh},
		{"a pair that is not pinned", usdc, 4663, 25_500_000, swap.PairUnsupported},
		{"a token that is not pinned", swap.TokenName{Symbol: "DAI"}, 8453, 25_500_000, swap.PairUnsupported},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := swap.Request{SrcChain: 369, SrcToken: tt.src, DstChain: tt.dstChain, DstToken: usdc}
			r.Amount.SetUint64(tt.amount)
			route, err := pins.Route(r)
			if tt.code == "" && (err != nil || route.Dst.ID != tt.dstChain) || tt.code != "" && swap.CodeOf(err) != tt.code {
				t.Errorf("Route = %v, %v; want code %q", route, err, tt.code)
			}
		})
	}
}

func TestIntegrator(t *testing.T) {
	pins, err := parse(strings.Replace(embeddedText(t), `"known":[]`, `"known":[{"id":"`+partnerWallet+`","millionths":2500}]`, 1))
	if err != nil {
		t.Fatal(err)
	}
	id := swap.IntegratorIDOf(swap.MustAddress(partnerWallet))
	if rate, known := pins.Integrator(id); rate != 2_500 || !known {
		t.Errorf("Integrator = %d, %t; want 2500, pinned", rate, known)
	}
	if rate, known := pins.Integrator(swap.IntegratorID{31: 1}); rate != 10_000 || known {
		t.Errorf("Integrator = %d, %t; want at most 10000", rate, known)
	}
}

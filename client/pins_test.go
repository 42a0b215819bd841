package client_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/client"
	"hubquote/internal/fee"
	"hubquote/swap"
)

func newPins(t *testing.T, a client.Allowances) *client.Pins {
	t.Helper()
	p, err := client.NewPins(embedded(t), a)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func issuerRate(t *testing.T, bps string) swap.IssuerRate {
	t.Helper()
	r, err := swap.ParseIssuerRate(bps)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A file says all that pins know: what is read from it accepts what the
// catalog's own pins accept, and is written the same.
func TestPinsSurviveTheirFile(t *testing.T) {
	written := newPins(t, client.Allowances{IssuerMax: issuerRate(t, "14"), Integrators: []swap.Integrator{partner}})
	name := filepath.Join(t.TempDir(), "pins.json")
	if err := os.WriteFile(name, written.Text(), 0o644); err != nil {
		t.Fatal(err)
	}
	read, err := client.ReadPins(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(written.Text()), string(read.Text())); diff != "" {
		t.Errorf("pins (-written +read):\n%s", diff)
	}
	if read.Catalog() != embedded(t).Digest() || read.Deployment() != embedded(t).Deployment() {
		t.Errorf("pins of %s, %s; want those of the catalog", read.Deployment(), read.Catalog())
	}
	for _, e := range exchanges(t) {
		if _, err := client.Verify(e.request, e.answer, read); err != nil {
			t.Errorf("%s: %v", e.name, err)
		}
	}
}

func TestPinsAreReadStrictly(t *testing.T) {
	text := string(embeddedPins(t).Text())
	target := other(t, "USDC", 369).Target.String()
	tests := []struct{ name, old, new, says string }{
		{"another format", "hubquote-pins/1", "hubquote-pins/2", "the format is not"},
		{"an unknown key", `"deployment":`, `"deployed":`, "unknown field"},
		{"an unknown key further in", `"decimals":6`, `"decimal":6`, "unknown field"},
		{"a key twice", `"deployment":`, `"deployment": "a", "deployment":`, "twice"},
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
		{"a burn without a receiver", other(t, "USDC", 10).Burn.Receiver.String(), "0x0000000000000000000000000000000000000000", "needs issuerBps and a receiver"},
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
		{"a partner over the limit", `"known":[]`, `"known":[{"id":"` + partner.ID.String() + `","millionths":10001}]`, "more than maxMillionths"},
		{"a partner that is none", `"known":[]`, `"known":[{"id":"0x12","millionths":1}]`, "not an integrator ID"},
		{"a partner with more to say", `"known":[]`, `"known":[{"id":"` + partner.ID.String() + `","millionths":1,"x":1}]`, "unknown field"},
		{"nothing", text, "{}", "the format is not"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			mutant := strings.Replace(text, tt.old, tt.new, 1)
			if mutant == text {
				t.Fatal("nothing was changed")
			}
			if _, err := client.ParsePins([]byte(mutant)); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("ParsePins: %v, want an error that says %q", err, tt.says)
			}
		})
	}
}

func TestPinsAllowWhatIsJustPossible(t *testing.T) {
	text := string(embeddedPins(t).Text())
	tests := []struct{ name, old, new string }{
		{"a token with as many decimals as an amount can have", `"decimals":6`, `"decimals":36`},
		{"limits of one amount", `"min":"10000000"`, `"min":"25000000000"`},
		{"a route at the highest rate", `"feeChain":369,"millionths":3000`, `"feeChain":369,"millionths":10000`},
		{"partners for nothing", `"maxMillionths":10000`, `"maxMillionths":0`},
		{"a partner at the limit", `"known":[]`, `"known":[{"id":"` + partner.ID.String() + `","millionths":10000}]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := client.ParsePins([]byte(strings.Replace(text, tt.old, tt.new, 1))); err != nil {
				t.Error(err)
			}
		})
	}
}

// A burn may offer the issuer what its rate comes to, for a rate in the pins.
func TestWhatTheIssuerMayCharge(t *testing.T) {
	tests := []struct {
		name, max, rate string
		want            string // if it is refused, what it should be
	}{
		{"what it publishes", "", "1.3", ""},
		{"more than it publishes", "", "1.4", "3978"},
		{"less than it publishes", "", "1.2", "3978"},
		{"up to an allowance", "14", "14", ""},
		{"anything below an allowance", "14", "0", ""},
		{"more than an allowance", "14", "14.1", "between 0 and 42840"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var a client.Allowances
			if tt.max != "" {
				a.IssuerMax = issuerRate(t, tt.max)
			}
			r := request(t, burn)
			answer := plot(t, r, func(s *scheme) {
				var err error
				if s.deposit.MaxFee, err = fee.MaxBurnFee(&r.Amount, issuerRate(t, tt.rate)); err != nil {
					t.Fatal(err)
				}
			})
			_, err := client.Verify(r, answer, newPins(t, a))
			m, _ := errors.AsType[*client.Mismatch](err)
			if tt.want == "" && err != nil || tt.want != "" && (m == nil || m.Field != "methodParameters.calldata.maxFee" || m.Want != tt.want) {
				t.Errorf("Verify: %v, want it to be %q", err, tt.want)
			}
		})
	}
}

// A partner whose rate is pinned takes exactly that.
func TestAPinnedPartnerTakesItsRate(t *testing.T) {
	pins := newPins(t, client.Allowances{Integrators: []swap.Integrator{partner}})
	r := request(t, outbound+"&integratorId="+partner.ID.String())
	for rate, want := range map[swap.Rate]bool{partner.Rate: true, partner.Rate - 1: false, partner.Rate + 1: false} {
		answer := plot(t, r, func(s *scheme) { s.partner.Rate = rate })
		if _, err := client.Verify(r, answer, pins); (err == nil) != want {
			t.Errorf("a rate of %d: %v, want it accepted: %t", rate, err, want)
		}
	}
}

func TestTokensAreFoundByName(t *testing.T) {
	pins := embeddedPins(t)
	for at, decimals := range map[string]uint8{"USDC@369": 6, "usdc@56": 18, "ETH@1": 18, "WETH@96969696": 18, "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE@4663": 18} {
		if _, token, err := pins.Token(at); err != nil || token.Decimals != decimals {
			t.Errorf("Token(%q) = %v, %v; want %d decimals", at, token, err, decimals)
		}
	}
	for _, at := range []string{"", "USDC", "USDC@", "@369", "USDC@0369", "DAI@369", "USDC@4663", "0x12@1"} {
		if _, token, err := pins.Token(at); err == nil {
			t.Errorf("Token(%q) = %v", at, token)
		}
	}
}

func TestVerifyNeedsPins(t *testing.T) {
	if _, err := client.Verify(swap.Request{}, nil, nil); err == nil {
		t.Error("Verify without pins is accepted")
	}
}

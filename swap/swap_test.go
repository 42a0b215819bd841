package swap_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"pgregory.net/rapid"

	"hubquote/swap"
)

// From the text of EIP-55.
var checksummed = []string{
	"0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
	"0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
	"0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
	"0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
	"0x52908400098527886E0F7030069857D2E4169EE7",
	"0xde709f2102306220921060314715629080e2fb77",
}

func TestParseAddress(t *testing.T) {
	for _, s := range checksummed {
		for _, spelling := range []string{s, strings.ToLower(s), "0x" + strings.ToUpper(s[2:])} {
			a, err := swap.ParseAddress(spelling)
			if err != nil || a.String() != s {
				t.Errorf("ParseAddress(%s) = %v, %v, want %s", spelling, a, err, s)
			}
		}
	}
}

func TestParseAddressRefuses(t *testing.T) {
	s := checksummed[0]
	for _, bad := range []string{"", "0x", s[2:], "0X" + s[2:], s[:41], s + "0", " " + s[1:], s[:41] + "g", s[:41] + " "} {
		if a, err := swap.ParseAddress(bad); err == nil {
			t.Errorf("ParseAddress(%q) = %v, want an error", bad, a)
		}
	}
	for i, c := range s {
		if c >= 'A' && c <= 'F' || c >= 'a' && c <= 'f' {
			flipped := s[:i] + string(c^0x20) + s[i+1:]
			if _, err := swap.ParseAddress(flipped); !errors.Is(err, swap.ErrChecksum) {
				t.Errorf("ParseAddress(%s): %v, want %v", flipped, err, swap.ErrChecksum)
			}
		}
	}
}

// Our checksum is go-ethereum's, for any address.
func TestAddressString(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := swap.Address(rapid.SliceOfN(rapid.Byte(), 20, 20).Draw(t, "address"))
		if got, want := a.String(), common.Address(a).Hex(); got != want {
			t.Errorf("String() = %s, want %s", got, want)
		}
		if b, err := swap.ParseAddress(a.String()); err != nil || b != a {
			t.Errorf("ParseAddress(%s) = %v, %v, want the same address", a, b, err)
		}
	})
}

func FuzzParseAddress(f *testing.F) {
	for _, s := range checksummed {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := swap.ParseAddress(s)
		if err != nil {
			return
		}
		body := s[2:]
		if s != a.String() && body != strings.ToLower(a.String()[2:]) && body != strings.ToUpper(a.String()[2:]) {
			t.Errorf("ParseAddress(%q) = %s, want an error: it is another spelling", s, a)
		}
	})
}

func TestParseUnits(t *testing.T) {
	tests := []struct {
		text     string
		decimals uint8
		want     string // empty for a refusal
	}{
		{"10", 6, "10000000"},
		{"25.5", 6, "25500000"},
		{"0.01", 18, "10000000000000000"},
		{"0.000001", 6, "1"},
		{"0", 6, "0"},
		{"1.3", 9, "1300000000"},
		{"0.10", 6, "100000"},
		{"00.10", 6, ""},
		{"007", 6, ""},
		{"0.0000001", 6, ""},
		{".5", 6, ""},
		{"5.", 6, ""},
		{"", 6, ""},
		{"-1", 6, ""},
		{"+1", 6, ""},
		{"1e3", 6, ""},
		{"1_000", 6, ""},
		{"1,5", 6, ""},
		{"1.2.3", 6, ""},
		{"0x10", 6, ""},
		{strings.Repeat("9", 78), 1, ""},
	}
	for _, tt := range tests {
		got, err := swap.ParseUnits(tt.text, tt.decimals)
		if (err != nil) != (tt.want == "") || err == nil && got.Dec() != tt.want {
			t.Errorf("ParseUnits(%q, %d) = %s, %v, want %q", tt.text, tt.decimals, got.Dec(), err, tt.want)
		}
	}
}

func TestFormatUnits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var a swap.Amount
		a.SetBytes(rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(t, "amount"))
		decimals := rapid.Uint8Range(0, 18).Draw(t, "decimals")
		text := swap.FormatUnits(&a, decimals)
		back, err := swap.ParseUnits(text, decimals)
		if err != nil || back != a {
			t.Errorf("FormatUnits(%s, %d) = %s, and ParseUnits of that = %s, %v; want the first amount", a.Dec(), decimals, text, back.Dec(), err)
		}
	})
}

func TestPercent(t *testing.T) {
	for rate, want := range map[swap.Rate]string{3_000: "0.3", 5_000: "0.5", 2_500: "0.25", 0: "0", 10_000: "1", 1: "0.0001"} {
		if got := rate.Percent(); got != want {
			t.Errorf("Rate(%d).Percent() = %s, want %s", rate, got, want)
		}
		if back, err := swap.ParsePercent(want); err != nil || back != rate {
			t.Errorf("ParsePercent(%s) = %d, %v, want %d", want, back, err, rate)
		}
	}
	for _, bad := range []string{"", "-1", "100.0001", "0.00001", "1e1", "18446744073709551616"} {
		if _, err := swap.ParsePercent(bad); err == nil {
			t.Errorf("ParsePercent(%q) = nil error, want one", bad)
		}
	}
}

func TestParseIssuerRate(t *testing.T) {
	for text, want := range map[string]swap.IssuerRate{"0": 0, "1": 1_000_000_000, "1.3": 1_300_000_000, "14": 14_000_000_000, "100": 100_000_000_000} {
		if got, err := swap.ParseIssuerRate(text); err != nil || got != want {
			t.Errorf("ParseIssuerRate(%s) = %d, %v, want %d", text, got, err, want)
		}
		if got := want.String(); got != text {
			t.Errorf("IssuerRate(%d).String() = %s, want %s", uint64(want), got, text)
		}
	}
	for _, bad := range []string{"", "-1", "100.000000001", "1e9", "NaN", "1.0000000001", "1000000"} {
		if got, err := swap.ParseIssuerRate(bad); err == nil {
			t.Errorf("ParseIssuerRate(%q) = %d, want an error", bad, got)
		}
	}
}

func TestParseTokenName(t *testing.T) {
	tests := []struct {
		text string
		want swap.TokenName
	}{
		{"usdc", swap.TokenName{Symbol: "USDC"}},
		{"USD1", swap.TokenName{Symbol: "USD1"}},
		{"ETH", swap.TokenName{Symbol: "ETH"}},
		{"0x0000000000000000000000000000000000000000", swap.TokenName{Address: swap.Native}},
		{swap.Native.String(), swap.TokenName{Address: swap.Native}},
		{strings.ToLower(swap.Native.String()), swap.TokenName{Address: swap.Native}},
		{checksummed[0], swap.TokenName{Address: swap.MustAddress(checksummed[0])}},
	}
	for _, tt := range tests {
		if got, err := swap.ParseTokenName(tt.text); err != nil || got != tt.want {
			t.Errorf("ParseTokenName(%s) = %v, %v, want %v", tt.text, got, err, tt.want)
		}
	}
	for _, bad := range []string{"", "US DC", "USD₮", "ABCDEFGHIJKL", "0x12345678901"} {
		if got, err := swap.ParseTokenName(bad); err == nil {
			t.Errorf("ParseTokenName(%q) = %v, want an error", bad, got)
		}
	}
}

func TestParseIntegratorID(t *testing.T) {
	wallet := swap.MustAddress(checksummed[0])
	want := swap.IntegratorIDOf(wallet)
	for _, text := range []string{checksummed[0], strings.ToLower(checksummed[0]), want.String(), "0x" + strings.Repeat("0", 24) + checksummed[0][2:]} {
		if got, err := swap.ParseIntegratorID(text); err != nil || got != want {
			t.Errorf("ParseIntegratorID(%s) = %v, %v, want %v", text, got, err, want)
		}
	}
}

func FuzzParseIntegratorID(f *testing.F) {
	f.Add(checksummed[0])
	f.Add(swap.IntegratorIDOf(swap.MustAddress(checksummed[1])).String())
	f.Fuzz(func(t *testing.T, s string) {
		id, err := swap.ParseIntegratorID(s)
		if err != nil {
			return
		}
		if id.IsZero() || [12]byte(id[:12]) != [12]byte{} || !strings.HasSuffix(strings.ToLower(s), fmt.Sprintf("%x", id[12:])) {
			t.Errorf("ParseIntegratorID(%q) = %s, want an error: it is another spelling", s, id)
		}
	})
}

func FuzzParseAmount(f *testing.F) {
	for _, s := range []string{"1", "0", "01", "+1", "115792089237316195423570985008687907853269984665640564039457584007913129639936"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if a, err := swap.ParseAmount(s); err == nil && (a.Dec() != s || a.IsZero()) {
			t.Errorf("ParseAmount(%q) = %s, want an error: it is another spelling", s, a.Dec())
		}
	})
}

func TestErrorsKeepOneProblemPerParameter(t *testing.T) {
	var es swap.Errors
	es.Add(&swap.Error{Code: swap.AmountInvalid, Param: "amount"})
	if err := es.Join(swap.Errors{{Code: swap.ParamMissing, Param: "amount"}, {Code: swap.ParamMissing, Param: "srcChain"}}); err != nil {
		t.Fatal(err)
	}
	if len(es) != 2 || es[0].Code != swap.AmountInvalid || es[1].Param != "srcChain" {
		t.Errorf("problems = %v, want the first of amount, and that of srcChain", es)
	}
	foreign := errors.New("disk full")
	if err := es.Join(foreign); err != foreign {
		t.Errorf("Join(%v) = %v, want the error itself", foreign, err)
	}
	if swap.CodeOf(foreign) != swap.Internal || swap.CodeOf(fmt.Errorf("asking: %w", es)) != swap.AmountInvalid {
		t.Errorf("CodeOf = %s and %s, want %s and %s", swap.CodeOf(foreign), swap.CodeOf(es), swap.Internal, swap.AmountInvalid)
	}
}

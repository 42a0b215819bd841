package caps_test

import (
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"hubquote/internal/deployment/caps"
	"hubquote/internal/deployment/lane"
	"hubquote/test/reference"
)

var bigs = cmp.Comparer(func(a, b *big.Int) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 })

func TestReferenceIsAccepted(t *testing.T) {
	lanes := reference.Lanes(t)
	if err := caps.Reference(lanes).Check(lanes); err != nil {
		t.Error(err)
	}
}

func TestFileIsReadAsItWasWritten(t *testing.T) {
	lanes := reference.Lanes(t)
	want := caps.Reference(lanes)
	var text strings.Builder
	if err := want.Write(&text, lanes); err != nil {
		t.Fatal(err)
	}
	got, err := caps.Parse(text.String(), lanes)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, bigs); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"a contract that no route needs", `["DAI@10"]`, "DAI@10 is no contract"},
		{"an unknown kind", "[\"DAI@56\"]\ndaily = \"1\"", "DAI@56\".daily"},
		{"a fraction of the smallest unit", "[\"USDC@1\"]\nrefunds = \"0.1234567\"", "0.1234567"},
		{"a number that is no text", "[\"USDC@1\"]\nrefunds = 5", "caps"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if _, err := caps.Parse(tt.text, reference.Lanes(t)); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one about %q", err, tt.want)
			}
		})
	}
}

// usdc is so many whole tokens of six decimals.
func usdc(n int64) *big.Int { return new(big.Int).Mul(big.NewInt(n), big.NewInt(1_000_000)) }

func TestCheckRefuses(t *testing.T) {
	const largest = 25_000
	change := func(name string, do func(*caps.Caps)) func(caps.Table) {
		return func(table caps.Table) {
			c := table[name]
			do(&c)
			table[name] = c
		}
	}
	tests := []struct {
		name   string
		change func(caps.Table)
		want   string
	}{
		{"a contract without caps", func(t caps.Table) { delete(t, "DAI@56") }, "DAI@56: give its caps"},
		{"caps without a contract", func(t caps.Table) { t["DAI@10"] = caps.Caps{} }, "DAI@10 is no contract"},
		{"a cap left out", change("USDC@1", func(c *caps.Caps) { c.Treasury = nil }), "give a cap for treasury"},
		{"a treasury that moves nothing", change("USDC@1", func(c *caps.Caps) { c.Treasury = new(big.Int) }), "treasury is 0"},
		{"payments that the receiver does not make", change("receiver", func(c *caps.Caps) { c.Payments = usdc(1) }), "pays nothing"},
		{"more than 96 bits", change("USDC@1", func(c *caps.Caps) { c.Payments = new(big.Int).Lsh(big.NewInt(1), 96) }), "96 bits"},
		{"payments below two largest orders", change("USDC@1", func(c *caps.Caps) { c.Payments = usdc(2*largest - 1) }), "payments is"},
		{"refunds below two largest orders", change("USDC@1", func(c *caps.Caps) { c.Refunds = usdc(2*largest - 1) }), "refunds is"},
		{"releases below two largest orders", change("USDC@1", func(c *caps.Caps) { c.Releases = usdc(2*largest - 1) }), "releases is"},
		{"a source below two largest orders", func(t caps.Table) { t["USDC@1"].Sources["USDC@369"] = usdc(2*largest - 1) }, "payments for USDC@369"},
		{"a source left out", func(t caps.Table) { delete(t["USDC@1"].Sources, "USDC@369") }, "give a cap for payments for USDC@369"},
		{"a source that is none", func(t caps.Table) { t["USDC@1"].Sources["USDT@1"] = usdc(2 * largest) }, "pays no orders of USDT@1"},
		{"releases below twice what the payers pay", func(t caps.Table) { t["USDC@369"].Sources["USDC@1"] = usdc(400*largest + 1) },
			"USDC@1: the cap for releases is"},
		{"the same with other decimals", func(t caps.Table) {
			s := t["USDC@56"].Sources["USDC@369"]
			s.Add(s, big.NewInt(1)) // a fraction of a unit there is one here
		}, "USDC@369: the cap for releases is"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			lanes := reference.Lanes(t)
			table := caps.Reference(lanes)
			tt.change(table)
			if err := table.Check(lanes); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one about %q", err, tt.want)
			}
		})
	}
}

// A pool that pays for the receiver pays for each network that is burned on.
func TestReceiverReleasesForEveryNetwork(t *testing.T) {
	lanes := reference.Lanes(t)
	table := caps.Reference(lanes)
	networks := 0
	for _, l := range lanes {
		if l.From == lane.Receiver {
			networks++
		}
	}
	want := new(big.Int).Mul(table["USDC@369"].Sources[lane.Receiver], big.NewInt(int64(2*networks)))
	if got := table[lane.Receiver].Releases; networks != 16 || got.Cmp(want) != 0 {
		t.Errorf("%d networks and releases of %s, want 16 and %s", networks, got, want)
	}
}

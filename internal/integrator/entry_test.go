package integrator_test

import (
	"errors"
	"strings"
	"testing"

	"hubquote/internal/integrator"
	"hubquote/internal/upstream"
	"hubquote/swap"
	"hubquote/test/fake"
)

// The selector was printed by `cast sig 'integrators(bytes32)'`.
func TestCallFor(t *testing.T) {
	const want = "0x00bc02a2000000000000000000000000000000000000000000000000000000000000b0b0"
	if got := integrator.CallFor(partner); got != want {
		t.Errorf("CallFor = %s, want %s", got, want)
	}
}

func TestParseEntry(t *testing.T) {
	zero := strings.Repeat("0", 64)
	word := func(tail string) string { return zero[len(tail):] + tail }
	addr := word(strings.ToLower(wallet.String()[2:]))
	tests := []struct {
		name   string
		answer string
		fault  error // nil if it is an entry
	}{
		{"a partner", "0x" + addr + word("9c4") + word("1"), nil},
		{"a partner that is switched off", "0x" + addr + word("9c4") + zero, nil},
		{"a partner with a zero rate", "0x" + addr + zero + word("1"), nil},
		{"the highest rate", "0x" + addr + word("2710") + word("1"), nil},
		{"an ID that is not registered", "0x" + zero + zero + zero, nil},
		{"no code at the address", "0x", integrator.NoContract},
		{"an empty string", "", upstream.Malformed},
		{"no prefix", addr + word("9c4") + word("1"), upstream.Malformed},
		{"a word too few", "0x" + addr + word("9c4"), upstream.Malformed},
		{"a word too many", "0x" + addr + word("9c4") + word("1") + zero, upstream.Malformed},
		{"half a byte", "0x" + addr + word("9c4") + word("1")[1:], upstream.Malformed},
		{"not hexadecimal", "0x" + addr + word("9c4") + word("g"), upstream.Malformed},
		{"a wallet of 21 bytes", "0x" + zero[:22] + "01" + addr[24:] + word("9c4") + word("1"), integrator.BadEntry},
		{"a rate one above the highest", "0x" + addr + word("2711") + word("1"), integrator.BadEntry},
		{"a rate beyond 32 bits", "0x" + addr + word("1000009c4") + word("1"), integrator.BadEntry},
		{"active is two", "0x" + addr + word("9c4") + word("2"), integrator.BadEntry},
		{"active in the wrong byte", "0x" + addr + word("9c4") + word("100"), integrator.BadEntry},
		{"active without a wallet", "0x" + zero + zero + word("1"), integrator.BadEntry},
		{"a rate without a wallet", "0x" + zero + word("9c4") + zero, integrator.BadEntry},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, r, a, err := integrator.ParseEntry(tt.answer)
			if !errors.Is(err, tt.fault) {
				t.Fatalf("error = %v, want %v", err, tt.fault)
			}
			if err != nil && (w != swap.Address{} || r != 0 || a) {
				t.Errorf("entry = %v %d %t with an error, want none", w, r, a)
			}
		})
	}
}

// FuzzParseEntry checks that each entry has one spelling, apart from the case of
// its digits.
func FuzzParseEntry(f *testing.F) {
	f.Add(fake.EntryOf(wallet, 2_500, 1))
	f.Add(fake.EntryOf(swap.Address{}, 0, 0))
	f.Add(fake.EntryOf(wallet, 50_001, 1))
	f.Add(fake.EntryOf(wallet, 1, 2))
	f.Add("0x")
	f.Add("")
	f.Fuzz(func(t *testing.T, answer string) {
		w, r, a, err := integrator.ParseEntry(answer)
		if err != nil {
			return
		}
		active := byte(0)
		if a {
			active = 1
		}
		if back := fake.EntryOf(w, uint32(r), active); back != strings.ToLower(answer) {
			t.Errorf("entry encoded again = %s, want %s", back, answer)
		}
		if r > swap.MaxRate || w.IsZero() && (a || r != 0) {
			t.Errorf("ParseEntry(%s) has no error, want one", answer)
		}
	})
}

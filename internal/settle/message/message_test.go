package message_test

import (
	"bytes"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"hubquote/internal/settle/message"
	"hubquote/swap"
)

// signed is a message in the issuer's layout, written by hand: no two fields are
// equal.
var signed = strings.Join([]string{
	"00000001", "00000003", "00000006", // version, source, destination
	word("a1"), word("a2"), word("a3"), word("a4"), // nonce, sender, recipient, caller
	"000003e8", "000007d0", // finality asked for, finality executed
	"00000001", word("b1"), word("b2"), word("b3"), word("b4"), word("b5"), word("b6"), word("b7"),
	"c0ffee",
}, "")

func word(end string) string { return strings.Repeat("00", 31) + end }

func decode(t testing.TB, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFields(t *testing.T) {
	m, err := message.Parse(decode(t, signed))
	if err != nil {
		t.Fatal(err)
	}
	last := func(w message.Word) byte { return w[31] }
	low := func(n swap.Amount) byte { return byte(n.Uint64()) }
	for _, tt := range []struct {
		name      string
		got, want byte
	}{
		{"source", byte(m.Source()), 3},
		{"destination", byte(m.Destination()), 6},
		{"nonce", last(m.Nonce()), 0xa1},
		{"from", last(m.From()), 0xa2},
		{"to", last(m.To()), 0xa3},
		{"caller", last(m.Caller()), 0xa4},
		{"token", last(m.Token()), 0xb1},
		{"mint to", last(m.MintTo()), 0xb2},
		{"amount", low(m.Amount()), 0xb3},
		{"sender", last(m.Sender()), 0xb4},
		{"maximum fee", low(m.MaxFee()), 0xb5},
		{"fee", low(m.Fee()), 0xb6},
		{"expires", byte(m.Expires()), 0xb7},
	} {
		if tt.got != tt.want {
			t.Errorf("%s = %x, want %x", tt.name, tt.got, tt.want)
		}
	}
	if got := hex.EncodeToString(m.Hook()); got != "c0ffee" {
		t.Errorf("hook = %s, want c0ffee", got)
	}
	if !m.Fast() {
		t.Error("a threshold of 1000 is not fast, want fast")
	}
}

func TestMasked(t *testing.T) {
	want := strings.Join([]string{
		"00000001", "00000003", "00000006", word("00"), word("a2"), word("a3"), word("a4"), "000003e8", "00000000",
		"00000001", word("b1"), word("b2"), word("b3"), word("b4"), word("b5"), word("00"), word("00"), "c0ffee",
	}, "")
	m := message.Message(decode(t, signed))
	if got := hex.EncodeToString(m.Masked()); got != want {
		t.Errorf("Masked = %s, want %s", got, want)
	}
	if hex.EncodeToString(m) != signed {
		t.Errorf("message after Masked = %x, want it unchanged", []byte(m))
	}
	for i := range m {
		other := message.Message(bytes.Clone(m))
		other[i] ^= 1
		filled := i >= 12 && i < 44 || i >= 144 && i < 148 || i >= 312 && i < 376
		if got := m.SameBurn(other); got != filled {
			t.Errorf("with another byte at %d SameBurn = %v, want %v", i, got, filled)
		}
	}
}

func TestWhatIsNoBurn(t *testing.T) {
	with := func(at int, b byte) []byte {
		m := decode(t, signed)
		m[at] = b
		return m
	}
	for _, tt := range []struct {
		name string
		data []byte
	}{
		{"empty", nil},
		{"shorter than a burn", decode(t, signed)[:375]},
		{"longer than the issuer allows", append(decode(t, signed), make([]byte, message.MaxLength)...)},
		{"the first version of the header", with(3, 0)},
		{"another version of the body", with(151, 2)},
	} {
		if m, err := message.Parse(tt.data); err == nil {
			t.Errorf("%s: Parse = %x, want an error", tt.name, m)
		}
	}
	if _, err := message.Parse(decode(t, signed)[:376]); err != nil {
		t.Errorf("a burn without a hook: %v, want it accepted", err)
	}
}

func TestAddress(t *testing.T) {
	a := swap.MustAddress("0x1111111111111111111111111111111111111111")
	if got, ok := message.WordOf(a).Address(); !ok || got != a {
		t.Errorf("Address = %v, %v, want %v", got, ok, a)
	}
	long := message.WordOf(a)
	long[0] = 1
	if got, ok := long.Address(); ok || long.Low() != a {
		t.Errorf("a word with more than 20 bytes: Address = %v, want none; Low = %v, want %v", got, long.Low(), a)
	}
	if got, ok := (message.Word{}).Address(); ok {
		t.Errorf("zero: Address = %v, want none", got)
	}
}

func TestEndlessExpiryIsTheLastBlock(t *testing.T) {
	m := message.Message(decode(t, signed))
	m[344] = 1
	if got := m.Expires(); got != math.MaxInt64 {
		t.Errorf("Expires = %d, want %d", got, int64(math.MaxInt64))
	}
}

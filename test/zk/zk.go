// Package zk has the private addresses and notes that the wallet engine made,
// and writes addresses of its own, for tests.
package zk

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hubquote/swap"
)

// Addresses of wallets that the wallet engine made. Alice's are one wallet's: for
// all networks, and for one only.
const (
	Alice     = "0zk1qyk9nn28x0u3rwn5pknglda68wrn7gw6anjw8gg94mcj6eq5u48tlrv7j6fe3z53lama02nutwtcqc979wnce0qwly4y7w4rls5cq040g7z8eagshxrw5ajy990"
	AliceOn1  = "0zk1qyk9nn28x0u3rwn5pknglda68wrn7gw6anjw8gg94mcj6eq5u48t7unpd9kxwatwq9ma02nutwtcqc979wnce0qwly4y7w4rls5cq040g7z8eagshxrw56ltkfa"
	AliceOn56 = "0zk1qyk9nn28x0u3rwn5pknglda68wrn7gw6anjw8gg94mcj6eq5u48t7unpd9kxwatw8pma02nutwtcqc979wnce0qwly4y7w4rls5cq040g7z8eagshxrw50c4jtz"
	Mallory   = "0zk1qy4vtqslnmu4rcnx2e05zemc48f6vfxuzw3tj27hy8tus5d90umurrv7j6fe3z53lu7mp26w5pquds26nc7y0j79clzt8kutmd2xex0r7qfw2xka090q5e759j2"
)

// Hex is a byte string, written in hexadecimal digits in JSON.
type Hex []byte

func (b Hex) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(b)), nil }

func (b *Hex) UnmarshalText(text []byte) (err error) {
	*b, err = hex.DecodeString(string(text))
	return err
}

// A Vector is a note that the wallet engine made.
type Vector struct {
	Label             string
	Address           string
	MasterPublicKey   Hex
	ViewingPublicKey  Hex
	ViewingPrivateKey Hex
	Chain             *struct{ Type, ID uint64 }
	Random            Hex
	ShieldPrivateKey  Hex
	GCMIV             Hex `json:"gcmIv"`
	CTRIV             Hex `json:"ctrIv"`
	Note              Hex
}

// Randomness makes shield.Encrypt repeat the engine's note.
func (v Vector) Randomness() io.Reader {
	return bytes.NewReader(bytes.Join([][]byte{v.Random, v.ShieldPrivateKey, v.GCMIV, v.CTRIV}, nil))
}

// Proof is the proof of the note.
func (v Vector) Proof() swap.Proof {
	return swap.Proof{Random: [16]byte(v.Random), ShieldSeed: [32]byte(v.ShieldPrivateKey)}
}

// Vectors returns the notes.
func Vectors(tb testing.TB) []Vector {
	tb.Helper()
	return read[Vector](tb, "shield.json", 40)
}

// A Verdict is an address and what to do with it.
type Verdict struct {
	ID      string
	Address string
	Expect  string // accept, reject, or policy: the chain decides
	Code    string
}

// Verdicts returns addresses of which most are invalid.
func Verdicts(tb testing.TB) []Verdict {
	tb.Helper()
	return read[Verdict](tb, "shield-invalid.json", 40)
}

// read is told how many there are, so that a lost one is noticed.
func read[T any](tb testing.TB, name string, want int) []T {
	tb.Helper()
	path := filepath.Join(root(tb), "internal/shield/testdata", name)
	text, err := os.ReadFile(path)
	if err != nil {
		tb.Fatal(err)
	}
	var file struct {
		About   string
		Vectors []T
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&file); err != nil {
		tb.Fatalf("%s: %v", path, err)
	}
	if len(file.Vectors) != want {
		tb.Fatalf("%s has %d vectors, want %d", path, len(file.Vectors), want)
	}
	return file.Vectors
}

// root is the module's directory, above that of the test that runs.
func root(tb testing.TB) string {
	tb.Helper()
	dir, err := os.Getwd()
	if err != nil {
		tb.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			tb.Fatal("the test does not run inside the module")
		}
		dir = filepath.Dir(dir)
	}
}

// Parse reads an address that must be valid.
func Parse(tb testing.TB, s string) swap.PrivateAddress {
	tb.Helper()
	a, err := swap.ParsePrivateAddress(s)
	if err != nil {
		tb.Fatalf("ParsePrivateAddress(%q): %v", s, err)
	}
	return a
}

// Payload decodes an address that must be valid, with no code of the parser.
func Payload(tb testing.TB, s string) []byte {
	tb.Helper()
	Parse(tb, s)
	var bits, payload []byte
	for _, c := range []byte(strings.ToLower(s)[4 : len(s)-6]) {
		w := strings.IndexByte(alphabet, c)
		for i := 4; i >= 0; i-- {
			bits = append(bits, byte(w>>i&1))
		}
	}
	for ; len(bits) >= 8; bits = bits[8:] {
		var b byte
		for _, bit := range bits[:8] {
			b = b<<1 | bit
		}
		payload = append(payload, b)
	}
	return payload
}

const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

// The constants of the two checksums.
const (
	Bech32  = 1
	Bech32m = 0x2bc830a3
)

// Address writes the payload of an address as its text.
func Address(payload []byte) string { return Encode("0zk", payload, 0, Bech32m) }

// Encode writes bytes as bech32 or bech32m, after the text of BIP-173 and
// BIP-350: bit by bit, so that it shares nothing with the decoder it tests. The
// bits that fill up the last word are all pad.
func Encode(hrp string, payload []byte, pad byte, constant uint32) string {
	var bits []byte
	for _, b := range payload {
		for i := 7; i >= 0; i-- {
			bits = append(bits, b>>i&1)
		}
	}
	for len(bits)%5 != 0 {
		bits = append(bits, pad)
	}
	var words []byte
	for i := 0; i < len(bits); i += 5 {
		words = append(words, bits[i]<<4|bits[i+1]<<3|bits[i+2]<<2|bits[i+3]<<1|bits[i+4])
	}
	sum := polymod(append(append(expand(hrp), words...), make([]byte, 6)...)) ^ constant
	for i := 5; i >= 0; i-- {
		words = append(words, byte(sum>>(5*i)&31))
	}
	var text strings.Builder
	text.WriteString(hrp + "1")
	for _, w := range words {
		text.WriteByte(alphabet[w])
	}
	return text.String()
}

func expand(hrp string) (words []byte) {
	for _, c := range []byte(hrp) {
		words = append(words, c>>5)
	}
	words = append(words, 0)
	for _, c := range []byte(hrp) {
		words = append(words, c&31)
	}
	return words
}

func polymod(words []byte) uint32 {
	generator := []uint32{0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3}
	sum := uint32(1)
	for _, w := range words {
		top := sum >> 25
		sum = sum&0x1ffffff<<5 ^ uint32(w)
		for i, g := range generator {
			if top>>i&1 == 1 {
				sum ^= g
			}
		}
	}
	return sum
}

package shield_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"

	"hubquote/internal/shield"
	"hubquote/swap"
)

// A hexBytes is a byte string, written in hexadecimal digits in JSON.
type hexBytes []byte

func (b hexBytes) MarshalText() ([]byte, error) { return []byte(hex.EncodeToString(b)), nil }

func (b *hexBytes) UnmarshalText(text []byte) (err error) {
	*b, err = hex.DecodeString(string(text))
	return err
}

// A vector is a note that the wallet engine made.
type vector struct {
	Label             string
	Address           string
	MasterPublicKey   hexBytes
	ViewingPublicKey  hexBytes
	ViewingPrivateKey hexBytes
	Chain             *struct{ Type, ID uint64 }
	Random            hexBytes
	ShieldPrivateKey  hexBytes
	GCMIV             hexBytes `json:"gcmIv"`
	CTRIV             hexBytes `json:"ctrIv"`
	Note              hexBytes
}

// randomness is what makes [shield.Encrypt] repeat the engine's note.
func (v vector) randomness() io.Reader {
	return bytes.NewReader(bytes.Join([][]byte{v.Random, v.ShieldPrivateKey, v.GCMIV, v.CTRIV}, nil))
}

func (v vector) proof() swap.Proof {
	return swap.Proof{Random: [16]byte(v.Random), ShieldSeed: [32]byte(v.ShieldPrivateKey)}
}

func vectors(tb testing.TB) []vector {
	tb.Helper()
	return readVectors[vector](tb, "testdata/shield.json", 40)
}

// A verdict is an address and what to do with it.
type verdict struct {
	ID      string
	Address string
	Expect  string // accept, reject, or policy: the chain decides
	Code    string
}

func verdicts(tb testing.TB) []verdict {
	tb.Helper()
	return readVectors[verdict](tb, "testdata/shield-invalid.json", 40)
}

// readVectors wants to know how many there are, so that none gets lost unseen.
func readVectors[T any](tb testing.TB, path string, want int) []T {
	tb.Helper()
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

func parse(tb testing.TB, s string) shield.Address {
	tb.Helper()
	a, err := shield.Parse(s)
	if err != nil {
		tb.Fatalf("Parse(%q): %v", s, err)
	}
	return a
}

const (
	bech32  = 1
	bech32m = 0x2bc830a3
)

// encode writes bytes as bech32 or bech32m, after the text of BIP-173 and
// BIP-350: bit by bit, so that it shares nothing with the decoder it tests. The
// bits that fill up the last word are all pad.
func encode(hrp string, payload []byte, pad byte, constant uint32) string {
	const alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
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

package wire

import (
	"bytes"
	"encoding/hex"
	"testing"
)

// Every byte, at every place in a word and at every length, is written as
// encoding/hex writes it.
func TestHex(t *testing.T) {
	var all []byte
	for i := range 256 {
		all = append(all, byte(i), byte(255-i), byte(i*7))
	}
	for from := range 8 {
		for to := from; to < len(all); to++ {
			b := all[from:to]
			if got, want := appendHex([]byte("0x"), b), "0x"+hex.EncodeToString(b); string(got) != want {
				t.Fatalf("%x is written %s", b, got)
			}
		}
	}
}

func BenchmarkHex(b *testing.B) {
	call := bytes.Repeat([]byte{0, 0x5a}, 180)
	var dst []byte
	for b.Loop() {
		dst = appendHex(dst[:0], call)
	}
}

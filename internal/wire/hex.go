package wire

import (
	"encoding/binary"
	"slices"
)

// hexPairs are the two digits of every byte. Calldata is most of a quote, and
// writing it a byte at a time instead of a digit halves the time that takes.
var hexPairs = func() (pairs [256]uint16) {
	const digits = "0123456789abcdef"
	for i := range pairs {
		pairs[i] = binary.NativeEndian.Uint16([]byte{digits[i>>4], digits[i&0xf]})
	}
	return pairs
}()

// appendHex appends b in hexadecimal.
func appendHex(dst, b []byte) []byte {
	n := len(dst)
	dst = slices.Grow(dst, 2*len(b))[:n+2*len(b)]
	out := dst[n:]
	for _, c := range b {
		binary.NativeEndian.PutUint16(out, hexPairs[c])
		out = out[2:]
	}
	return dst
}

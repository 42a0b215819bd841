// Package point writes points of edwards25519 that were just read.
package point

import (
	"filippo.io/edwards25519"
	"filippo.io/edwards25519/field"
)

// Bytes returns the one valid encoding of p (RFC 8032, section 5.1.2), as p.Bytes
// does. A point that was read from bytes has Z = 1, and then there is nothing to
// divide by: the inversion would be most of the time.
func Bytes(p *edwards25519.Point) (b [32]byte) {
	x, y, z, _ := p.ExtendedCoordinates()
	if z.Equal(new(field.Element).One()) == 0 {
		return [32]byte(p.Bytes())
	}
	b = [32]byte(y.Bytes())
	b[31] |= byte(x.IsNegative() << 7)
	return b
}

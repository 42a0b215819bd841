// Package point writes points of edwards25519 that were just read, and reads them
// again in less time.
package point

import (
	"errors"

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

// X returns the x of p, for [At].
func X(p *edwards25519.Point) [32]byte {
	x, _, z, _ := p.ExtendedCoordinates()
	if z.Equal(new(field.Element).One()) == 0 {
		x.Multiply(x, z.Invert(z))
	}
	return [32]byte(x.Bytes())
}

// At sets p to the point with that encoding, whose x is known: what is left of
// reading it is to see that the two are on the curve, and no square root. The sign in
// the encoding is not looked at.
func At(p *edwards25519.Point, x, encoding [32]byte) error {
	encoding[31] &= 0x7f
	var ex, ey, et field.Element
	_, errX := ex.SetBytes(x[:])
	_, errY := ey.SetBytes(encoding[:])
	_, err := p.SetExtendedCoordinates(&ex, &ey, new(field.Element).One(), et.Multiply(&ex, &ey))
	return errors.Join(errX, errY, err)
}

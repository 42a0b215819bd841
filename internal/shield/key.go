package shield

import (
	"bytes"
	"crypto/sha256"
	"crypto/sha512"

	"filippo.io/edwards25519"

	"hubquote/swap"
)

// field is the modulus of the BN254 scalar field, big-endian. Public keys of
// wallets and notes are elements of it; the wallet engine silently reduces what
// is not, which would give one recipient many spellings.
const field = "\x30\x64\x4e\x72\xe1\x31\xa0\x29\xb8\x50\x45\xb6\x81\x81\x58\x5d" +
	"\x28\x33\xe8\x48\x79\xb9\x70\x91\x43\xe1\xf5\x93\xf0\x00\x00\x01"

func inField(b []byte) bool { return string(b) < field }

// viewingPoint decompresses a viewing public key and makes sure that what is
// encrypted to it can be read by its owner and nobody else.
func viewingPoint(key [32]byte) (p edwards25519.Point, err error) {
	if _, err := p.SetBytes(key[:]); err != nil {
		return p, refuse(swap.ZKViewingPoint, "the viewing key in this address is not a point of its curve, so no wallet could find the money: copy the address from the wallet again")
	}
	if !bytes.Equal(p.Bytes(), key[:]) {
		return p, refuse(swap.ZKNonCanonical, "the viewing key in this address is not in its one valid form: use the address that the wallet itself shows")
	}
	var q edwards25519.Point
	if q.MultByCofactor(&p).Equal(edwards25519.NewIdentityPoint()) == 1 {
		return p, refuse(swap.ZKSmallOrder, "anybody could read what is encrypted to the viewing key in this address: use the address that the wallet itself shows")
	}
	if !torsionFree(&p) {
		return p, refuse(swap.ZKTorsion, "the wallet could not read what is encrypted to the viewing key in this address: use the address that the wallet itself shows")
	}
	return p, nil
}

// torsionFree reports whether p is a multiple of the base point, that is
// whether [l]p is the identity. Wallets reduce their scalars modulo l and so do
// not clear the cofactor: with any torsion in p, sender and recipient would
// agree on different keys.
//
// Scalars are integers below l, so it computes [l-1]p, which must be -p. The
// time that takes depends on no secret: p is half of an address, and l is l.
func torsionFree(p *edwards25519.Point) bool {
	one, _ := edwards25519.NewScalar().SetCanonicalBytes(append([]byte{1}, make([]byte, 31)...))
	last := edwards25519.NewScalar().Negate(one)
	var q, minus edwards25519.Point
	q.VarTimeDoubleScalarBaseMult(last, p, edwards25519.NewScalar())
	return q.Equal(minus.Negate(p)) == 1
}

// secretScalar is the private scalar of an ed25519 seed (RFC 8032), reduced
// modulo l as wallets do.
func secretScalar(seed [32]byte) *edwards25519.Scalar {
	h := sha512.Sum512(seed[:])
	defer clear(h[:])
	s, _ := edwards25519.NewScalar().SetBytesWithClamping(h[:32]) // fails for other lengths only
	return s
}

func publicKey(secret *edwards25519.Scalar) []byte {
	return new(edwards25519.Point).ScalarBaseMult(secret).Bytes()
}

// sharedKey is what sender and recipient agree on, each with the own secret and
// the other's public key. The product stays in Edwards form: this is not X25519.
func sharedKey(secret *edwards25519.Scalar, public *edwards25519.Point) [32]byte {
	product := new(edwards25519.Point).ScalarMult(secret, public).Bytes()
	defer clear(product)
	return sha256.Sum256(product)
}

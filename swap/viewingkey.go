package swap

import (
	"filippo.io/edwards25519"

	"hubquote/internal/point"
)

// field is the modulus of the BN254 scalar field, big-endian. Master keys are
// elements of it; the wallet engine silently reduces larger numbers, which would
// give one recipient many spellings.
const field = "\x30\x64\x4e\x72\xe1\x31\xa0\x29\xb8\x50\x45\xb6\x81\x81\x58\x5d" +
	"\x28\x33\xe8\x48\x79\xb9\x70\x91\x43\xe1\xf5\x93\xf0\x00\x00\x01"

func inField(key [32]byte) bool { return string(key[:]) < field }

// checkViewingKey makes sure that a note for a viewing public key can be decrypted
// with its private key only, and returns its x.
func checkViewingKey(key [32]byte) (x [32]byte, err error) {
	var p edwards25519.Point
	if _, err := p.SetBytes(key[:]); err != nil {
		return x, refusePrivate(ZKViewingPoint, "the viewing key in this address is not a point of its curve, so no wallet could find the money: copy the address from the wallet again")
	}
	if point.Bytes(&p) != key {
		return x, refusePrivate(ZKNonCanonical, "the viewing key in this address is not in its one valid form: use the address that the wallet itself shows")
	}
	var q edwards25519.Point
	if q.MultByCofactor(&p).Equal(edwards25519.NewIdentityPoint()) == 1 {
		return x, refusePrivate(ZKSmallOrder, "any reader of the chain could decrypt a note for the viewing key in this address: use the address that the wallet itself shows")
	}
	if !torsionFree(&p) {
		return x, refusePrivate(ZKTorsion, "the wallet could not decrypt a note for the viewing key in this address: use the address that the wallet itself shows")
	}
	return point.X(&p), nil
}

// torsionFree reports whether p is a multiple of the base point, that is
// whether [l]p is the identity. Wallets reduce their scalars modulo l and so do
// not clear the cofactor: with any torsion in p, sender and recipient would
// agree on different keys.
//
// Scalars are integers below l, so it computes [l-1]p, which must be -p.
// Variable time is fine here: p and l are public.
func torsionFree(p *edwards25519.Point) bool {
	one, _ := edwards25519.NewScalar().SetCanonicalBytes(append([]byte{1}, make([]byte, 31)...))
	last := edwards25519.NewScalar().Negate(one)
	var q, minus edwards25519.Point
	q.VarTimeDoubleScalarBaseMult(last, p, edwards25519.NewScalar())
	return q.Equal(minus.Negate(p)) == 1
}

package shield

import (
	"crypto/sha256"
	"crypto/sha512"

	"filippo.io/edwards25519"
)

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

// sharedKey is the key that sender and recipient agree on, each with their own
// secret and the other's public key. The product stays in Edwards form: this is not X25519.
func sharedKey(secret *edwards25519.Scalar, public *edwards25519.Point) [32]byte {
	product := new(edwards25519.Point).ScalarMult(secret, public).Bytes()
	defer clear(product)
	return sha256.Sum256(product)
}

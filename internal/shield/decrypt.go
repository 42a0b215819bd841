package shield

import (
	"errors"

	"filippo.io/edwards25519"
)

var errNotOwner = errors.New("shield: the viewing key is not this address's")

// Decrypt does what the recipient's wallet does when it finds a note on chain,
// with the private key that belongs to a's viewing key, and returns the random
// that the wallet needs to spend it. It fails for a note that would be lost.
//
// The service holds no such keys and never calls it: it is for those who prove
// that a payment arrived.
func Decrypt(note []byte, a Address, viewingPrivateKey [32]byte) (random [16]byte, err error) {
	n, err := parseNote(note)
	if err != nil {
		return random, err
	}
	secret := secretScalar(viewingPrivateKey)
	defer func() { *secret = edwards25519.Scalar{} }()
	if [32]byte(publicKey(secret)) != a.viewingKey() {
		return random, errNotOwner
	}
	ephemeral, err := new(edwards25519.Point).SetBytes(n.shieldKey())
	if err != nil {
		return random, errTag
	}
	shared := sharedKey(secret, ephemeral)
	defer clear(shared[:])
	return n.open(a, shared)
}

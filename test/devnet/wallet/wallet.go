// Package wallet opens shielded notes as the recipient's wallet does. It shares
// no code with package shield, which makes them, so that one can test the other.
package wallet

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"crypto/sha512"
	"errors"
	"math/big"

	"filippo.io/edwards25519"
	"github.com/iden3/go-iden3-crypto/v2/poseidon"

	"hubquote/swap"
)

var (
	errLength    = errors.New("wallet: a note has exactly 160 bytes")
	errUnparsed  = errors.New("wallet: the address did not come from its parser")
	errNotOwner  = errors.New("wallet: the viewing key is not this address's")
	errTag       = errors.New("wallet: the note does not open with this key")
	errPublicKey = errors.New("wallet: the note's public key is not the recipient's")
)

// Decrypt opens a note with the private key that belongs to a's viewing key, and
// returns the random that the wallet needs to spend it. It fails for a note that
// the wallet could not find or not spend.
func Decrypt(note []byte, a swap.PrivateAddress, viewingPrivateKey [32]byte) (random [16]byte, err error) {
	switch {
	case len(note) != swap.NoteLen:
		return random, errLength
	case a.IsZero():
		return random, errUnparsed
	}
	shared, err := sharedKey(a, viewingPrivateKey, note[128:160])
	if err != nil {
		return random, err
	}
	opened, err := open(shared, note[32:48], note[64:80], note[48:64])
	if err != nil {
		return random, err
	}
	public, err := publicKey(a, opened)
	if err != nil {
		return random, err
	}
	if [32]byte(note[:32]) != public {
		return random, errPublicKey
	}
	return [16]byte(opened), nil
}

// sharedKey multiplies the ephemeral public key of the note by the wallet's own
// scalar, which must be that of the address.
func sharedKey(a swap.PrivateAddress, viewingPrivateKey [32]byte, ephemeral []byte) (key [32]byte, err error) {
	h := sha512.Sum512(viewingPrivateKey[:])
	scalar, err := edwards25519.NewScalar().SetBytesWithClamping(h[:32])
	if err != nil {
		return key, err
	}
	if own := new(edwards25519.Point).ScalarBaseMult(scalar); [32]byte(own.Bytes()) != a.ViewingKey() {
		return key, errNotOwner
	}
	point, err := new(edwards25519.Point).SetBytes(ephemeral)
	if err != nil {
		return key, errTag
	}
	return sha256.Sum256(point.ScalarMult(scalar, point).Bytes()), nil
}

func open(key [32]byte, iv, sealed, tag []byte) ([]byte, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	gcm, err := cipher.NewGCMWithNonceSize(block, len(iv))
	if err != nil {
		return nil, err
	}
	random, err := gcm.Open(nil, iv, append(append([]byte{}, sealed...), tag...), nil)
	if err != nil {
		return nil, errTag
	}
	return random, nil
}

func publicKey(a swap.PrivateAddress, random []byte) (key [32]byte, err error) {
	master := a.MasterKey()
	hash, err := poseidon.Hash([]*big.Int{new(big.Int).SetBytes(master[:]), new(big.Int).SetBytes(random)})
	if err != nil {
		return key, err
	}
	hash.FillBytes(key[:])
	return key, nil
}

package shield

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"
	"math/big"

	"filippo.io/edwards25519"
	"github.com/iden3/go-iden3-crypto/v2/poseidon"

	"hubquote/internal/point"
	"hubquote/swap"
)

// A Note is a recipient of type 2 (D19). The privacy contract needs it to shield a
// deposit, besides the token and value. No part of it depends on these or on the
// chain.
//
//	offset  size  field
//	     0    32  the note's public key: Poseidon(master public key, random)
//	    32    16  IV of the next two
//	    48    16  tag of the next one
//	    64    16  random: AES-256-GCM under the key shared with the recipient
//	    80    16  IV of the next one
//	    96    32  viewing public key: AES-256-CTR under the ephemeral private key
//	   128    32  ephemeral public key
//
// The contract calls bytes 32 to 128 the encrypted bundle, and the last 32 the
// shield key. The recipient's wallet reads all but the fields at 80 and 96;
// those are the sender's own record. They are filled in so that these notes cannot
// be distinguished from those of wallets.
type Note [swap.NoteLen]byte

func (n *Note) publicKey() []byte { return n[0:32] }
func (n *Note) gcmIV() []byte     { return n[32:48] }
func (n *Note) tag() []byte       { return n[48:64] }
func (n *Note) sealed() []byte    { return n[64:80] }
func (n *Note) ctrIV() []byte     { return n[80:96] }
func (n *Note) receiver() []byte  { return n[96:128] }
func (n *Note) shieldKey() []byte { return n[128:160] }

var (
	errLength    = errors.New("shield: a note has exactly 160 bytes")
	errUnparsed  = errors.New("shield: the address did not come from its parser")
	errTag       = errors.New("shield: the note does not open with this key")
	errPublicKey = errors.New("shield: the note's public key is not the recipient's")
)

func parseNote(b []byte) (Note, error) {
	if len(b) != swap.NoteLen {
		return Note{}, errLength
	}
	return Note(b), nil
}

// keys are those of the address that a note pays.
type keys struct {
	master, viewing [32]byte
	point           edwards25519.Point // the viewing key, decompressed
}

func keysOf(a swap.PrivateAddress) (keys, error) {
	k := keys{master: a.MasterKey(), viewing: a.ViewingKey()}
	if err := point.At(&k.point, a.ViewingX(), k.viewing); err != nil || a.IsZero() {
		return keys{}, errUnparsed
	}
	return k, nil
}

// seal returns the note for its arguments, and the key that opens it. The caller
// clears the key.
func seal(to *keys, proof swap.Proof, gcmIV, ctrIV [16]byte) (n Note, shared [32]byte, err error) {
	secret := secretScalar(proof.ShieldSeed)
	defer func() { *secret = edwards25519.Scalar{} }()
	shared = sharedKey(secret, &to.point)

	public, err := notePublicKey(to.master, proof.Random)
	if err != nil {
		return Note{}, shared, err
	}
	gcm, err := newGCM(shared)
	if err != nil {
		return Note{}, shared, err
	}
	box := gcm.Seal(nil, gcmIV[:], proof.Random[:], nil)
	receiver, err := applyCTR(proof.ShieldSeed, ctrIV[:], to.viewing[:])
	if err != nil {
		return Note{}, shared, err
	}

	copy(n.publicKey(), public[:])
	copy(n.gcmIV(), gcmIV[:])
	copy(n.tag(), box[16:])
	copy(n.sealed(), box[:16])
	copy(n.ctrIV(), ctrIV[:])
	copy(n.receiver(), receiver[:])
	copy(n.shieldKey(), publicKey(secret))
	return n, shared, nil
}

// open returns the random inside n, if n opens with the shared key and its
// public key is made of that random and the master key. Wallets do not check the
// second, and would show money that cannot be spent.
func (n *Note) open(master, shared [32]byte) (random [16]byte, err error) {
	gcm, err := newGCM(shared)
	if err != nil {
		return random, err
	}
	box := append(append(make([]byte, 0, 32), n.sealed()...), n.tag()...)
	if _, err := gcm.Open(random[:0], n.gcmIV(), box, nil); err != nil {
		return [16]byte{}, errTag
	}
	public, err := notePublicKey(master, random)
	if err != nil {
		return [16]byte{}, err
	}
	if public != [32]byte(n.publicKey()) {
		return [16]byte{}, errPublicKey
	}
	return random, nil
}

// notePublicKey commits to the recipient. It cannot be linked to the recipient
// without random. Its result is always an element of the field.
func notePublicKey(master [32]byte, random [16]byte) (key [32]byte, err error) {
	hash, err := poseidon.Hash([]*big.Int{
		new(big.Int).SetBytes(master[:]),
		new(big.Int).SetBytes(random[:]),
	})
	if err != nil {
		return key, fmt.Errorf("hashing a note's public key: %w", err)
	}
	hash.FillBytes(key[:])
	return key, nil
}

// newGCM returns a cipher with IVs of 16 bytes, as the wallets use, where 12 are
// usual. The cipher hashes the longer ones, so the two kinds are not compatible.
func newGCM(key [32]byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, fmt.Errorf("note cipher: %w", err)
	}
	gcm, err := cipher.NewGCMWithNonceSize(block, 16)
	if err != nil {
		return nil, fmt.Errorf("note cipher: %w", err)
	}
	return gcm, nil
}

// applyCTR encrypts or decrypts 32 bytes.
func applyCTR(key [32]byte, iv, in []byte) (out [32]byte, err error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return out, fmt.Errorf("receiver cipher: %w", err)
	}
	cipher.NewCTR(block, iv).XORKeyStream(out[:], in)
	return out, nil
}

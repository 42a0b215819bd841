// Package shield turns a private address into the encrypted note that pays it.
//
// Every note that it returns was opened once, with the key of its address. Later
// steps do not detect a bad note: the pool and the privacy contract accept any
// bytes, and the money would be lost without an error.
package shield

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"

	"hubquote/internal/point"
	"hubquote/swap"
)

var (
	errSelfCheck = errors.New("shield: a fresh note does not pass its own check")
	errMismatch  = errors.New("shield: the note is not the one that this proof makes for this address")
)

// Encrypt makes a note that pays a, and the proof of it for the client that
// sent the request. It reads from random, in this order: 16 bytes that hide the recipient,
// 32 of ephemeral key, and two IVs of 16.
//
// Outside of tests random must be crypto/rand.Reader. Bytes that can be guessed
// reveal the recipient, and bytes used twice link the payments. It is a parameter
// so that the caller's code shows the source, and no setting can change it.
func Encrypt(a swap.PrivateAddress, random io.Reader) (Note, swap.Proof, error) {
	to, err := keysOf(a)
	if err != nil {
		return Note{}, swap.Proof{}, err
	}
	return encrypt(&to, random)
}

func encrypt(to *keys, random io.Reader) (Note, swap.Proof, error) {
	var fresh [80]byte
	defer clear(fresh[:])
	if _, err := io.ReadFull(random, fresh[:]); err != nil {
		return Note{}, swap.Proof{}, fmt.Errorf("reading randomness for a note: %w", err)
	}
	proof := swap.Proof{Random: [16]byte(fresh[:16]), ShieldSeed: [32]byte(fresh[16:48])}
	n, shared, err := seal(to, proof, [16]byte(fresh[48:64]), [16]byte(fresh[64:]))
	defer clear(shared[:])
	if err != nil {
		return Note{}, swap.Proof{}, err
	}
	if err := check(n, to, proof, shared); err != nil {
		return Note{}, swap.Proof{}, err
	}
	return n, proof, nil
}

// Verify reports an error unless note has exactly the bytes that [Encrypt] returned
// with proof for a. It needs no trust in the sender of the note, because the proof
// and the note's own IVs determine every byte of it.
func Verify(note []byte, a swap.PrivateAddress, proof swap.Proof) error {
	n, err := parseNote(note)
	if err != nil {
		return err
	}
	to, err := keysOf(a)
	if err != nil {
		return err
	}
	want, shared, err := seal(&to, proof, [16]byte(n.gcmIV()), [16]byte(n.ctrIV()))
	clear(shared[:])
	if err != nil {
		return err
	}
	if n != want {
		return errMismatch
	}
	return nil
}

// check opens a fresh note with the shared key and compares every byte of it,
// where possible with a value that seal did not compute it from: the viewing key
// with the point that was multiplied, the ephemeral key with the standard
// library's.
func check(n Note, to *keys, proof swap.Proof, shared [32]byte) error {
	random, err := n.open(to.master, shared)
	if err != nil {
		return fmt.Errorf("%w: %w", errSelfCheck, err)
	}
	viewing, err := applyCTR(proof.ShieldSeed, n.ctrIV(), n.receiver())
	if err != nil {
		return fmt.Errorf("%w: %w", errSelfCheck, err)
	}
	private := ed25519.NewKeyFromSeed(proof.ShieldSeed[:])
	defer clear(private)
	if random != proof.Random || viewing != point.Bytes(&to.point) || string(private[32:]) != string(n.shieldKey()) {
		return errSelfCheck
	}
	return nil
}

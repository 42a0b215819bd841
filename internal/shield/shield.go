// Package shield turns a 0zk address into the encrypted note that pays it.
//
// A note it hands out opens with the key of the address it was made for, and
// was opened once before it left. Nothing behind this package would notice one
// that does not: the pool and the privacy contract take any bytes, and the
// money would be gone without an error.
package shield

import (
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"

	"hubquote/swap"
)

var (
	errSelfCheck = errors.New("shield: a fresh note does not pass its own check")
	errMismatch  = errors.New("shield: the note is not the one that this proof makes for this address")
)

// Encrypt makes a note that pays a, and the proof of it for the client that
// asked. It reads from random, in this order: 16 bytes that hide the recipient,
// 32 of ephemeral key, and two IVs of 16.
//
// Outside of tests random is crypto/rand.Reader and nothing else: bytes that
// can be guessed show everybody who is paid, and bytes used twice link the
// payments. It is a parameter so that the caller's code says so where a reader
// can see it, and no setting can change it.
func Encrypt(a Address, random io.Reader) (Note, swap.Proof, error) {
	var fresh [80]byte
	defer clear(fresh[:])
	if _, err := io.ReadFull(random, fresh[:]); err != nil {
		return Note{}, swap.Proof{}, fmt.Errorf("reading randomness for a note: %w", err)
	}
	proof := swap.Proof{Random: [16]byte(fresh[:16]), ShieldSeed: [32]byte(fresh[16:48])}
	n, shared, err := seal(a, proof, [16]byte(fresh[48:64]), [16]byte(fresh[64:]))
	defer clear(shared[:])
	if err != nil {
		return Note{}, swap.Proof{}, err
	}
	if err := check(n, a, proof, shared); err != nil {
		return Note{}, swap.Proof{}, err
	}
	return n, proof, nil
}

// Verify reports an error unless note is, to the last byte, what [Encrypt] made
// together with proof for a. It needs no trust in whoever made the note: the
// proof and the note's own IVs leave no byte of it free.
func Verify(note []byte, a Address, proof swap.Proof) error {
	n, err := parseNote(note)
	if err != nil {
		return err
	}
	want, shared, err := seal(a, proof, [16]byte(n.gcmIV()), [16]byte(n.ctrIV()))
	clear(shared[:])
	if err != nil {
		return err
	}
	if n != want {
		return errMismatch
	}
	return nil
}

// check takes a fresh note apart again with the key just agreed on, and by the
// end has looked at every byte of it. It holds each against what seal did not
// make it from, where there is such a thing: the viewing key against the point
// that was multiplied, the ephemeral key against the standard library's.
func check(n Note, a Address, proof swap.Proof, shared [32]byte) error {
	random, err := n.open(a, shared)
	if err != nil {
		return fmt.Errorf("%w: %w", errSelfCheck, err)
	}
	viewing, err := applyCTR(proof.ShieldSeed, n.ctrIV(), n.receiver())
	if err != nil {
		return fmt.Errorf("%w: %w", errSelfCheck, err)
	}
	private := ed25519.NewKeyFromSeed(proof.ShieldSeed[:])
	defer clear(private)
	if random != proof.Random || viewing != [32]byte(a.viewing.Bytes()) || string(private[32:]) != string(n.shieldKey()) {
		return errSelfCheck
	}
	return nil
}

package shield

import (
	"io"

	"hubquote/swap"
)

// EncryptCorrupted is [Encrypt] for an address whose point in memory was replaced
// by that of another.
func EncryptCorrupted(a, other swap.PrivateAddress, random io.Reader) (Note, swap.Proof, error) {
	to, err := keysOf(a)
	if err != nil {
		return Note{}, swap.Proof{}, err
	}
	wrong, err := keysOf(other)
	if err != nil {
		return Note{}, swap.Proof{}, err
	}
	to.point = wrong.point
	return encrypt(&to, random)
}

// Checker returns the check that [Encrypt] makes before it returns a note, for
// the note that v determines.
func Checker(a swap.PrivateAddress, proof swap.Proof, gcmIV, ctrIV [16]byte) (func(Note, swap.Proof) error, error) {
	to, err := keysOf(a)
	if err != nil {
		return nil, err
	}
	_, shared, err := seal(&to, proof, gcmIV, ctrIV)
	return func(n Note, p swap.Proof) error { return check(n, &to, p, shared) }, err
}

// Package calldata turns a resolved swap into the bytes a wallet signs, and
// reads the same bytes back. Every value has exactly one encoding: a parser
// here accepts only what its encoder writes.
package calldata

import (
	"encoding/binary"
	"errors"

	"hubquote/swap"
)

const wordSize = 32

// A selector is the first four bytes of a call: the hash of the function's
// signature.
type selector [4]byte

// selectorOf computes a function's selector from its signature, such as
// "approve(address,uint256)".
func selectorOf(signature string) (s selector) {
	sum := swap.Keccak256([]byte(signature))
	copy(s[:], sum[:])
	return s
}

// zeros is what padding is copied from.
var zeros [wordSize]byte

func appendUint(dst []byte, n uint64) []byte {
	dst = append(dst, zeros[:]...)
	binary.BigEndian.PutUint64(dst[len(dst)-8:], n)
	return dst
}

func appendAmount(dst []byte, a *swap.Amount) []byte {
	dst = append(dst, zeros[:]...)
	a.PutUint256(dst[len(dst)-wordSize:])
	return dst
}

func appendAddress(dst []byte, a swap.Address) []byte {
	dst = append(dst, zeros[:]...)
	copy(dst[len(dst)-len(a):], a[:])
	return dst
}

// appendBytes writes the tail of a dynamic bytes argument: its length, its
// bytes, and zeros up to a whole word.
func appendBytes(dst, b []byte) []byte {
	dst = appendUint(dst, uint64(len(b)))
	dst = append(dst, b...)
	return append(dst, zeros[:padding(len(b))]...)
}

func padding(n int) int { return (wordSize - n%wordSize) % wordSize }

// errEncoding is returned for bytes that are not the one encoding of any value.
var errEncoding = errors.New("not the encoding this service writes")

// A reader takes words off the front of encoded arguments. After a failure it
// returns zeros; the caller looks at ok once, at the end.
type reader struct {
	rest []byte
	bad  bool
}

// newReader checks and drops the selector.
func newReader(call []byte, want selector) *reader {
	if len(call) < len(want) || selector(call[:len(want)]) != want {
		return &reader{bad: true}
	}
	return &reader{rest: call[len(want):]}
}

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.bad = true
		return make([]byte, min(max(n, 0), wordSize))
	}
	head := r.rest[:n]
	r.rest = r.rest[n:]
	return head
}

func (r *reader) word() (w [wordSize]byte) {
	copy(w[:], r.take(wordSize))
	return w
}

func (r *reader) amount() (a swap.Amount) {
	w := r.word()
	a.SetBytes32(w[:])
	return a
}

func (r *reader) uint64() uint64 {
	a := r.amount()
	r.bad = r.bad || !a.IsUint64()
	return a.Uint64()
}

func (r *reader) address() (a swap.Address) {
	r.zeros(wordSize - len(a))
	copy(a[:], r.take(len(a)))
	return a
}

// constant requires the next word to be n: the offset of a dynamic argument has
// only one place to point to.
func (r *reader) constant(n uint64) {
	if r.uint64() != n {
		r.bad = true
	}
}

func (r *reader) zeros(n int) {
	for _, b := range r.take(n) {
		r.bad = r.bad || b != 0
	}
}

// bytes reads the tail of a dynamic bytes argument, which must be the last
// thing in the call.
func (r *reader) bytes() []byte {
	n := r.uint64()
	if n > uint64(len(r.rest)) {
		r.bad = true
		return nil
	}
	b := r.take(int(n))
	r.zeros(padding(int(n)))
	return b
}

func (r *reader) err() error {
	if r.bad || len(r.rest) != 0 {
		return errEncoding
	}
	return nil
}

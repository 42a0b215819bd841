package abi

import (
	"encoding/binary"
	"errors"

	"hubquote/swap"
)

// WordSize is the number of bytes in a word.
const WordSize = 32

// zeros is where padding is copied from.
var zeros [WordSize]byte

// AppendUint appends a number as a word.
func AppendUint(dst []byte, n uint64) []byte {
	dst = append(dst, zeros[:]...)
	binary.BigEndian.PutUint64(dst[len(dst)-8:], n)
	return dst
}

// AppendAmount appends an amount as a word.
func AppendAmount(dst []byte, a *swap.Amount) []byte {
	dst = append(dst, zeros[:]...)
	a.PutUint256(dst[len(dst)-WordSize:])
	return dst
}

// AppendAddress appends an address, padded on the left to a word.
func AppendAddress(dst []byte, a swap.Address) []byte {
	dst = append(dst, zeros[:]...)
	copy(dst[len(dst)-len(a):], a[:])
	return dst
}

// AppendBytes appends the tail of a dynamic bytes argument: its length, its
// bytes, and zeros up to a whole word.
func AppendBytes(dst, b []byte) []byte {
	dst = AppendUint(dst, uint64(len(b)))
	dst = append(dst, b...)
	return append(dst, zeros[:Padding(len(b))]...)
}

// Padding is how many zeros fill n bytes up to a whole word.
func Padding(n int) int { return (WordSize - n%WordSize) % WordSize }

// errEncoding is returned for bytes that are not the one encoding of any value.
var errEncoding = errors.New("not the encoding this service writes")

// A Reader takes words off the front of encoded arguments. After a failure it
// returns zeros; the caller checks [Reader.Err] once, at the end.
type Reader struct {
	rest []byte
	bad  bool
}

// NewReader returns a reader of the arguments of a call, which must be one of
// that function.
func NewReader(call []byte, want Selector) *Reader {
	if len(call) < len(want) || Selector(call[:len(want)]) != want {
		return &Reader{bad: true}
	}
	return &Reader{rest: call[len(want):]}
}

// NewPackedReader returns a reader of data without a selector.
func NewPackedReader(data []byte) *Reader { return &Reader{rest: data} }

// Take takes n bytes.
func (r *Reader) Take(n int) []byte {
	if n < 0 || n > len(r.rest) {
		r.bad = true
		return make([]byte, min(max(n, 0), WordSize))
	}
	head := r.rest[:n]
	r.rest = r.rest[n:]
	return head
}

// Word takes a word as it is.
func (r *Reader) Word() (w [WordSize]byte) {
	copy(w[:], r.Take(WordSize))
	return w
}

// Amount takes a word that is an amount.
func (r *Reader) Amount() (a swap.Amount) {
	w := r.Word()
	a.SetBytes32(w[:])
	return a
}

// Uint64 takes a word that is a number of at most 64 bits.
func (r *Reader) Uint64() uint64 {
	a := r.Amount()
	r.bad = r.bad || !a.IsUint64()
	return a.Uint64()
}

// Address takes a word that is an address.
func (r *Reader) Address() (a swap.Address) {
	r.zeros(WordSize - len(a))
	copy(a[:], r.Take(len(a)))
	return a
}

// Constant requires the next word to be n: the offset of a dynamic argument has
// only one place to point to.
func (r *Reader) Constant(n uint64) {
	if r.Uint64() != n {
		r.bad = true
	}
}

func (r *Reader) zeros(n int) {
	for _, b := range r.Take(n) {
		r.bad = r.bad || b != 0
	}
}

// Bytes takes the tail of a dynamic bytes argument, which must be the last one.
func (r *Reader) Bytes() []byte {
	n := r.Uint64()
	if n > uint64(len(r.rest)) {
		r.bad = true
		return nil
	}
	b := r.Take(int(n))
	r.zeros(Padding(int(n)))
	return b
}

// Rest takes all bytes that are left.
func (r *Reader) Rest() []byte { return r.Take(len(r.rest)) }

// Require makes the reader fail unless ok: for a rule of one value that the
// reader does not know.
func (r *Reader) Require(ok bool) { r.bad = r.bad || !ok }

// Err is nil if everything was read as it should be, and nothing is left.
func (r *Reader) Err() error {
	if r.bad || len(r.rest) != 0 {
		return errEncoding
	}
	return nil
}

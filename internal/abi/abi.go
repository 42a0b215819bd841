// Package abi writes and reads calldata as Solidity's ABI has it, as far as our
// calls need it: words of 32 bytes, and at most one argument of dynamic length,
// whose bytes come last. Every value has exactly one encoding: a [Reader] accepts
// only the bytes that the append functions write.
package abi

import (
	"strings"

	"golang.org/x/crypto/sha3"
)

// An Arg is an argument of a function, or a field of packed data.
type Arg struct{ Type, Name string }

// PackedSize is how many bytes the argument takes where it is packed without
// padding, or -1 when it takes the rest.
func (a Arg) PackedSize() int {
	switch a.Type {
	case "uint8":
		return 1
	case "address":
		return 20
	case Bytes:
		return -1
	default:
		return WordSize
	}
}

// PackedOffset is where a field starts in data that is packed without padding.
// It panics when there is no such field.
func PackedOffset(fields []Arg, name string) (offset int) {
	for _, f := range fields {
		if f.Name == name {
			return offset
		}
		offset += f.PackedSize()
	}
	panic("abi: no field " + name)
}

// Bytes is the one type of dynamic length.
const Bytes = "bytes"

// A Func is a function of a contract.
type Func struct {
	Name string
	Args []Arg
}

// Signature is the function with the types of its arguments, such as
// approve(address,uint256). Its hash is the selector.
func (f Func) Signature() string {
	return f.list(",", func(a Arg) string { return a.Type })
}

// String is the function with the types and names of its arguments, such as
// approve(address spender, uint256 amount).
func (f Func) String() string {
	return f.list(", ", func(a Arg) string { return a.Type + " " + a.Name })
}

func (f Func) list(separator string, write func(Arg) string) string {
	args := make([]string, len(f.Args))
	for i, a := range f.Args {
		args[i] = write(a)
	}
	return f.Name + "(" + strings.Join(args, separator) + ")"
}

// A Selector is the first four bytes of a call.
type Selector [4]byte

// Selector is the start of the hash of the function's signature.
func (f Func) Selector() (s Selector) {
	h := sha3.NewLegacyKeccak256()
	h.Write([]byte(f.Signature()))
	copy(s[:], h.Sum(nil))
	return s
}

// HeadSize is how many bytes the words of the arguments take, without the
// selector. The bytes of a dynamic argument start there.
func (f Func) HeadSize() int { return len(f.Args) * WordSize }

// Offset is where the word of an argument starts in calldata. It panics when the
// function has no such argument.
func (f Func) Offset(name string) int {
	for i, a := range f.Args {
		if a.Name == name {
			return len(Selector{}) + i*WordSize
		}
	}
	panic("abi: " + f.Name + " has no argument " + name)
}

// TailOffset is where the bytes of the dynamic argument start in calldata,
// behind their length.
func (f Func) TailOffset() int { return len(Selector{}) + f.HeadSize() + WordSize }

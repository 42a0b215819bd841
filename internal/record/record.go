// Package record reads and writes what the contracts record about an order: the
// order itself, its ID, and the events that name it. Every order has exactly one
// encoding, and [ID] is computed from it, so an order that was altered anywhere
// has another ID.
//
// Package contract reads the same events with the compiler's own ABI, for the
// settler, which deploys and calls contracts. This package is for programs that
// prove a status, such as wallets through package client: it needs nothing of
// go-ethereum, and refuses every encoding but the one. The tests compare both.
package record

import (
	"fmt"

	"golang.org/x/crypto/sha3"

	"hubquote/internal/abi"
	"hubquote/swap"
)

// words is how many words the fields of an order take before the recipient's
// bytes.
const words = 14

// Encode returns the order as the contracts encode it, which is also the
// argument of reclaim.
func Encode(o *swap.Order) []byte {
	out := abi.AppendUint(nil, abi.WordSize)
	return appendOrder(out, o)
}

func appendOrder(out []byte, o *swap.Order) []byte {
	out = abi.AppendAmount(out, &o.SrcPlace)
	out = abi.AppendAddress(out, o.SrcPool)
	out = abi.AppendAddress(out, o.RefundTo)
	out = abi.AppendAmount(out, &o.Nonce)
	out = abi.AppendUint(out, uint64(o.SrcDecimals))
	out = abi.AppendAmount(out, &o.Amount)
	out = abi.AppendAmount(out, &o.DstPlace)
	out = abi.AppendAddress(out, o.DstPool)
	out = abi.AppendAddress(out, o.DstToken)
	out = abi.AppendUint(out, uint64(o.Rate))
	out = append(out, o.Integrator[:]...)
	out = abi.AppendUint(out, uint64(o.RecipientType))
	out = abi.AppendUint(out, words*abi.WordSize)
	out = abi.AppendUint(out, o.Deadline)
	return abi.AppendBytes(out, o.Recipient)
}

// Decode reads what [Encode] writes, and nothing else.
func Decode(body []byte) (*swap.Order, error) {
	r := abi.NewPackedReader(body)
	r.Constant(abi.WordSize)
	o := readOrder(r)
	if err := r.Err(); err != nil {
		return nil, fmt.Errorf("an order: %w", err)
	}
	return o, nil
}

func readOrder(r *abi.Reader) *swap.Order {
	o := new(swap.Order)
	o.SrcPlace, o.SrcPool, o.RefundTo, o.Nonce = r.Amount(), r.Address(), r.Address(), r.Amount()
	o.SrcDecimals = uint8(narrow(r, 8)) // narrow
	o.Amount, o.DstPlace, o.DstPool, o.DstToken = r.Amount(), r.Amount(), r.Address(), r.Address()
	o.Rate = swap.Rate(narrow(r, 32)) // narrow
	o.Integrator = r.Word()
	o.RecipientType = swap.RecipientType(narrow(r, 8)) // narrow
	r.Constant(words * abi.WordSize)
	o.Deadline = narrow(r, 48)
	o.Recipient = append([]byte{}, r.Bytes()...)
	return o
}

// narrow takes a number of at most so many bits.
func narrow(r *abi.Reader, bits uint) uint64 {
	n := r.Uint64()
	r.Require(n>>bits == 0)
	return n
}

// ID is the hash of the order without its deadline, which comes from the block
// that the deposit is in.
func ID(o *swap.Order) (id swap.Hash) {
	bare := *o
	bare.Deadline = 0
	return keccak(Encode(&bare))
}

func keccak(data []byte) (sum swap.Hash) {
	h := sha3.NewLegacyKeccak256()
	h.Write(data)
	h.Sum(sum[:0])
	return sum
}

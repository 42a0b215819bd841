package record

import (
	"hubquote/internal/abi"
	"hubquote/swap"
)

// The functions that any account may call, and those that are read.
var (
	selectorReclaim     = selector("reclaim(" + order + ")")
	selectorClaimFor    = selector("claimFor(address)")
	selectorRelay       = selector("relay(bytes,bytes)")
	selectorReceive     = selector("receiveMessage(bytes,bytes)")
	selectorSettlements = selector("settlements(bytes32)")
)

func selector(signature string) []byte {
	sum := keccak([]byte(signature))
	return sum[:4]
}

// Reclaim is the call that takes an order's deposit back.
func Reclaim(o *swap.Order) []byte { return call(selectorReclaim, Encode(o)) }

// ClaimFor is the call that sends an account what a pool owes it.
func ClaimFor(account swap.Address) []byte {
	return call(selectorClaimFor, abi.AppendAddress(nil, account))
}

// Relay is the call that gives an attested burn to the receiver.
func Relay(message, attestation []byte) []byte { return twoBytes(selectorRelay, message, attestation) }

// IsRelay reports whether a call is one of relay.
func IsRelay(data []byte) bool { return len(data) >= 4 && string(data[:4]) == string(selectorRelay) }

// ReceiveMessage is the call that mints an attested burn.
func ReceiveMessage(message, attestation []byte) []byte {
	return twoBytes(selectorReceive, message, attestation)
}

// Settlements is the call that asks a pool whether an order is settled: 0 for
// no, 1 paid, 2 cancelled.
func Settlements(id swap.Hash) []byte { return call(selectorSettlements, id[:]) }

func call(selector, args []byte) []byte { return append(append([]byte{}, selector...), args...) }

func twoBytes(selector, a, b []byte) []byte {
	first := abi.AppendBytes(nil, a)
	args := abi.AppendUint(nil, 2*abi.WordSize)
	args = abi.AppendUint(args, uint64(2*abi.WordSize+len(first)))
	return call(selector, abi.AppendBytes(append(args, first...), b))
}

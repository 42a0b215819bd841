package record

import (
	"bytes"

	"hubquote/internal/abi"
	"hubquote/swap"
)

// The functions that any account may call, and the one that is read.
var (
	reclaim        = abi.Func{Name: "reclaim", Args: []abi.Arg{{Type: order, Name: "order"}}}
	claimFor       = abi.Func{Name: "claimFor", Args: []abi.Arg{{Type: "address", Name: "account"}}}
	relay          = abi.Func{Name: "relay", Args: delivery}
	receiveMessage = abi.Func{Name: "receiveMessage", Args: delivery}
	settlements    = abi.Func{Name: "settlements", Args: []abi.Arg{{Type: "bytes32", Name: "id"}}}

	delivery = []abi.Arg{{Type: abi.Bytes, Name: "message"}, {Type: abi.Bytes, Name: "attestation"}}
)

// Reclaim is the call that takes an order's deposit back.
func Reclaim(o *swap.Order) []byte { return call(reclaim, Encode(o)) }

// ClaimFor is the call that sends an account what a pool owes it.
func ClaimFor(account swap.Address) []byte { return call(claimFor, abi.AppendAddress(nil, account)) }

// Settlements is the call that asks a pool whether an order is settled: 0 for
// no, 1 paid, 2 cancelled.
func Settlements(id swap.Hash) []byte { return call(settlements, id[:]) }

// Relay is the call that gives an attested burn to the receiver.
func Relay(message, attestation []byte) []byte { return deliver(relay, message, attestation) }

// ReceiveMessage is the call that mints an attested burn.
func ReceiveMessage(message, attestation []byte) []byte {
	return deliver(receiveMessage, message, attestation)
}

// ReadRelay returns the message of a call that [Relay] writes, or nil.
func ReadRelay(data []byte) []byte { return readDelivery(data, relay) }

// ReadReceiveMessage returns the message of a call that [ReceiveMessage] writes,
// or nil.
func ReadReceiveMessage(data []byte) []byte { return readDelivery(data, receiveMessage) }

func call(f abi.Func, args []byte) []byte {
	selector := f.Selector()
	return append(selector[:], args...)
}

func deliver(f abi.Func, message, attestation []byte) []byte {
	first := abi.AppendBytes(nil, message)
	args := abi.AppendUint(nil, uint64(f.HeadSize()))
	args = abi.AppendUint(args, uint64(f.HeadSize()+len(first)))
	return call(f, abi.AppendBytes(append(args, first...), attestation))
}

func readDelivery(data []byte, f abi.Func) []byte {
	r := abi.NewReader(data, f.Selector())
	r.Constant(uint64(f.HeadSize()))
	r.Uint64()
	message := r.Bytes()
	attestation := r.Bytes()
	if r.Err() != nil || !bytes.Equal(deliver(f, message, attestation), data) {
		return nil
	}
	return message
}

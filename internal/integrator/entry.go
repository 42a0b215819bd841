package integrator

import (
	"encoding/binary"
	"encoding/hex"
	"strings"

	"hubquote/internal/upstream"
	"hubquote/swap"
)

// signature is the registry's one question. Its answer is three words of 32
// bytes, each padded with zeros on the left:
//
//	offset  size  field
//	     0    32  wallet, an address in the last 20 bytes
//	    32    32  rate in millionths, in the last 4 bytes
//	    64    32  active, zero or one
const signature = "integrators(bytes32)"

const (
	wordSize  = 32
	entrySize = 3 * wordSize
)

// An entry is what the registry says about one ID. The zero value says that the
// ID is not registered.
type entry struct {
	wallet swap.Address
	rate   swap.Rate
	active bool
}

// question returns the calldata that asks about id, in hexadecimal.
func question(id swap.IntegratorID) string {
	selector := swap.Keccak256([]byte(signature))
	return "0x" + hex.EncodeToString(append(selector[:4:4], id[:]...))
}

// parseEntry reads the registry's answer. It accepts only the bytes that a
// registry can answer with: anything else came from another contract, or from
// none, and proves nothing about the ID.
func parseEntry(answer string, maxRate swap.Rate) (e entry, err error) {
	if answer == "0x" {
		return entry{}, NoContract
	}
	words, err := parseHex(answer, entrySize)
	if err != nil {
		return entry{}, err
	}
	wallet, rate, active := words[:32], words[32:64], words[64:]
	if !isZero(wallet[:12]) || !isZero(rate[:28]) || !isZero(active[:31]) || active[31] > 1 {
		return entry{}, BadEntry
	}
	e.wallet = swap.Address(wallet[12:])
	e.rate = swap.Rate(binary.BigEndian.Uint32(rate[28:]))
	e.active = active[31] == 1
	if e.rate > maxRate || e.wallet.IsZero() && e != (entry{}) {
		return entry{}, BadEntry
	}
	return e, nil
}

// parseHex reads exactly size bytes behind 0x.
func parseHex(s string, size int) ([]byte, error) {
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok || len(digits) != 2*size {
		return nil, upstream.Malformed
	}
	b, err := hex.DecodeString(digits)
	if err != nil {
		return nil, upstream.Malformed
	}
	return b, nil
}

func isZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// integrator tells what e says about id.
func (e entry) integrator(id swap.IntegratorID) (swap.Integrator, error) {
	switch {
	case e == entry{}:
		return swap.Integrator{}, &swap.Error{
			Code:    swap.IntegratorUnknown,
			Param:   "integratorId",
			Message: "no such integrator is registered for this route: check the address, or leave integratorId out",
		}
	case !e.active:
		return swap.Integrator{}, &swap.Error{
			Code:    swap.IntegratorInactive,
			Param:   "integratorId",
			Message: "this integrator is switched off for this route: leave integratorId out",
		}
	}
	return swap.Integrator{ID: id, Wallet: e.wallet, Rate: e.rate}, nil
}

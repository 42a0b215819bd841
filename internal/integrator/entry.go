package integrator

import (
	"encoding/binary"
	"encoding/hex"

	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// signature is the function of the registry that is called. It returns three
// words of 32 bytes, each padded with zeros on the left:
//
//	offset  size  field
//	     0    32  wallet, an address in the last 20 bytes
//	    32    32  rate in millionths, in the last 4 bytes
//	    64    32  active, zero or one
const signature = "integrators(bytes32)"

const (
	entrySize = 3 * 32 // bytes

	// maxRate is the highest rate that is believed: 5 %.
	maxRate swap.Rate = 50_000
)

// The faults of a registry besides those of a node.
const (
	NoContract upstream.Fault = "no_contract" // no code at the registry's address
	BadEntry   upstream.Fault = "bad_entry"   // not an entry of a registry, or a rate that is not believed
)

// errBadEntry may be about one entry only, so the node is asked about others.
var errBadEntry = quorum.BadValue(BadEntry)

// An entry is the registry's record of one ID. The zero value means that the ID
// is not registered.
type entry struct {
	wallet swap.Address
	rate   swap.Rate
	active bool
}

// callFor returns the calldata for id, in hexadecimal.
func callFor(id swap.IntegratorID) string {
	selector := swap.Keccak256([]byte(signature))
	return "0x" + hex.EncodeToString(append(selector[:4:4], id[:]...))
}

// parseEntry reads the registry's answer. It accepts only bytes that a registry
// can return: any others came from another contract, or from none, and prove
// nothing about the ID.
func parseEntry(answer string) (e entry, err error) {
	if answer == "0x" {
		return entry{}, NoContract
	}
	words, err := node.ParseBytes(answer, entrySize)
	if err != nil {
		return entry{}, err
	}
	wallet, rate, active := words[:32], words[32:64], words[64:]
	if !isZero(wallet[:12]) || !isZero(rate[:28]) || !isZero(active[:31]) || active[31] > 1 {
		return entry{}, errBadEntry
	}
	e.wallet = swap.Address(wallet[12:])
	e.rate = swap.Rate(binary.BigEndian.Uint32(rate[28:]))
	e.active = active[31] == 1
	if e.rate > maxRate || e.wallet.IsZero() && e != (entry{}) {
		return entry{}, errBadEntry
	}
	return e, nil
}

func isZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// integrator returns the integrator of e, or the error that e means for id.
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

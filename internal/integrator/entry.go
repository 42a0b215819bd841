package integrator

import (
	"encoding/hex"

	"hubquote/internal/abi"
	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// integrators is the function of the registry that is called. It returns three
// words, each padded with zeros on the left:
//
//	offset  size  field
//	     0    32  wallet, an address in the last 20 bytes
//	    32    32  rate in millionths, in the last 4 bytes
//	    64    32  active, zero or one
var integrators = abi.Func{Name: "integrators", Args: []abi.Arg{{Type: "bytes32", Name: "id"}}}

var integratorsSelector = integrators.Selector()

const entrySize = 3 * abi.WordSize

// The faults of a registry besides those of a node.
const (
	NoContract upstream.Fault = "no_contract" // no code at the registry's address
	BadEntry   upstream.Fault = "bad_entry"   // not an entry of a registry, or a rate above the maximum
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
	return "0x" + hex.EncodeToString(append(integratorsSelector[:], id[:]...))
}

// parseEntry reads the registry's answer. It accepts only bytes that a registry
// can return. Any others came from another contract, or from an address without
// one, and prove nothing about the ID.
func parseEntry(answer string) (e entry, err error) {
	if answer == "0x" {
		return entry{}, NoContract
	}
	words, err := node.ParseBytes(answer, entrySize)
	if err != nil {
		return entry{}, err
	}
	r := abi.NewPackedReader(words)
	e.wallet = r.Address()
	rate, active := r.Uint64(), r.Uint64()
	e.rate, e.active = swap.Rate(rate), active == 1
	r.Require(rate <= uint64(swap.MaxRate) && active <= 1)
	if r.Err() != nil || e.wallet.IsZero() && e != (entry{}) {
		return entry{}, errBadEntry
	}
	return e, nil
}

// integrator returns the integrator of e, or an error when id is unknown or
// inactive.
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

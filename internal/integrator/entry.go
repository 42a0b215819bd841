package integrator

import (
	"encoding/hex"
	"strings"

	"hubquote/internal/abi"
	"hubquote/internal/upstream"
	"hubquote/swap"
)

// registry is the function that looks a partner up.
var registry = abi.Func{Name: "integrators", Args: []abi.Arg{{Type: "bytes32", Name: "id"}}}

var registrySelector = registry.Selector()

// An entry is the registry's answer about one ID: three words, each padded with
// zeros on the left. The zero value says that the ID is not registered.
//
//	offset  size  field
//	     0    32  wallet, an address in the last 20 bytes
//	    32    32  rate in millionths, in the last 4 bytes
//	    64    32  active, zero or one
type entry struct {
	wallet swap.Address
	rate   swap.Rate
	active bool
}

const entrySize = 3 * abi.WordSize

// question returns the calldata that asks about id, in hexadecimal.
func question(id swap.IntegratorID) string {
	return "0x" + hex.EncodeToString(append(registrySelector[:], id[:]...))
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
	r := abi.NewPackedReader(words)
	e.wallet = r.Address()
	rate, active := r.Uint64(), r.Uint64()
	e.rate, e.active = swap.Rate(rate), active == 1
	r.Require(rate <= uint64(maxRate) && active <= 1)
	if r.Err() != nil || e.wallet.IsZero() && e != (entry{}) {
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

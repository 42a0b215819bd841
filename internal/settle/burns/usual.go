package burns

import (
	"time"

	"hubquote/swap"
)

// Usual is how long the issuer usually takes to attest a burn. The first question
// is asked then: earlier ones would only use up the budget.
type Usual struct{ Fast, Standard time.Duration }

// UsualOf returns what the issuer publishes for a network, rounded down. Networks
// that are final within seconds have no fast burns, and are the same for both. An
// unknown network is asked about after the shortest time.
func UsualOf(id swap.ChainID) Usual {
	if u, known := usual[id]; known {
		return u
	}
	return Usual{soon, soon}
}

const (
	soon   = 5 * time.Second
	rollup = 13 * time.Minute // its batches are final with Ethereum's blocks
)

// Source: the issuer's table of attestation times, November 2025. Morph, Pharos
// and Cronos are not in it.
var usual = map[swap.ChainID]Usual{
	1:     {20 * time.Second, rollup},
	10:    {8 * time.Second, rollup},
	130:   {8 * time.Second, rollup},
	480:   {8 * time.Second, rollup},
	8453:  {8 * time.Second, rollup},
	42161: {8 * time.Second, rollup},
	98866: {8 * time.Second, rollup},
	57073: {8 * time.Second, 30 * time.Minute},
	59144: {8 * time.Second, 6 * time.Hour},
	137:   {8 * time.Second, 8 * time.Second},
	146:   {8 * time.Second, 8 * time.Second},
	43114: {8 * time.Second, 8 * time.Second},
	143:   {soon, soon},
	999:   {soon, soon},
	1329:  {soon, soon},
}

package operator

import (
	"time"

	"hubquote/internal/deployment/caps"
	"hubquote/internal/deployment/lane"
	"hubquote/swap"
)

// Reference are the settings of the reference deployment. Its roles are accounts
// of the phrase that every development chain knows, whose keys are public. That
// makes its addresses the same for every developer, and makes it worthless on a
// public chain: anyone could empty it. Its admin is a key without a timelock; the
// delay is the figure that the other rules are tried with.
func Reference(lanes []*lane.Lane) Settings {
	return Settings{
		Roles: Roles{
			Admin:      swap.MustAddress("0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc"), // number 5
			Relayer:    swap.MustAddress("0x976EA74026E726554dB657fA54763abd0C3a0aa9"), // number 6
			Standby:    swap.MustAddress("0xBcd4042DE499D14e55001CcbB24a551F3b954096"), // number 10
			Guardian:   swap.MustAddress("0x14dC79964da2C08b23698B3D3cc7Ca32193d9955"), // number 7
			Treasurer:  swap.MustAddress("0x71bE63f3384f5fb98995898A86B02Fb2426c5788"), // number 11
			LastResort: swap.MustAddress("0xa0Ee7A142d267C1f36714E4a8F75612F20a79720"), // number 9
		},
		AdminDelay: 48 * time.Hour,
		FeeBound:   5_000,
		Caps:       caps.Reference(lanes),
	}
}

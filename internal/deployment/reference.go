package deployment

import "hubquote/swap"

// Reference are the roles of the reference deployment: accounts of the phrase
// that every development chain knows, whose keys are public. That makes its
// addresses the same for every developer, and makes it worthless on a public chain:
// anyone could empty it.
func Reference() Roles {
	return Roles{
		Admin:      swap.MustAddress("0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc"), // number 5
		Relayer:    swap.MustAddress("0x976EA74026E726554dB657fA54763abd0C3a0aa9"), // number 6
		Pauser:     swap.MustAddress("0x14dC79964da2C08b23698B3D3cc7Ca32193d9955"), // number 7
		LastResort: swap.MustAddress("0xa0Ee7A142d267C1f36714E4a8F75612F20a79720"), // number 9
	}
}

package contracts_test

import (
	"testing"

	"hubquote/contracts"
	"hubquote/swap"
)

// The service, the clients and the contracts must agree on the highest rate: a
// quote at a higher one could not be settled.
func TestMaxRateIsThatOfThePackageSwap(t *testing.T) {
	e := newEVM(t, 1)
	for name, c := range map[string]contract{
		"IntegratorRegistry": e.deploy(contracts.IntegratorRegistry, admin),
		"Pool":               deployPool(newEVM(t, 1), 1, native, 18, 1),
	} {
		if got := swap.Rate(c.call(admin, "MAX_RATE")[0].(uint32)); got != swap.MaxRate {
			t.Errorf("%s.MAX_RATE = %d, want swap.MaxRate, %d", name, got, swap.MaxRate)
		}
	}
}

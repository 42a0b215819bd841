package contracts_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/google/go-cmp/cmp"
	"github.com/holiman/uint256"
	"pgregory.net/rapid"

	"hubquote/contracts"
	"hubquote/internal/fee"
	"hubquote/swap"
)

type fees struct{ Gross, Protocol, Integrator, Received *big.Int }

// What the service quotes is what the compiled contracts pay, to the unit, for
// any amount, any decimals and any rates.
func TestFeesAreThoseTheServiceQuotes(t *testing.T) {
	harness := newEVM(t, 8453).deploy(contracts.LibraryHarness)
	rapid.Check(t, func(t *rapid.T) {
		for range 50 {
			compareFees(t, harness)
		}
	})
}

func compareFees(t *rapid.T, harness contract) {
	route := &swap.Route{
		SrcToken: &swap.Token{Decimals: rapid.Uint8Range(0, 18).Draw(t, "from")},
		DstToken: &swap.Token{Decimals: rapid.Uint8Range(0, 18).Draw(t, "to")},
		Rate:     swap.Rate(rapid.Uint32Range(0, 20_000).Draw(t, "protocol rate")),
	}
	partner := &swap.Integrator{Rate: swap.Rate(rapid.Uint32Range(0, 20_000).Draw(t, "integrator rate"))}
	amount := drawAmount(t)
	received, split, err := fee.Split(route, &amount, partner)
	if err != nil {
		return // fees that leave nothing: the pools refuse such an order
	}
	ret := harness.call(alice, "split", amount.ToBig(), route.SrcToken.Decimals, route.DstToken.Decimals,
		big.NewInt(int64(route.Rate)), big.NewInt(int64(partner.Rate)))
	want := &fees{
		Gross:    new(uint256.Int).Add(&received, &split.Total).ToBig(),
		Protocol: split.Protocol.Amount.ToBig(), Integrator: split.Integrator.Amount.ToBig(), Received: received.ToBig(),
	}
	if diff := cmp.Diff(want, abi.ConvertType(ret[0], new(fees)), bigs); diff != "" {
		t.Errorf("fees (-service +contracts):\n%s", diff)
	}
}

// drawAmount prefers what people send: up to a hundred thousand ether.
func drawAmount(t *rapid.T) (a swap.Amount) {
	bits := rapid.IntRange(1, 77).Draw(t, "bits")
	word := rapid.SliceOfN(rapid.Byte(), 10, 10).Draw(t, "amount")
	a.SetBytes(word)
	a.Rsh(&a, uint(80-bits))
	return a
}

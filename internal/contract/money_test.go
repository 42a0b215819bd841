package contract_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"hubquote/internal/fee"
	"hubquote/swap"
)

// fees are fees as Solidity computes them.
type fees struct{ Gross, Protocol, Integrator, Received *big.Int }

// The fees of a quote are those that the pool takes.
func TestFeesOnChainAreTheFeesInTheQuote(t *testing.T) {
	h := newHarness(t)
	check := func(t *rapid.T) {
		from, to := rapid.Uint8Range(0, 18).Draw(t, "from"), rapid.Uint8Range(0, 18).Draw(t, "to")
		rate, partner := drawRate(t, "protocol"), drawRate(t, "integrator")
		var amount swap.Amount
		amount.SetBytes(bytesOf(t, "amount", rapid.IntRange(1, 16).Draw(t, "size")))

		route := &swap.Route{SrcToken: &swap.Token{Decimals: from}, DstToken: &swap.Token{Decimals: to}, Rate: rate}
		received, quoted, err := fee.Split(route, &amount, &swap.Integrator{Rate: partner})
		if err != nil {
			return // nothing is left of so small an amount
		}
		out := h.ask("split", amount.ToBig(), from, to, big.NewInt(int64(rate)), big.NewInt(int64(partner)))
		gross := new(big.Int).Add(received.ToBig(), quoted.Total.ToBig())
		want := &fees{gross, quoted.Protocol.Amount.ToBig(), quoted.Integrator.Amount.ToBig(), received.ToBig()}
		if diff := cmp.Diff(want, abi.ConvertType(out[0], new(fees)), bigs); diff != "" {
			t.Fatalf("%s from %d to %d decimals (-quoted +on chain):\n%s", &amount, from, to, diff)
		}
	}
	for range 40 { // a hundred amounts each
		rapid.Check(t, check)
	}
}

func drawRate(t *rapid.T, name string) swap.Rate {
	return swap.Rate(rapid.Uint32Range(0, 50_000).Draw(t, name))
}

// A pool that shields pays in the smallest value for which the note is worth the
// quoted amount after the privacy pool's fee.
func TestShieldedNoteIsWorthWhatWasQuoted(t *testing.T) {
	h := newHarness(t)
	rapid.Check(t, func(t *rapid.T) {
		worth := new(big.Int).SetBytes(bytesOf(t, "worth", rapid.IntRange(1, 14).Draw(t, "size")))
		bps := big.NewInt(rapid.Int64Range(0, 5_000).Draw(t, "bps"))
		value := h.ask("valueFor", worth, bps)[0].(*big.Int)
		if got := noteWorth(value, bps); got.Cmp(worth) != 0 {
			t.Fatalf("%s makes a note of %s, want %s", value, got, worth)
		}
		less := new(big.Int).Sub(value, big.NewInt(1))
		if less.Sign() >= 0 && noteWorth(less, bps).Cmp(worth) >= 0 {
			t.Fatalf("%s is enough for a note of %s, want the smallest value that is", less, worth)
		}
	})
}

// noteWorth is the value of the note that the privacy pool makes: it keeps its fee,
// rounded down.
func noteWorth(value, bps *big.Int) *big.Int {
	kept := new(big.Int).Mul(value, bps)
	return new(big.Int).Sub(value, kept.Quo(kept, big.NewInt(10_000)))
}

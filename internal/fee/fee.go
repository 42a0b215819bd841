// Package fee computes the costs of a swap. It is the only place in the service
// that divides money, and therefore the only place that rounds it.
package fee

import (
	"errors"

	"github.com/holiman/uint256"

	"hubquote/swap"
)

// IssuerWhole is how many units of a [swap.IssuerRate] make the whole: a basis
// point is a ten-thousandth, and the rate counts its billionths.
const IssuerWhole = 10_000 * 1_000_000_000

var (
	million = uint256.NewInt(1_000_000)
	five    = uint256.NewInt(5)
	six     = uint256.NewInt(6)

	issuerUnit = uint256.NewInt(IssuerWhole)

	errTooLarge = errors.New("fee: the amount is too large to compute with")
	errAllFees  = errors.New("fee: the fees take all of the amount")
)

// Of returns the share of amount that rate takes. It rounds down, so the odd
// unit stays with the user.
func Of(rate swap.Rate, amount *swap.Amount) (share swap.Amount) {
	share.MulDivOverflow(amount, uint256.NewInt(uint64(rate)), million)
	return share
}

// Split divides the worth of amount in the destination token between the user,
// the protocol and the partner, if there is one. The parts always add up
// to the whole, because it is rescaled once and the user gets the rest.
func Split(r *swap.Route, amount *swap.Amount, partner *swap.Integrator) (received swap.Amount, fees swap.Fees, err error) {
	gross, err := Rescale(amount, r.SrcToken.Decimals, r.DstToken.Decimals)
	if err != nil {
		return received, fees, err
	}
	fees.Protocol = swap.Share{Rate: r.Rate, Amount: Of(r.Rate, &gross)}
	if partner != nil {
		fees.Partner = partner
		fees.Integrator = swap.Share{Rate: partner.Rate, Amount: Of(partner.Rate, &gross)}
	}
	fees.InSource = Of(r.Rate, amount)
	fees.Total.Add(&fees.Protocol.Amount, &fees.Integrator.Amount)
	if !fees.Total.Lt(&gross) {
		return received, fees, errAllFees
	}
	received.Sub(&gross, &fees.Total)
	return received, fees, nil
}

// Rescale converts an amount between two tokens of equal worth that differ in
// decimals. It rounds down, so that a pool never owes more than it received.
func Rescale(amount *swap.Amount, from, to uint8) (swap.Amount, error) {
	out := *amount
	switch {
	case from == to:
	case max(from, to)-min(from, to) >= uint8(len(powers)):
		return swap.Amount{}, errTooLarge
	case from > to:
		out.Div(&out, &powers[from-to])
	default:
		if _, overflow := out.MulOverflow(&out, &powers[to-from]); overflow {
			return swap.Amount{}, errTooLarge
		}
	}
	return out, nil
}

// MaxBurnFee returns the most that the issuer may take for burning amount: its
// estimated fee plus a margin of a fifth. It rounds up twice, because a burn that
// offers one unit too little is not attested fast.
func MaxBurnFee(amount *swap.Amount, rate swap.IssuerRate) (swap.Amount, error) {
	estimate, err := ceilMulDiv(amount, uint256.NewInt(uint64(rate)), issuerUnit)
	if err != nil {
		return swap.Amount{}, err
	}
	most, err := ceilMulDiv(&estimate, six, five)
	if err == nil && !most.Lt(amount) {
		err = errAllFees
	}
	return most, err
}

// MinBurnFee returns the least that a burn of amount must offer where the messenger
// demands that rate. The messenger rounds down, but never to nothing; this rounds
// up, which is never less.
func MinBurnFee(amount *swap.Amount, rate swap.IssuerRate) swap.Amount {
	least, err := ceilMulDiv(amount, uint256.NewInt(uint64(rate)), issuerUnit)
	if err != nil {
		return *amount // more than can be borne, so that no quote is given
	}
	return least
}

func ceilMulDiv(a, num, den *uint256.Int) (out swap.Amount, err error) {
	if _, overflow := out.MulDivOverflow(a, num, den); overflow {
		return out, errTooLarge
	}
	var rest uint256.Int
	if !rest.MulMod(a, num, den).IsZero() {
		out.AddUint64(&out, 1)
	}
	return out, nil
}

// powers are the powers of ten by which tokens can differ.
var powers = func() (p [20]uint256.Int) {
	p[0].SetOne()
	for i := range len(p) - 1 {
		p[i+1].Mul(&p[i], uint256.NewInt(10))
	}
	return p
}()

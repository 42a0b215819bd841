package fee

import (
	"github.com/holiman/uint256"

	"hubquote/swap"
)

// MaxBorne is the most that a pool bears of a third party's fee, as a share of the
// order. It is a constant of the contracts; a pool's own bound may be lower.
const MaxBorne swap.Rate = 5_000

// maxRoom is what a pool's room is cut to, so that nothing overflows. No deposit is
// near it: the contracts count them in 128 bits.
var maxRoom = new(uint256.Int).Lsh(uint256.NewInt(1), 192)

// A Payment is how an order counts against the pool that pays it. The quote service
// offers, and the settler pays, what fits by this count.
type Payment struct {
	From, To uint8 // decimals of the deposit and of the pool
	Borne    bool  // a third party takes a fee that the pool bears
}

// Most returns the most that paying a deposit takes from the pool: all that the
// deposit is worth, since the pool may charge less than the order's rate, and with
// it the most that a third party takes.
func (p Payment) Most(deposit *swap.Amount) (swap.Amount, error) {
	most, err := Rescale(deposit, p.From, p.To)
	if err != nil || !p.Borne {
		return most, err
	}
	borne := Of(MaxBorne, &most)
	if _, overflow := most.AddOverflow(&most, &borne); overflow {
		return swap.Amount{}, errTooLarge
	}
	return most, nil
}

// Within returns the largest deposit whose payment takes no more than room.
func (p Payment) Within(room *swap.Amount) (deposit swap.Amount) {
	worth := *room
	if worth.Gt(maxRoom) {
		worth.Set(maxRoom)
	}
	if p.Borne {
		// The largest n with n + n*MaxBorne/million, rounded down, within room.
		worth.AddUint64(&worth, 1)
		worth.Mul(&worth, million)
		worth.SubUint64(&worth, 1)
		worth.Div(&worth, uint256.NewInt(million.Uint64()+uint64(MaxBorne)))
	}
	if p.From <= p.To {
		deposit, _ = Rescale(&worth, p.To, p.From)
		return deposit
	}
	// Deposits that differ by less than one unit of the pool are worth the same.
	worth.AddUint64(&worth, 1)
	deposit, err := Rescale(&worth, p.To, p.From)
	if err != nil {
		return *room
	}
	deposit.SubUint64(&deposit, 1)
	return deposit
}

package fee_test

import (
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"

	"hubquote/internal/fee"
	"hubquote/swap"
)

func TestMostOfAPayment(t *testing.T) {
	tests := []struct {
		name    string
		payment fee.Payment
		deposit string
		want    string
	}{
		{"all that the deposit is worth", fee.Payment{From: 6, To: 6}, "1000000000", "1000000000"},
		{"and what a third party takes", fee.Payment{From: 6, To: 6, Borne: true}, "1000000000", "1005000000"},
		{"a fee is rounded down as the contracts do", fee.Payment{From: 6, To: 6, Borne: true}, "199", "199"},
		{"in the pool's decimals, rounded down", fee.Payment{From: 18, To: 6}, "1999999999999", "1"},
		{"a deposit with fewer decimals", fee.Payment{From: 6, To: 18, Borne: true}, "1000000", "1005000000000000000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tt.payment.Most(uint256.MustFromDecimal(tt.deposit))
			if err != nil || got.Dec() != tt.want {
				t.Errorf("Most(%s) = %s, %v; want %s", tt.deposit, got.Dec(), err, tt.want)
			}
		})
	}
	if got, err := (fee.Payment{From: 6, To: 18}).Most(new(swap.Amount).SetAllOne()); err == nil {
		t.Errorf("Most of the largest number = %s, want an error", got.Dec())
	}
}

// The largest deposit within a room is within it, and one unit more is not.
func TestWithinIsTheLargest(t *testing.T) {
	random := rand.New(rand.NewPCG(17, 0))
	for range 20_000 {
		p := fee.Payment{From: []uint8{6, 8, 18}[random.IntN(3)], To: []uint8{6, 8, 18}[random.IntN(3)], Borne: random.IntN(2) == 0}
		var room swap.Amount
		room.Rsh(uint256.NewInt(random.Uint64()), uint(random.IntN(64)))
		if random.IntN(2) == 0 {
			room.Mul(&room, uint256.NewInt(random.Uint64()))
		}
		deposit := p.Within(&room)
		most, err := p.Most(&deposit)
		if err != nil || most.Gt(&room) {
			t.Fatalf("%+v: a deposit of %s takes %s, %v; want at most %s", p, deposit.Dec(), most.Dec(), err, room.Dec())
		}
		deposit.AddUint64(&deposit, 1)
		if most, err := p.Most(&deposit); err != nil || !most.Gt(&room) {
			t.Fatalf("%+v: a deposit of %s takes %s, %v; want more than %s", p, deposit.Dec(), most.Dec(), err, room.Dec())
		}
	}
	all := new(swap.Amount).SetAllOne()
	for _, p := range []fee.Payment{{From: 6, To: 6, Borne: true}, {From: 18, To: 6}, {From: 6, To: 18}} {
		deposit := p.Within(all)
		if bits := deposit.BitLen(); bits < 128 {
			t.Errorf("%+v: within the largest room is a deposit of %d bits, want more than contracts count in", p, bits)
		}
	}
}

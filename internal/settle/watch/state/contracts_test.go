package state

import (
	"math/big"
	"testing"

	"hubquote/internal/contract"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// A cap that one network has used up, or a network that is closed, holds up no
// order of another.
func TestCapsOfNetworksAreTheirOwn(t *testing.T) {
	receiver, pool := order.Pool{Chain: 1, Address: swap.Address{7}}, order.Pool{Chain: 369, Address: swap.Address{8}}
	s := Snapshot{Contract: roster.Contract{Pool: pool}}
	zero := big.NewInt(0)
	s.said.Liquidity, s.said.Spendable = big.NewInt(1e9), [4]*big.Int{zero, zero, zero, zero}
	for i := range s.said.Caps {
		s.said.Caps[i].Cap = zero
	}
	add := func(place swap.PlaceID, state contract.Link, left int64) {
		s.Sources = append(s.Sources, roster.Source{Place: place, Pool: receiver})
		s.said.Sources = append(s.said.Sources, struct {
			State            contract.Link
			Rate, Cap, Level *big.Int
			Since            uint32
		}{State: state})
		s.said.SpendableFrom = append(s.said.SpendableFrom, big.NewInt(left))
	}
	add(10, contract.Open, 0)
	add(8453, contract.Open, 5)
	add(42161, contract.Closed, 9)
	w := world.World{Contracts: map[order.Pool]world.Contract{}, Left: map[world.Budget]swap.Amount{}}
	s.Fill(&w)
	for _, tt := range []struct {
		place swap.PlaceID
		left  uint64
		known bool
	}{{10, 0, true}, {8453, 5, true}, {42161, 0, false}} {
		from := world.Source{Place: tt.place, Pool: receiver}
		left, known := w.Left[world.Budget{Limit: world.ForSource, Pool: pool, From: from}]
		if known != tt.known || left.Uint64() != tt.left || w.Contracts[pool].Shut[from] == tt.known {
			t.Errorf("network %d: left %d, known %v, closed %v; want %d, %v, %v", tt.place, left.Uint64(), known, w.Contracts[pool].Shut[from], tt.left, tt.known, !tt.known)
		}
	}
}

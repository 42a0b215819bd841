package fee_test

import (
	"testing"

	"github.com/holiman/uint256"

	"hubquote/internal/fee"
	"hubquote/swap"
)

func BenchmarkSplit(b *testing.B) {
	route := &swap.Route{SrcToken: &swap.Token{Decimals: 18}, DstToken: &swap.Token{Decimals: 6}, Rate: 3_000}
	amount := uint256.MustFromDecimal("25000000000000000000000")
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := fee.Split(route, amount, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMaxBurnFee(b *testing.B) {
	amount := uint256.NewInt(25_000_000_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := fee.MaxBurnFee(amount, 1_300_000_000); err != nil {
			b.Fatal(err)
		}
	}
}

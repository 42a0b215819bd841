package level_test

import (
	"testing"

	"github.com/holiman/uint256"

	"hubquote/internal/pools/level"
)

func TestLevel(t *testing.T) {
	tests := []struct {
		name       string
		seen, want []uint64
	}{
		{"it falls at once", []uint64{1000, 999, 500, 0}, []uint64{1000, 999, 500, 0}},
		{"it rises at once by a twentieth", []uint64{1000, 1050, 1103}, []uint64{1000, 1050, 1103}},
		{"a smaller rise is shown when it is seen again", []uint64{1000, 1049, 1049}, []uint64{1000, 1000, 1049}},
		{"a small fall heals when the rest is back", []uint64{1000, 990, 1000, 1000}, []uint64{1000, 990, 990, 1000}},
		{"a rise that does not last is not shown", []uint64{1000, 1040, 1000, 1040, 1000}, []uint64{1000, 1000, 1000, 1000, 1000}},
		{"of two rises in a row, what both had is shown", []uint64{1000, 1020, 1030, 1040, 1040}, []uint64{1000, 1000, 1020, 1030, 1040}},
		{"the lower of two rises is the second", []uint64{1000, 1030, 1020}, []uint64{1000, 1000, 1020}},
		{"a pool with a few units heals too", []uint64{19, 0, 1, 2, 2, 3, 3}, []uint64{19, 0, 1, 2, 2, 3, 3}},
		{"an empty pool is filled", []uint64{0, 0, 1000}, []uint64{0, 0, 1000}},
		{"from a twentieth above the largest order on, a rise does not matter", []uint64{105_000, 104_999, 105_000}, []uint64{105_000, 104_999, 105_000}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var l level.Level
			for i, n := range tt.seen {
				l.See(uint256.NewInt(n), uint256.NewInt(100_000))
				if got := l.Shown(); got.Uint64() != tt.want[i] {
					t.Fatalf("after %v it is said to have %s, want %d", tt.seen[:i+1], got.Dec(), tt.want[i])
				}
			}
		})
	}
}

package network_test

import (
	"testing"

	"hubquote/internal/settler/network"
	"hubquote/swap"
)

// Chains with pools take several transactions of one key at a time. All others
// have odd pools, where one is certain. On 4663 a higher fee buys nothing.
func TestTraits(t *testing.T) {
	for _, tt := range []struct {
		chain    swap.ChainID
		inFlight int
		safe     bool
		mempool  bool
	}{
		{1, 16, false, true},
		{56, 16, false, true},
		{369, 16, false, true},
		{4663, 16, true, false},
		{8453, 16, true, true},
		{42161, 1, false, true},
		{143, 1, false, true},
		{999, 1, false, true},
	} {
		got := network.Of(tt.chain)
		if got.InFlight != tt.inFlight || got.Safe != tt.safe || got.Mempool != tt.mempool {
			t.Errorf("chain %d has %+v, want %d in flight, a safe tag %v, a mempool %v", tt.chain, got, tt.inFlight, tt.safe, tt.mempool)
		}
	}
}

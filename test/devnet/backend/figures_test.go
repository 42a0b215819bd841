package backend_test

import (
	"context"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"

	"hubquote/internal/contract"
	"hubquote/test/devnet"
	"hubquote/test/fake"
)

// events returns how often each order has an event, on all chains.
func events(t *testing.T, n *devnet.Net, code *contract.Compiled, names ...string) map[common.Hash]int {
	t.Helper()
	found := map[common.Hash]int{}
	for _, c := range n.Chains {
		for _, name := range names {
			logs, err := c.Logs(t.Context(), ethereum.FilterQuery{FromBlock: new(big.Int), Topics: [][]common.Hash{{code.ABI().Events[name].ID}}})
			if err != nil {
				t.Fatal(err)
			}
			for _, log := range logs {
				found[log.Topics[1]]++
			}
		}
	}
	return found
}

// figures counts what became of every order on the chains, and says what is wrong.
func (w *world) figures(t *testing.T) {
	t.Helper()
	opened := events(t, w.Net, contract.Pool, "OrderOpened")
	paid := events(t, w.Net, contract.Pool, "OrderFulfilled")
	back := events(t, w.Net, contract.Pool, "OrderRefunded", "OrderReclaimed")
	released := events(t, w.Net, contract.Pool, "OrderReleased")
	w.count.set("orders", len(opened))
	w.count.set("paid", len(paid))
	w.count.set("refunded", len(back))
	for id, times := range paid {
		if times > 1 {
			w.count.add("paid twice")
		}
		if back[id] > 0 {
			w.count.add("refunded and paid")
		}
		if opened[id] == 0 {
			w.count.add("paid without a deposit")
		}
	}
	for id := range opened {
		switch {
		case paid[id] == 0 && released[id] > 0:
			w.count.add("lost")
		case paid[id] == 0 && back[id] == 0:
			w.count.add("stuck without alert")
		}
	}
	for _, name := range []string{
		"lost", "paid twice", "refunded and paid", "stuck without alert", "paid without a deposit",
		"status that fell", "final status that the chain contradicts",
	} {
		if got := w.count.of(name); got != 0 {
			t.Errorf("%s: %d, want 0", name, got)
		}
	}
}

// until waits for a condition as long as a storm may take.
func until(t *testing.T, what func() string, so func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Duration(*minutes)*time.Minute)
	defer cancel()
	if fake.Until(ctx, so) != nil {
		t.Fatalf("not within %d minutes: want that %s", *minutes, what())
	}
}

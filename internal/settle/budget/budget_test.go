package budget_test

import (
	"errors"
	"testing"
	"time"

	"github.com/holiman/uint256"

	"hubquote/internal/settle/budget"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/world"
	"hubquote/swap"
	"hubquote/test/journaltest"
)

var (
	src   = order.Pool{Chain: 8453, Address: swap.Address{1}}
	dst   = order.Pool{Chain: 369, Address: swap.Address{2}}
	token = order.Pool{Chain: 8453, Address: swap.Address{3}}
	now   = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
)

// TestComplete has one payment under way that reserves, one order that is paid and
// not released, a loss yesterday, and three today: one is ready, one failed after
// it was sent, one was dropped before.
func TestComplete(t *testing.T) {
	ctx := t.Context()
	j, w := journaltest.Open(t)
	deposit := func(n byte, s order.State) journal.Order {
		return journal.Order{State: s, Proof: order.Safe, Order: order.Order{
			ID: order.ID{n}, Src: src, Dst: dst, Asset: token.Address, Amount: *uint256.NewInt(10), Pays: *uint256.NewInt(9), Body: []byte{1},
		}}
	}
	least := map[order.Pool]swap.Amount{token: *uint256.NewInt(7)}
	limits := budget.Limits{BreakEven: map[swap.ChainID]map[order.Pool]swap.Amount{369: least, 1: least}, Exposure: map[order.Pool]swap.Amount{token: *uint256.NewInt(100)}, Losses: map[swap.ChainID]uint64{369: 5}}
	err := w.Write(ctx, func(tx journal.Tx) error {
		for _, o := range []journal.Order{deposit(1, order.Paying), deposit(2, order.Settled)} {
			if err := tx.PutOrder(ctx, o); err != nil {
				return err
			}
		}
		for _, task := range []journal.Task{
			{Subject: order.Hash{1}, Kind: order.Pay, Chain: 369, Made: now},
			{Subject: order.Hash{7}, Kind: order.Reclaim, Chain: 369, Made: now.Add(-11 * time.Hour), Loss: true},
			{Subject: order.Hash{8}, Kind: order.Reclaim, Chain: 369, Made: now.Add(-13 * time.Hour), Loss: true},
			{Subject: order.Hash{9}, Kind: order.Reclaim, Chain: 369, Made: now, Loss: true},
			{Subject: order.Hash{10}, Kind: order.Reclaim, Chain: 369, Made: now, Loss: true},
		} {
			if _, err := tx.AddTask(ctx, task); err != nil {
				return err
			}
		}
		a := journal.Attempt{Hash: order.Hash{1}, Chain: 369, Raw: []byte{1}}
		failed := journal.Attempt{Hash: order.Hash{2}, Chain: 369, Nonce: 1, Raw: []byte{1}}
		return errors.Join(
			tx.Commit(ctx, a, []journal.Reserved{{Task: 1, Amount: *uint256.NewInt(10)}}, limits.Exposure),
			tx.Commit(ctx, failed, []journal.Reserved{{Task: 4}}, limits.Exposure),
			tx.EndTask(ctx, 4, order.Void), tx.EndTask(ctx, 5, order.Void))
	})
	if err != nil {
		t.Fatal(err)
	}
	around := world.World{Left: map[world.Budget]swap.Amount{}, Fees: map[swap.ChainID]world.Fees{369: {WithinCap: true}}}
	known := []world.Budget{
		{Limit: world.Liquidity, Pool: dst}, {Limit: world.Payments, Pool: dst}, {Limit: world.ForSource, Pool: dst, From: world.Source{Pool: src}}, {Limit: world.Unfreed, Pool: src},
	}
	for _, b := range known {
		around.Left[b] = *uint256.NewInt(50)
	}
	if err := budget.Complete(ctx, now, j, limits, &around); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		of   world.Budget
		want uint64
	}{
		{"liquidity, less what is being paid", known[0], 41},
		{"the payments' cap", known[1], 41},
		{"the cap for the source", known[2], 41},
		{"a day of releases, less what is paid and what is being paid", known[3], 30},
		{"the exposure, less what is reserved", world.Budget{Limit: world.Early, Pool: token}, 90},
		{"losses of this day", world.Budget{Limit: world.Subsidy, Pool: order.Pool{Chain: 369}}, 3},
	} {
		if left, ok := around.Left[tt.of]; !ok || left.Uint64() != tt.want {
			t.Errorf("%s: %d is left, %v, want %d", tt.name, left.Uint64(), ok, tt.want)
		}
	}
	if fees := around.Fees[369]; !fees.WithinCap || fees.BreakEven[token] != least[token] || len(around.Fees) != 1 {
		t.Errorf("fees = %+v, want the break-even of the chain that is known", around.Fees)
	}
	if len(around.Left) != 6 {
		t.Errorf("%d budgets, want 6: what was not known stays so", len(around.Left))
	}
}

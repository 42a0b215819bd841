package state

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"hubquote/internal/contract"
	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// A Snapshot is the state of a contract.
type Snapshot struct {
	roster.Contract
	Held   swap.Amount // of deposits
	Opened uint64      // orders, ever
	said   contract.Snapshot
}

// atOnce is how many contracts fit in one answer of the lens.
const atOnce = 4

// Snapshots returns the state of contracts of one chain, all at one block. One
// that is not deployed there has none.
func Snapshots(ctx context.Context, n *quorum.Nodes, contracts roster.Roster) (list []Snapshot, at node.Block, err error) {
	var calls []call
	for first := 0; first < len(contracts); first += atOnce {
		calls = append(calls, call{"snapshot", []any{queries(contracts[first:min(first+atOnce, len(contracts))])}})
	}
	results, at, err := ask(ctx, n, calls)
	if err != nil {
		return nil, at, err
	}
	for _, result := range results {
		for _, s := range as[[]contract.Snapshot](result[3]) {
			if s.CodeHash != [32]byte{} {
				list = append(list, Snapshot{contracts[0], amount(s.Totals.Held), s.Orders, s})
			}
			contracts = contracts[1:]
		}
	}
	return list, at, nil
}

func queries(contracts roster.Roster) (list []contract.Query) {
	for _, c := range contracts {
		q := contract.Query{Kind: uint8(c.Kind), Target: common.Address(c.Address)}
		for _, s := range c.Sources {
			q.Sources = append(q.Sources, contract.Key{Place: new(big.Int).SetUint64(uint64(s.Place)), Account: common.Address(s.Pool.Address)})
		}
		list = append(list, q)
	}
	return list
}

func amount(n *big.Int) swap.Amount {
	a, _ := uint256.FromBig(n)
	return *a
}

// Fill adds the contract and what it lets through to the world.
func (s *Snapshot) Fill(w *world.World) {
	c := world.Contract{Paused: s.said.PaymentsPaused, Removed: s.Removed, Shut: map[order.Pool]bool{}}
	s.left(w, world.Refunds, order.Pool{}, s.said.Spendable[contract.RefundsCap])
	s.left(w, world.Releases, order.Pool{}, s.said.Spendable[contract.ReleasesCap])
	// A bucket lets half of its cap through in a day once it is full.
	s.left(w, world.Unfreed, order.Pool{}, new(big.Int).Rsh(s.said.Caps[contract.ReleasesCap].Cap, 1))
	if s.Kind != roster.Receiver {
		s.left(w, world.Liquidity, order.Pool{}, s.said.Liquidity)
		s.left(w, world.Payments, order.Pool{}, s.said.Spendable[contract.PaymentsCap])
	}
	for from, left := range s.bySource() {
		c.Shut[from] = left == nil
		if left != nil {
			s.left(w, world.ForSource, from, left)
		}
	}
	w.Contracts[s.Pool] = c
}

func (s *Snapshot) left(w *world.World, l world.Limit, from order.Pool, n *big.Int) {
	w.Left[world.Budget{Limit: l, Pool: s.Pool, From: from}] = amount(n)
}

// bySource returns what may still be paid for each source, and nil for one that
// is closed. A receiver has a cap for each network that is burned on, and counts
// with the lowest of those that are open.
func (s *Snapshot) bySource() map[order.Pool]*big.Int {
	all := map[order.Pool]*big.Int{}
	for i, from := range s.Sources {
		least, known := all[from.Pool]
		switch left := s.said.SpendableFrom[i]; {
		case s.said.Sources[i].State != contract.Open && known:
		case s.said.Sources[i].State != contract.Open:
			all[from.Pool] = nil
		case least == nil || left.Cmp(least) < 0:
			all[from.Pool] = left
		}
	}
	return all
}

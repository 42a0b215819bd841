package state

import (
	"context"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"hubquote/internal/contract"
	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
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
	c := world.Contract{Paused: s.said.PaymentsPaused, Removed: s.Removed, Shut: map[world.Source]bool{}}
	s.left(w, world.Refunds, world.Source{}, s.said.Spendable[contract.RefundsCap])
	s.left(w, world.Releases, world.Source{}, s.said.Spendable[contract.ReleasesCap])
	// A bucket lets half of its cap through in a day once it is full.
	s.left(w, world.Unfreed, world.Source{}, new(big.Int).Rsh(s.said.Caps[contract.ReleasesCap].Cap, 1))
	if s.Kind != roster.Receiver {
		s.left(w, world.Liquidity, world.Source{}, s.said.Liquidity)
		s.left(w, world.Payments, world.Source{}, s.said.Spendable[contract.PaymentsCap])
	}
	for i, at := range s.Sources {
		from := world.Source(at)
		if c.Shut[from] = s.said.Sources[i].State != contract.Open; !c.Shut[from] {
			s.left(w, world.ForSource, from, s.said.SpendableFrom[i])
		}
	}
	w.Contracts[s.Pool] = c
}

func (s *Snapshot) left(w *world.World, l world.Limit, from world.Source, n *big.Int) {
	w.Left[world.Budget{Limit: l, Pool: s.Pool, From: from}] = amount(n)
}

// Package census finds out whether the journal has every order of a chain's
// contracts: what they hold must be the sum of the deposits that it knows, and
// their count of orders the next running number.
package census

import (
	"context"

	"hubquote/internal/quorum"
	"hubquote/internal/quorum/node"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/roster"
	"hubquote/internal/settle/watch/record"
	"hubquote/internal/settle/watch/state"
)

// A Census is what the contracts of a chain say at one block.
type Census struct {
	At        node.Block
	snapshots []state.Snapshot
}

// Take asks the contracts.
func Take(ctx context.Context, n *quorum.Nodes, contracts roster.Roster) (*Census, error) {
	snapshots, at, err := state.Snapshots(ctx, n, contracts)
	return &Census{at, snapshots}, err
}

// Compare returns the contracts that have orders the journal does not know, and
// records the figures. The journal must have all logs up to the block.
func (c *Census) Compare(ctx context.Context, b *record.Book) (differ []order.Pool, err error) {
	for _, s := range c.snapshots {
		known, err := b.Tx.Holding(ctx, s.Pool, c.At.Number)
		if err != nil {
			return nil, err
		}
		row := journal.Census{Contract: s.Pool, Number: c.At.Number, Hash: c.At.Hash, Orders: s.Opened, Held: s.Held, Sums: known.Sum}
		if err := b.Tx.SetCensus(ctx, row); err != nil {
			return nil, err
		}
		if !complete(known, s) {
			differ = append(differ, s.Pool)
		}
	}
	return differ, nil
}

// complete reports whether the journal has every order of a contract. Those
// from before the first block that is read are not known, and must be closed.
func complete(known journal.Holding, s state.Snapshot) bool {
	return known.Sum == s.Held && (known.Orders == 0 || known.Next == s.Opened)
}

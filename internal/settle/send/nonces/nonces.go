// Package nonces brings the journal's nonces up to what a chain has used. A
// receipt decides about a nonce and never about a task: tasks are ended here
// only when other bytes have used their nonce.
package nonces

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/send/peers"
	"hubquote/swap"
)

// Nonces are those of one key on one chain. Use [New].
type Nonces struct {
	Chain   swap.ChainID
	Key     swap.Address
	Peers   *peers.Peers
	Journal journal.Reader
	Write   func(ctx context.Context, fn func(journal.Tx) error) error
	Final   func(ctx context.Context) (uint64, error) // the number of the final block
	After   uint64                                    // blocks that nodes may be behind
	Log     *slog.Logger

	Foreign int // used by bytes that are not in the journal, since the start

	odd map[uint64]uint64 // nonces used by other bytes, as it seems, and since which head
}

// New returns them. All fields up to Log are required.
func New(n Nonces) *Nonces {
	n.odd = map[uint64]uint64{}
	return &n
}

// Update records what became of the nonces below count, which the chain has
// used, and of those above, which it has not. It returns the latter, lowest
// first. A failure with one nonce does not keep it from the others.
func (n *Nonces) Update(ctx context.Context, count uint64) ([]journal.Nonce, error) {
	if err := errors.Join(n.Adopt(ctx, count), n.restore(ctx, count)); err != nil {
		return nil, err
	}
	rows, err := n.Journal.TxsOpen(ctx, n.Chain, n.Key)
	if err != nil {
		return nil, err
	}
	final, err := n.final(ctx, rows)
	var unused, used []journal.Nonce
	for _, row := range rows {
		switch {
		case row.Nonce >= count:
			unused = append(unused, row)
		case row.State == journal.NonceSent || row.Block <= final:
			used = append(used, row)
		}
	}
	return unused, errors.Join(err, n.settle(ctx, used, final))
}

// final returns the number of the final block, if a nonce waits for it.
func (n *Nonces) final(ctx context.Context, rows []journal.Nonce) (uint64, error) {
	for _, row := range rows {
		if row.State == journal.NonceMined {
			return n.Final(ctx)
		}
	}
	return 0, nil
}

// most bounds how many nonces may be adopted at once.
const most = 100_000

// Adopt records the nonces between the journal's last and the chain's count as
// foreign: they were used by bytes that the journal has lost or never had.
func (n *Nonces) Adopt(ctx context.Context, count uint64) error {
	last, found, err := n.Journal.TxLast(ctx, n.Chain, n.Key)
	if err != nil || !found || last.Nonce+1 >= count {
		return err
	}
	if count-last.Nonce > most {
		return fmt.Errorf("the chain has used %d nonces, the journal ends at %d: is this the journal of this key?", count, last.Nonce)
	}
	n.Log.Warn("nonces were used by transactions that are not in the journal", "from", last.Nonce+1, "to", count-1)
	n.Foreign += int(count - last.Nonce - 1)
	return n.Write(ctx, func(tx journal.Tx) error {
		for i := last.Nonce + 1; i < count; i++ {
			row := journal.Nonce{Chain: n.Chain, Key: n.Key, Nonce: i, State: journal.NonceForeign, Filler: true}
			if err := tx.SetNonce(ctx, row); err != nil {
				return err
			}
		}
		return nil
	})
}

// restore makes nonces sent again that the journal calls mined and the chain has
// not used: a reorganisation took them away, or they never were.
func (n *Nonces) restore(ctx context.Context, count uint64) error {
	rows, err := n.Journal.TxsFrom(ctx, n.Chain, n.Key, count)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.State == journal.NonceSent {
			continue
		}
		n.Log.Warn("a mined transaction is gone", "nonce", row.Nonce, "was", row.State, "tx", row.Mined, "block", row.Block)
		if err := n.set(ctx, row, journal.NonceSent, peers.Fate{}); err != nil {
			return err
		}
	}
	return nil
}

func (n *Nonces) set(ctx context.Context, row journal.Nonce, s journal.NonceState, f peers.Fate) error {
	row.State, row.Mined, row.Block, row.Hash = s, f.Tx, f.Block, f.Hash
	return n.Write(ctx, func(tx journal.Tx) error { return tx.SetNonce(ctx, row) })
}

// Wanted reports whether a task of the nonce has not ended.
func (n *Nonces) Wanted(ctx context.Context, row journal.Nonce) (bool, error) {
	tasks, err := n.Journal.TasksOf(ctx, row.Chain, row.Key, row.Nonce)
	return len(open(tasks)) > 0, err
}

func open(tasks []journal.Task) (list []journal.Task) {
	for _, t := range tasks {
		if t.Progress == order.Sent {
			list = append(list, t)
		}
	}
	return list
}

package nonces

import (
	"context"
	"errors"
	"sync"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/send/peers"
)

// A verdict is what nodes say about a nonce.
type verdict struct {
	fate peers.Fate
	err  error
}

// settle asks what became of nonces that the chain has used, all at once, and
// records it.
func (n *Nonces) settle(ctx context.Context, rows []journal.Nonce, final uint64) (errs error) {
	verdicts := make([]verdict, len(rows))
	var asking sync.WaitGroup
	for i, row := range rows {
		asking.Go(func() { verdicts[i] = n.ask(ctx, row) })
	}
	asking.Wait()
	for i, v := range verdicts {
		if v.err == nil && v.fate.Used { // else it is asked again at the next look
			v.err = n.record(ctx, rows[i], v.fate, final)
		}
		errs = errors.Join(errs, v.err)
	}
	return errs
}

func (n *Nonces) ask(ctx context.Context, row journal.Nonce) (v verdict) {
	if row.State == journal.NonceMined {
		wanted, err := n.Wanted(ctx, row)
		if err != nil || wanted { // it stays open until its tasks have ended
			return verdict{err: err}
		}
	}
	attempts, err := n.Journal.Attempts(ctx, row.Chain, row.Key, row.Nonce)
	if err != nil {
		return verdict{err: err}
	}
	v.fate, v.err = n.Peers.Fate(ctx, row.Nonce, candidates(row, attempts))
	return v
}

// candidates returns the attempts' hashes, the most likely first.
func candidates(row journal.Nonce, attempts []journal.Attempt) (list []order.Hash) {
	if !row.Mined.IsZero() {
		list = append(list, row.Mined)
	}
	for i := len(attempts) - 1; i >= 0; i-- {
		if attempts[i].Hash != row.Mined {
			list = append(list, attempts[i].Hash)
		}
	}
	return list
}

func (n *Nonces) record(ctx context.Context, row journal.Nonce, f peers.Fate, final uint64) error {
	switch {
	case f.Tx.IsZero():
		return n.suspect(ctx, row)
	case row.State == journal.NonceMined && f.Block <= final:
		return n.set(ctx, row, journal.NonceFinal, f)
	}
	delete(n.odd, row.Nonce)
	return n.set(ctx, row, journal.NonceMined, f)
}

// suspect records a nonce as foreign when other bytes have used it for several
// blocks: one machine of a node may lag behind another. How many blocks is not
// for a single node to say. Its tasks are void, so that they are decided again.
func (n *Nonces) suspect(ctx context.Context, row journal.Nonce) error {
	head, err := n.Peers.Height(ctx)
	if err != nil {
		return err
	}
	since, known := n.odd[row.Nonce]
	if !known || head < since {
		n.odd[row.Nonce], since = head, head
	}
	if head < since+n.After {
		return nil
	}
	n.Log.Warn("a nonce was used by a transaction that is not in the journal", "nonce", row.Nonce)
	if err := n.Write(ctx, func(tx journal.Tx) error { return disown(ctx, tx, row) }); err != nil {
		return err
	}
	delete(n.odd, row.Nonce)
	n.Foreign++
	return nil
}

func disown(ctx context.Context, tx journal.Tx, row journal.Nonce) error {
	tasks, err := tx.TasksOf(ctx, row.Chain, row.Key, row.Nonce)
	if err != nil {
		return err
	}
	for _, t := range open(tasks) {
		if err := tx.EndTask(ctx, t.ID, order.Void); err != nil {
			return err
		}
	}
	row.State, row.Mined, row.Block, row.Hash = journal.NonceForeign, order.Hash{}, 0, order.Hash{}
	return tx.SetNonce(ctx, row)
}

package send

import (
	"context"
	"errors"
	"fmt"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/policy/lane"
	"hubquote/internal/settle/sign"
)

var errUnready = errors.New("the nonces are not reconciled with the chain yet")

// Reconcile compares the journal's nonces with the chain's, at the start and
// after every takeover. A nonce that was mined and has no row is recorded as
// foreign. Nonces that nodes hold for this key without a row get a filler, which
// is sent only if they are left out of blocks.
func (l *Lane) Reconcile(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ready, l.memos, l.capped = false, map[uint64]*memo{}, false
	if err := l.reconcile(ctx); err != nil {
		return fmt.Errorf("chain %d: reconcile nonces: %w", l.opts.Chain, err)
	}
	l.ready = true
	return nil
}

func (l *Lane) reconcile(ctx context.Context) error {
	count, err := l.peers.Count(ctx)
	if err != nil {
		return err
	}
	pending, err := l.peers.Pending(ctx)
	if err != nil {
		return err
	}
	l.first = count
	if err := l.adopt(ctx, count); err != nil {
		return err
	}
	// This lane never has more in flight, so a node that names more is wrong.
	if err := l.hold(ctx, min(pending, count+uint64(l.opts.InFlight))); err != nil {
		return err
	}
	_, err = l.rows(ctx)
	return err
}

// adopt records the nonces between the journal's last and the chain's count as
// foreign: they were used by bytes that the journal has lost or never had.
func (l *Lane) adopt(ctx context.Context, count uint64) error {
	last, found, err := l.opts.Journal.TxLast(ctx, l.opts.Chain, l.key)
	if err != nil || !found || last.Nonce+1 >= count {
		return err
	}
	l.opts.Log.Warn("nonces were used by transactions that are not in the journal", "from", last.Nonce+1, "to", count-1)
	l.foreign += int(count - last.Nonce - 1)
	return l.opts.Write(ctx, func(tx journal.Tx) error {
		for n := last.Nonce + 1; n < count; n++ {
			if err := tx.SetNonce(ctx, journal.Nonce{Chain: l.opts.Chain, Key: l.key, Nonce: n, State: journal.NonceForeign, Filler: true}); err != nil {
				return err
			}
		}
		return nil
	})
}

// hold commits a filler for each nonce below pending that has no row. Nodes have
// a transaction for it, perhaps a payment that the journal has lost, so the
// filler is kept back until that one is left out of blocks.
func (l *Lane) hold(ctx context.Context, pending uint64) error {
	for {
		nonce, err := l.next(ctx)
		if err != nil || nonce >= pending {
			return err
		}
		if err := l.refresh(ctx, fresh); err != nil {
			return err
		}
		a, err := l.filler(ctx, nonce, lane.Offer(l.purse.Fees, l.opts.Limits))
		if err != nil {
			return err
		}
		l.opts.Log.Warn("nodes hold a transaction that is not in the journal", "nonce", nonce)
		if err := l.commit(ctx, a, func(tx journal.Tx) error { return tx.Commit(ctx, a, nil, nil) }); err != nil {
			return err
		}
	}
}

// most is the most gas that nothing, sent to oneself, can need on any chain.
const most = 500_000

// filler signs nothing, to oneself, which uses up a nonce.
func (l *Lane) filler(ctx context.Context, nonce uint64, m lane.Move) (journal.Attempt, error) {
	gas, err := l.gas(ctx, Call{To: l.key, Gas: most})
	if err != nil {
		return journal.Attempt{}, err
	}
	return l.sign(ctx, sign.Transaction{Nonce: nonce, To: l.key, Gas: gas, Tip: m.Tip, Cap: m.Cap})
}

// rows reads the nonces that are not final, and counts those in flight.
func (l *Lane) rows(ctx context.Context) ([]journal.Nonce, error) {
	rows, err := l.opts.Journal.TxsOpen(ctx, l.opts.Chain, l.key)
	if err != nil {
		return nil, err
	}
	l.open = 0
	kept := map[uint64]*memo{}
	for _, n := range rows {
		if n.State == journal.NonceSent {
			l.open++
			if m := l.memos[n.Nonce]; m != nil {
				kept[n.Nonce] = m
			}
		}
	}
	l.memos = kept
	return rows, nil
}

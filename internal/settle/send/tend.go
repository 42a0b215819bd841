package send

import (
	"context"
	"errors"
	"fmt"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/pace"
)

var errUnready = errors.New("the nonces are not reconciled with the chain yet")

// Reconcile compares the journal's nonces with the chain's, at the start and
// after every takeover. A nonce that was mined and has no row is recorded as
// foreign. Nonces that nodes hold for this key without a row get a filler, which
// is sent only if they are left out of blocks.
func (l *Lane) Reconcile(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.show()
	l.ready, l.idle, l.memos, l.looked = false, false, map[uint64]*memo{}, time.Time{}
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
	if err := l.nonces.Adopt(ctx, count); err != nil {
		return err
	}
	// This lane never has more in flight, so nodes that name more are wrong.
	if err := l.hold(ctx, min(pending, count+uint64(l.opts.InFlight))); err != nil {
		return err
	}
	rows, err := l.opts.Journal.TxsFrom(ctx, l.opts.Chain, l.opts.Signer.Address(), count)
	for _, row := range rows {
		l.memos[row.Nonce] = &memo{}
	}
	return errors.Join(err, l.rest(ctx))
}

// hold commits a filler for each nonce below pending that has no row. Nodes have
// a transaction for it, perhaps a payment that the journal has lost, so the
// filler is kept back until that one is left out of blocks.
func (l *Lane) hold(ctx context.Context, pending uint64) error {
	for {
		nonce, err := l.outbox.Next(ctx, l.first)
		if err != nil || nonce >= pending {
			return err
		}
		if err := l.purse.Refresh(ctx, pace.Fresh); err != nil {
			return err
		}
		offer := l.purse.Offer()
		a, err := l.outbox.Filler(ctx, nonce, offer.Tip, offer.Cap)
		if err != nil {
			return err
		}
		l.opts.Log.Warn("nodes hold a transaction that is not in the journal", "nonce", nonce)
		if err := l.outbox.Commit(ctx, a, func(tx journal.Tx) error { return tx.Commit(ctx, a, nil, nil) }); err != nil {
			return err
		}
	}
}

// Tend looks after every nonce that is not final: it records what was mined,
// what became final and what a reorganisation took away, ends the tasks of a
// nonce that other bytes have used as void, and sends again, replaces or fills
// transactions that blocks leave out. Call it at least once per block; it asks nothing
// when nothing is open or all that is open waits, and only for the head when there
// is no new block.
//
// It does not end the tasks of a nonce that was mined: only an event that names
// the order, or its absence in a final block, can. Until they are ended the
// nonce stays open in the journal.
func (l *Lane) Tend(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.show()
	switch {
	case !l.ready:
		return errUnready
	case l.idle:
		return nil
	}
	if due, err := l.due(ctx); err != nil || !due {
		return err
	}
	count, err := l.peers.Count(ctx)
	if err != nil {
		return err
	}
	unused, err := l.nonces.Update(ctx, count)
	if err != nil && unused == nil {
		return err
	}
	return errors.Join(err, l.push(ctx, unused), l.rest(ctx))
}

// rest notes whether the journal has an open nonce at all.
func (l *Lane) rest(ctx context.Context) error {
	open, err := l.opts.Journal.TxsOpen(ctx, l.opts.Chain, l.opts.Signer.Address())
	l.idle = err == nil && len(open) == 0
	return err
}

// due reports whether it is time for a look: after a new block, and some time after
// the last look, since a node may have been behind.
func (l *Lane) due(ctx context.Context) (bool, error) {
	if waits, err := l.waits(ctx); err != nil || waits {
		return false, err
	}
	head, err := l.latest(ctx)
	if err != nil || head == l.seen && time.Since(l.looked) < min(pace.Relook, l.opts.Resend) {
		return false, err
	}
	if l.opts.Gone != nil {
		l.gone = l.opts.Gone()
	}
	l.head, l.seen, l.looked = head, head, time.Now()
	return true, nil
}

// waits reports whether every open nonce is mined and waits for the final block, or
// for its tasks to end. It is for lanes that are told what becomes of blocks: it asks
// the journal alone. A nonce that the lane last saw in no block is looked at whatever
// the journal says; and all are now and then, since not every transaction has a fact
// that its block would be missed by.
func (l *Lane) waits(ctx context.Context) (bool, error) {
	told := l.opts.Head != nil && l.opts.Final != nil && l.opts.Gone != nil
	if !told || len(l.memos) > 0 || l.gone != l.opts.Gone() || time.Since(l.looked) >= pace.Recheck {
		return false, nil
	}
	final, err := l.opts.Final(ctx)
	if err != nil {
		return false, err
	}
	open, err := l.opts.Journal.TxsOpen(ctx, l.opts.Chain, l.opts.Signer.Address())
	for _, row := range open {
		if ripe, err := l.ripe(ctx, row, final); err != nil || ripe {
			return false, err
		}
	}
	return err == nil, err
}

// ripe reports whether a look at a nonce can change what the journal says.
func (l *Lane) ripe(ctx context.Context, row journal.Nonce, final uint64) (bool, error) {
	if row.State == journal.NonceSent || row.Block > final {
		return row.State == journal.NonceSent, nil
	}
	wanted, err := l.nonces.Wanted(ctx, row)
	return !wanted, err
}

func (l *Lane) latest(ctx context.Context) (uint64, error) {
	if l.opts.Head != nil {
		return l.opts.Head(ctx)
	}
	return l.peers.Head(ctx)
}

// A tag is the final block as the lane's own nodes named it.
type tag struct {
	number uint64
	at     time.Time
}

func (l *Lane) tag(ctx context.Context) (uint64, error) {
	if l.opts.Final != nil {
		return l.opts.Final(ctx)
	}
	if time.Since(l.final.at) < pace.Tag {
		return l.final.number, nil
	}
	number, err := l.peers.Final(ctx)
	if err == nil {
		l.final = tag{number, time.Now()}
	}
	return number, err
}

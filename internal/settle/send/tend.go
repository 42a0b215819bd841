package send

import (
	"context"
	"errors"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/send/peers"
)

// Tend looks after every nonce that is not final: it records what was mined,
// what became final and what a reorganisation took away, ends the tasks of a
// nonce that other bytes have used as void, and sends again, replaces or fills
// what is left out of blocks. Call it at least once per block; it asks nothing
// when nothing is open, and only for the head when there is no new block.
//
// It does not end the tasks of a nonce that was mined: only an event that names
// the order, or its absence in a final block, can. Until they are ended the
// nonce stays open in the journal.
func (l *Lane) Tend(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ready {
		return errUnready
	}
	rows, err := l.rows(ctx)
	if err != nil || len(rows) == 0 {
		return err
	}
	if due, err := l.due(ctx); err != nil || !due {
		return err
	}
	count, err := l.peers.Count(ctx)
	if err != nil {
		return err
	}
	return l.look(ctx, count)
}

// relook is how long after a look the next is due without a new block: a node
// may have been behind.
const relook = 2 * time.Second

func (l *Lane) due(ctx context.Context) (bool, error) {
	head, err := l.latest(ctx)
	if err != nil || head == l.seen && time.Since(l.looked) < relook {
		return false, err
	}
	l.head, l.seen, l.looked = head, head, time.Now()
	return true, nil
}

func (l *Lane) latest(ctx context.Context) (uint64, error) {
	if l.opts.Head != nil {
		return l.opts.Head(ctx)
	}
	head, base, err := l.peers.Head(ctx)
	if err == nil {
		l.purse.Base = base
	}
	return head, err
}

// look brings the journal up to what the chain has used, then pushes the rest.
// A failure with one nonce does not keep it from the others.
func (l *Lane) look(ctx context.Context, count uint64) error {
	if err := errors.Join(l.adopt(ctx, count), l.restore(ctx, count)); err != nil {
		return err
	}
	rows, err := l.rows(ctx)
	if err != nil {
		return err
	}
	var errs error
	var rest []journal.Nonce
	for _, n := range rows {
		switch {
		case n.Nonce >= count:
			rest = append(rest, n)
		case n.State == journal.NonceSent:
			errs = errors.Join(errs, l.judge(ctx, n, 0))
		default:
			errs = errors.Join(errs, l.finish(ctx, n))
		}
	}
	errs = errors.Join(errs, l.push(ctx, rest))
	_, err = l.rows(ctx)
	return errors.Join(errs, err)
}

// restore makes nonces sent again that the journal calls mined and the chain has
// not used: a reorganisation took them away, or they never were.
func (l *Lane) restore(ctx context.Context, count uint64) error {
	rows, err := l.opts.Journal.TxsFrom(ctx, l.opts.Chain, l.key, count)
	if err != nil {
		return err
	}
	for _, n := range rows {
		if n.State == journal.NonceSent {
			continue
		}
		l.opts.Log.Warn("a mined transaction is gone", "nonce", n.Nonce, "was", n.State, "tx", n.Mined, "block", n.Block)
		delete(l.memos, n.Nonce)
		again := journal.Nonce{Chain: n.Chain, Key: n.Key, Nonce: n.Nonce, State: journal.NonceSent, Filler: n.Filler}
		if err := l.opts.Write(ctx, func(tx journal.Tx) error { return tx.SetNonce(ctx, again) }); err != nil {
			return err
		}
	}
	return nil
}

// finish makes a mined nonce final once its block is and its tasks have ended.
func (l *Lane) finish(ctx context.Context, n journal.Nonce) error {
	wanted, err := l.wanted(ctx, n)
	if err != nil || wanted {
		return err
	}
	final, err := l.tag(ctx)
	if err != nil || n.Block > final {
		return err
	}
	return l.judge(ctx, n, final)
}

// wanted reports whether a task of the nonce has not ended.
func (l *Lane) wanted(ctx context.Context, n journal.Nonce) (bool, error) {
	tasks, err := l.opts.Journal.TasksOf(ctx, n.Chain, n.Key, n.Nonce)
	for _, t := range tasks {
		if t.Progress == order.Sent {
			return true, err
		}
	}
	return false, err
}

// judge asks what became of a nonce that the chain has used, and records it.
// Final is the number of the final block, or 0 to leave that for later.
func (l *Lane) judge(ctx context.Context, n journal.Nonce, final uint64) error {
	attempts, err := l.opts.Journal.Attempts(ctx, n.Chain, n.Key, n.Nonce)
	if err != nil {
		return err
	}
	fate, err := l.peers.Fate(ctx, n.Nonce, candidates(n, attempts))
	switch {
	case err != nil || !fate.Used:
		return err // asked again at the next look
	case fate.Tx.IsZero():
		return l.suspect(ctx, n)
	}
	return l.mined(ctx, n, fate, final)
}

// candidates returns the attempts' hashes, the most likely first.
func candidates(n journal.Nonce, attempts []journal.Attempt) []order.Hash {
	var list []order.Hash
	if !n.Mined.IsZero() {
		list = append(list, n.Mined)
	}
	for i := len(attempts) - 1; i >= 0; i-- {
		if attempts[i].Hash != n.Mined {
			list = append(list, attempts[i].Hash)
		}
	}
	return list
}

func (l *Lane) mined(ctx context.Context, n journal.Nonce, f peers.Fate, final uint64) error {
	n.State, n.Mined, n.Block, n.Hash = journal.NonceMined, f.Tx, f.Block, f.Hash
	if f.Block <= final {
		n.State = journal.NonceFinal
	}
	return l.opts.Write(ctx, func(tx journal.Tx) error { return tx.SetNonce(ctx, n) })
}

// suspect records a nonce as foreign when other bytes have used it for as many
// blocks as a replacement waits: one machine of a node may lag behind another.
// Its tasks are void, so that they are decided again.
func (l *Lane) suspect(ctx context.Context, n journal.Nonce) error {
	m := l.memos[n.Nonce]
	if m == nil {
		m = &memo{head: l.head}
		l.memos[n.Nonce] = m
	}
	if m.used == 0 {
		m.used = l.head
	}
	if l.head < m.used+l.opts.Limits.After {
		return nil
	}
	l.opts.Log.Warn("a nonce was used by a transaction that is not in the journal", "nonce", n.Nonce)
	l.foreign++
	n.State, n.Mined, n.Block, n.Hash = journal.NonceForeign, order.Hash{}, 0, order.Hash{}
	return l.opts.Write(ctx, func(tx journal.Tx) error { return disown(ctx, tx, n) })
}

func disown(ctx context.Context, tx journal.Tx, n journal.Nonce) error {
	tasks, err := tx.TasksOf(ctx, n.Chain, n.Key, n.Nonce)
	if err != nil {
		return err
	}
	for _, t := range tasks {
		if t.Progress == order.Sent {
			if err := tx.EndTask(ctx, t.ID, order.Void); err != nil {
				return err
			}
		}
	}
	return tx.SetNonce(ctx, n)
}

// A tag is the final block as the lane's own nodes named it.
type tag struct {
	number uint64
	at     time.Time
}

// tagAge is how often the lane asks for the final block when it must do so
// itself.
const tagAge = 10 * time.Second

func (l *Lane) tag(ctx context.Context) (uint64, error) {
	if l.opts.Final != nil {
		return l.opts.Final(ctx)
	}
	if time.Since(l.final.at) < tagAge {
		return l.final.number, nil
	}
	number, err := l.peers.Final(ctx)
	if err == nil {
		l.final = tag{number, time.Now()}
	}
	return number, err
}

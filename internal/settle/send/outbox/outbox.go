// Package outbox signs transactions, commits them to the journal, and sends
// them, in this order. Nothing leaves this process that is not in the journal.
package outbox

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/send/peers"
	"hubquote/internal/settle/sign"
	"hubquote/swap"
)

// An Outbox is one key on one chain. All fields are required.
type Outbox struct {
	Chain   swap.ChainID
	Signer  *sign.Signer
	Peers   *peers.Peers
	Journal journal.Reader
	Write   func(ctx context.Context, fn func(journal.Tx) error) error
	Renew   func(ctx context.Context) error
	Log     *slog.Logger
}

// Next returns the nonce after the last in the journal, or first when the
// journal has none. There is no counter that could drift from it.
func (o *Outbox) Next(ctx context.Context, first uint64) (uint64, error) {
	last, found, err := o.Journal.TxLast(ctx, o.Chain, o.Signer.Address())
	if err != nil || !found {
		return first, err
	}
	return last.Nonce + 1, nil
}

// Sign makes an attempt of a transaction on the outbox's chain.
func (o *Outbox) Sign(ctx context.Context, t sign.Transaction) (journal.Attempt, error) {
	t.Chain = o.Chain
	signed, err := o.Signer.Sign(ctx, t)
	return journal.Attempt{
		Hash: signed.Hash, Chain: t.Chain, Key: o.Signer.Address(), Nonce: t.Nonce, Raw: signed.Raw, Tip: t.Tip, Cap: t.Cap, Gas: t.Gas, Made: time.Now(),
	}, err
}

// Filler signs nothing, to oneself, which uses up a nonce.
func (o *Outbox) Filler(ctx context.Context, nonce uint64, tip, feeCap swap.Amount) (journal.Attempt, error) {
	self := o.Signer.Address()
	const limit = 500_000 // more than it needs on any chain
	gas, err := o.Peers.Estimate(ctx, self, nil, limit)
	if err != nil {
		return journal.Attempt{}, err
	}
	return o.Sign(ctx, sign.Transaction{Nonce: nonce, To: self, Gas: min(gas+gas/4, limit), Tip: tip, Cap: feeCap})
}

// Empty reports whether an attempt is a filler.
func (o *Outbox) Empty(a journal.Attempt) bool {
	t, err := sign.Parse(a.Raw)
	return err == nil && t.To == o.Signer.Address() && len(t.Data) == 0
}

// Again signs the call of an attempt with other fees.
func (o *Outbox) Again(ctx context.Context, a journal.Attempt, tip, feeCap swap.Amount) (journal.Attempt, error) {
	t, err := sign.Parse(a.Raw)
	if err != nil {
		return journal.Attempt{}, err
	}
	t.Tip, t.Cap = tip, feeCap
	return o.Sign(ctx, t)
}

// ErrAbsent means that nothing was committed.
var ErrAbsent = errors.New("the connection to the journal broke, and nothing was committed: try again")

// Commit writes an attempt. When the outcome is unknown it waits until the
// journal has decided, and reads the attempt back.
func (o *Outbox) Commit(ctx context.Context, a journal.Attempt, write func(journal.Tx) error) error {
	err := o.Write(ctx, write)
	if !errors.Is(err, journal.ErrUnknown) {
		return err
	}
	if lost := o.Renew(ctx); lost != nil {
		return errors.Join(err, lost)
	}
	_, found, unread := o.Journal.Attempt(ctx, a.Hash)
	switch {
	case unread != nil:
		return errors.Join(err, unread)
	case !found:
		return ErrAbsent
	}
	return nil
}

// Launch sends a committed attempt to all nodes, and notes that it did. A failure
// is only kept: the bytes were perhaps sent, and are sent again later.
func (o *Outbox) Launch(ctx context.Context, a journal.Attempt) {
	failure := ""
	if err := o.Peers.Broadcast(ctx, a.Raw); err != nil {
		failure = err.Error()
	}
	err := o.Write(ctx, func(tx journal.Tx) error { return tx.MarkSent(ctx, a.Hash, time.Now(), failure) })
	if err != nil && ctx.Err() == nil {
		o.Log.Warn("not noted that a transaction was sent", "tx", a.Hash, "error", err)
	}
}

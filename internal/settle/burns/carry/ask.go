package carry

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"hubquote/internal/settle/attest"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/message"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// A source is a transaction with burns. The issuer is asked about transactions,
// however many burns one has.
type source struct {
	domain swap.Domain
	tx     order.Hash
}

// Ask asks the issuer about the burns that are due and not signed, the oldest
// first, as many as the budget allows. What is left is due at the next call.
func (c *Carrier) Ask(ctx context.Context) error {
	now := time.Now()
	due, err := c.opts.Journal.BurnsUnsigned(ctx, now, most)
	if err != nil {
		return err
	}
	sources, err := c.sort(ctx, now, due)
	if err != nil {
		return err
	}
	errs := make([]error, len(sources))
	inParallel(len(sources), asking, func(i int) { errs[i] = c.ask(ctx, sources[i]) })
	return errors.Join(errs...)
}

// sort records the burns that are not to be asked about now, and returns the
// transactions of the others in their order.
func (c *Carrier) sort(ctx context.Context, now time.Time, due []journal.Burn) (sources []source, err error) {
	waiting := map[order.Hash]burn.Step{}
	for _, b := range due {
		s := burn.Next(now, c.view(b).facts, 0, world.World{}, c.opts.Rules)
		if from := (source{b.Domain, b.Tx}); !s.Ask {
			waiting[b.Key] = s
		} else if !slices.Contains(sources, from) {
			sources = append(sources, from)
		}
	}
	if len(waiting) == 0 {
		return sources, nil
	}
	return sources, c.opts.Write(ctx, func(tx journal.Tx) error {
		for key, s := range waiting {
			if err := change(ctx, tx, key, func(b *journal.Burn) { enter(b, now, s, s.Until) }); err != nil {
				return err
			}
		}
		return nil
	})
}

// ask asks one question and records the answer. A failure counts as a question,
// so that the next one waits; a question that was not sent does not.
func (c *Carrier) ask(ctx context.Context, from source) error {
	entries, err := c.opts.Issuer.Ask(ctx, from.domain, from.tx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, attest.ErrBusy) {
		return c.postpone(ctx, from)
	}
	if err != nil {
		c.opts.Log.Warn("asking the issuer", "domain", from.domain, "tx", from.tx, "err", err)
	}
	return c.opts.Write(ctx, func(tx journal.Tx) error {
		burns, err := c.of(ctx, tx, from)
		if err != nil {
			return err
		}
		return c.answered(ctx, tx, burns, entries)
	})
}

// postpone moves a question behind a block by the issuer. One that only waits for
// the next second stays where it is in the queue.
func (c *Carrier) postpone(ctx context.Context, from source) error {
	now, free := time.Now(), c.opts.Issuer.Free()
	if free.Sub(now) <= time.Second {
		return nil
	}
	return c.opts.Write(ctx, func(tx journal.Tx) error {
		burns, err := c.of(ctx, tx, from)
		for _, b := range burns {
			if err == nil && b.Attestation == nil && !b.NextAsk.IsZero() {
				enter(&b, now, burn.Step{State: burn.Asking, Reason: order.Issuer}, free)
				err = tx.PutBurn(ctx, b)
			}
		}
		return err
	})
}

// of returns the burns of a transaction, in the order of their logs.
func (c *Carrier) of(ctx context.Context, r journal.Reader, from source) (burns []journal.Burn, err error) {
	all, err := r.BurnsByTx(ctx, from.tx)
	for _, b := range all {
		if b.Domain == from.domain && b.Tx == from.tx {
			burns = append(burns, b)
		}
	}
	slices.SortFunc(burns, func(a, b journal.Burn) int { return cmp.Compare(a.Log, b.Log) })
	return burns, err
}

// answered records what the issuer said about the burns of a transaction.
func (c *Carrier) answered(ctx context.Context, tx journal.Tx, burns []journal.Burn, entries []attest.Entry) error {
	now := time.Now()
	sent := make([]attest.Sent, len(burns))
	for i, b := range burns {
		sent[i].Message = b.Sent
		copy(sent[i].Nonce[:], b.Nonce)
	}
	for i, e := range attest.Match(sent, entries) {
		b := burns[i]
		if b.NextAsk.IsZero() || b.Attestation != nil {
			continue
		}
		b.Asks, b.Asked, b.Delay = b.Asks+1, now, attest.Delay(entries)
		if e != nil && !c.taken(ctx, tx, b, e) {
			sign(&b, e)
			enter(&b, now, burn.Step{State: burn.Attested}, now)
		} else {
			s := burn.Next(now, c.view(b).facts, 0, world.World{}, c.opts.Rules)
			enter(&b, now, s, s.Until)
		}
		if err := tx.PutBurn(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// sign keeps what the issuer signed.
func sign(b *journal.Burn, e *attest.Entry) {
	nonce := e.Message.Nonce()
	b.Nonce, b.Signed, b.Attestation = nonce[:], e.Message, e.Attestation
	b.Expires, b.Delay = e.Message.Expires(), e.Delay
}

// taken reports whether another burn has the nonce already, which no honest
// issuer gives twice.
func (c *Carrier) taken(ctx context.Context, tx journal.Tx, b journal.Burn, e *attest.Entry) bool {
	nonce := e.Message.Nonce()
	other, found, err := tx.BurnByNonce(ctx, b.Domain, nonce[:])
	if err == nil && found && other.Key != b.Key {
		c.opts.Log.Error("the issuer gave one nonce to two burns", "domain", b.Domain, "tx", b.Tx, "other", other.Tx)
		return true
	}
	return false
}

// nonceOf returns the issuer's nonce of a burn.
func nonceOf(b journal.Burn) (nonce message.Word) {
	copy(nonce[:], b.Nonce)
	return nonce
}

package ask

import (
	"context"
	"errors"
	"time"

	"hubquote/internal/settle/attest"
	"hubquote/internal/settle/burns/row"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/policy/burn"
)

// Renew gets new signatures for burns whose old one is about to expire.
func (a *Asker) Renew(ctx context.Context, burns []row.Row) error {
	var errs []error
	for i := range burns {
		errs = append(errs, a.renew(ctx, &burns[i]))
	}
	return errors.Join(errs...)
}

// renew takes the new signature if there is one, and asks for one otherwise: the
// issuer returns the old one until the new one is made.
func (a *Asker) renew(ctx context.Context, r *row.Row) error {
	entries, err := a.opts.Issuer.Ask(ctx, r.Domain, r.Tx)
	if errors.Is(err, attest.ErrBusy) || ctx.Err() != nil {
		return ctx.Err()
	}
	e := attest.Match([]attest.Sent{{Message: r.Sent, Nonce: row.Nonce(&r.Burn)}}, entries)[0]
	if e == nil || e.Message.Expires() == r.Expires {
		e, err = nil, errors.Join(err, a.opts.Issuer.Reattest(ctx, row.Nonce(&r.Burn)))
	}
	if err != nil {
		a.opts.Log.Warn("asking the issuer for a new signature", "burn", r.Key, "err", err)
	}
	return a.opts.Write(ctx, func(tx journal.Tx) error {
		return row.Change(ctx, tx, r.Key, func(b *journal.Burn) { a.renewed(b, e) })
	})
}

// renewed records a question about a signature, and the new one if there is one.
func (a *Asker) renewed(b *journal.Burn, e *attest.Entry) {
	now := time.Now()
	b.Asks, b.Asked = b.Asks+1, now
	if e == nil {
		b.NextAsk = now.Add(a.opts.Rules.First)
		return
	}
	sign(b, e)
	row.Enter(b, now, burn.Step{State: burn.Attested}, now)
}

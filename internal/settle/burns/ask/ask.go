// Package ask gets the issuer's signatures for burns in the journal. It asks once
// about a transaction, however many burns that has, and backs off from one that
// the issuer does not sign, so that burns of other accounts cannot use up the budget.
package ask

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"hubquote/internal/settle/attest"
	"hubquote/internal/settle/burns/row"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/burn"
	"hubquote/internal/settle/world"
	"hubquote/swap"
)

// Options configure an [Asker]. All are required.
type Options struct {
	Rows    *row.Reader
	Issuer  *attest.Client
	Rules   burn.Rules
	Journal journal.Reader
	Write   func(context.Context, func(journal.Tx) error) error
	Log     *slog.Logger
}

// An Asker asks the issuer.
type Asker struct{ opts Options }

// New returns an asker.
func New(opts Options) *Asker { return &Asker{opts} }

const (
	most   = 1000 // burns in one round
	atOnce = 10   // questions
)

// A source is a transaction with burns. The issuer is asked about transactions,
// however many burns one has.
type source struct {
	domain swap.Domain
	tx     order.Hash
}

// Round asks the issuer about the burns that are due and not signed, as many as
// the budget allows. What is left is due at the next call. Those that endpoints agree
// on come first, and of these those that it was asked about least, so that burns which
// it never signs delay no other.
func (a *Asker) Round(ctx context.Context) error {
	now := time.Now()
	due, err := a.opts.Journal.BurnsUnsigned(ctx, now, most)
	if err != nil {
		return err
	}
	sources, err := a.sort(ctx, now, due)
	if err != nil {
		return err
	}
	// Those that the budget has room for go first: questions that run at once
	// take from it in any order.
	left := min(a.opts.Issuer.Left(), len(sources))
	return errors.Join(a.all(ctx, sources[:left]), a.all(ctx, sources[left:]))
}

func (a *Asker) all(ctx context.Context, sources []source) error {
	var questions errgroup.Group
	questions.SetLimit(atOnce)
	for _, from := range sources {
		questions.Go(func() error { return a.ask(ctx, from) })
	}
	return questions.Wait()
}

// sort records the burns that are not to be asked about now, and returns the
// transactions of the others in their order.
func (a *Asker) sort(ctx context.Context, now time.Time, due []journal.Burn) (sources []source, err error) {
	waiting, listed := map[order.Hash]burn.Step{}, map[source]bool{}
	for _, b := range due {
		s := a.next(now, b)
		if from := (source{b.Domain, b.Tx}); !s.Ask {
			waiting[b.Key] = s
		} else if !listed[from] {
			sources, listed[from] = append(sources, from), true
		}
	}
	if len(waiting) == 0 {
		return sources, nil
	}
	return sources, a.opts.Write(ctx, func(tx journal.Tx) error {
		for key, s := range waiting {
			if err := row.Change(ctx, tx, key, func(b *journal.Burn) { row.Enter(b, now, s, s.Until) }); err != nil {
				return err
			}
		}
		return nil
	})
}

// next returns the next step of a burn that is not signed.
func (a *Asker) next(now time.Time, b journal.Burn) burn.Step {
	return burn.Next(now, a.opts.Rows.Read(b).Facts, 0, world.World{}, a.opts.Rules)
}

// ask asks one question and records the answer. A failure counts as a question,
// so that the next one waits; a question that was not sent does not.
func (a *Asker) ask(ctx context.Context, from source) error {
	entries, err := a.opts.Issuer.Ask(ctx, from.domain, from.tx)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, attest.ErrBusy) {
		return a.postpone(ctx, from)
	}
	if err != nil {
		a.opts.Log.Warn("asking the issuer", "domain", from.domain, "tx", from.tx, "err", err)
	}
	return a.opts.Write(ctx, func(tx journal.Tx) error {
		burns, err := a.of(ctx, tx, from)
		if err != nil {
			return err
		}
		return a.answered(ctx, tx, burns, entries)
	})
}

// postpone moves a question behind a block by the issuer. One that only waits for
// the next second stays where it is in the queue.
func (a *Asker) postpone(ctx context.Context, from source) error {
	now, free := time.Now(), a.opts.Issuer.Free()
	if free.Sub(now) <= time.Second {
		return nil
	}
	return a.opts.Write(ctx, func(tx journal.Tx) error {
		burns, err := a.of(ctx, tx, from)
		for _, b := range burns {
			if err == nil && b.Attestation == nil && !b.NextAsk.IsZero() {
				row.Enter(&b, now, burn.Step{State: burn.Asking, Reason: order.Issuer}, free)
				err = tx.PutBurn(ctx, b)
			}
		}
		return err
	})
}

// of returns the burns of a transaction, those that endpoints agree on first: of
// equal messages they get the signatures.
func (a *Asker) of(ctx context.Context, r journal.Reader, from source) (burns []journal.Burn, err error) {
	all, err := r.BurnsByTx(ctx, from.tx)
	for _, b := range all {
		if b.Domain == from.domain && b.Tx == from.tx {
			burns = append(burns, b)
		}
	}
	slices.SortFunc(burns, func(a, b journal.Burn) int {
		if a.Agreed != b.Agreed {
			return map[bool]int{true: -1, false: 1}[a.Agreed]
		}
		return cmp.Compare(a.Log, b.Log)
	})
	return burns, err
}

// answered records what the issuer said about the burns of a transaction.
func (a *Asker) answered(ctx context.Context, tx journal.Tx, burns []journal.Burn, entries []attest.Entry) error {
	now := time.Now()
	sent := make([]attest.Sent, len(burns))
	for i, b := range burns {
		sent[i].Message = b.Sent
		sent[i].Nonce = row.Nonce(&b)
	}
	matched := attest.Match(sent, entries)
	for i, e := range matched {
		b := burns[i]
		if b.NextAsk.IsZero() || b.Attestation != nil {
			continue
		}
		b.Asks, b.Asked, b.Delay = b.Asks+1, now, attest.Delay(entries)
		if e != nil && !a.taken(ctx, tx, b, e) {
			sign(&b, e)
			row.Enter(&b, now, burn.Step{State: burn.Attested}, now)
		} else if unlisted(matched, entries) {
			a.doubt(now, &b)
		} else {
			s := a.next(now, b)
			next := s.Until
			if s.Ask {
				next = now // no gap between questions is not no question
			}
			row.Enter(&b, now, s, next)
		}
		if err := tx.PutBurn(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// doubt asks rarely about a burn that the issuer does not list beside the others of
// its transaction. It is given up when any other would be: the issuer may list one
// burn of a transaction before another.
func (a *Asker) doubt(now time.Time, b *journal.Burn) {
	a.opts.Log.Warn("an endpoint gave another message than the issuer signed", "domain", b.Domain, "tx", b.Tx, "endpoints agree", b.Agreed)
	if s := a.next(now, *b); s.State == burn.Ignored {
		row.Enter(b, now, s, time.Time{})
		return
	}
	row.Enter(b, now, burn.Step{State: burn.Asking, Reason: order.Issuer}, now.Add(a.opts.Rules.Rare))
}

// unlisted reports whether the issuer has signed all that a transaction burned, and
// not this: an endpoint made it up, or a reorganisation took it away.
func unlisted(matched []*attest.Entry, entries []attest.Entry) bool {
	some := slices.ContainsFunc(matched, func(e *attest.Entry) bool { return e != nil })
	return some && !slices.ContainsFunc(entries, func(e attest.Entry) bool { return e.Message == nil })
}

// sign keeps what the issuer signed.
func sign(b *journal.Burn, e *attest.Entry) {
	nonce := e.Message.Nonce()
	b.Nonce, b.Signed, b.Attestation = nonce[:], e.Message, e.Attestation
	b.Expires, b.Delay = e.Message.Expires(), e.Delay
}

// taken reports whether another burn has the nonce already, which no honest
// issuer gives twice.
func (a *Asker) taken(ctx context.Context, tx journal.Tx, b journal.Burn, e *attest.Entry) bool {
	nonce := e.Message.Nonce()
	other, found, err := tx.BurnByNonce(ctx, b.Domain, nonce[:])
	if err == nil && found && other.Key != b.Key {
		a.opts.Log.Error("the issuer gave one nonce to two burns", "domain", b.Domain, "tx", b.Tx, "other", other.Tx)
		return true
	}
	return false
}

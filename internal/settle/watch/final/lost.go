package final

import (
	"context"
	"slices"
	"time"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/policy/step"
	"hubquote/internal/settle/watch/judge"
	"hubquote/internal/settle/watch/peer"
	"hubquote/internal/settle/watch/record"
	"hubquote/internal/settle/watch/vote"
)

// check makes sure that the last final block is still part of the chain, by K
// endpoints: one that stays on the old chain must not hide that it is lost. It is
// when K endpoints call another one final; one that is late may be on a fork. As
// long as that is not known, the chain has no final block that is paid by.
func (f *Final) check(ctx context.Context) error {
	if f.anchor.Hash.IsZero() {
		return nil
	}
	b, by, err := f.opts.Voters.Block(ctx, f.anchor.Number)
	if err == nil && b.Hash != f.anchor.Hash {
		f.set(func(s *State) { s.Disputed = true })
		b, by, err = f.opts.Voters.Final(ctx, f.anchor.Number)
	}
	if err != nil {
		return err
	}
	f.set(func(s *State) { s.Disputed = false })
	if b.Hash == f.anchor.Hash {
		return nil
	}
	return f.lost(ctx, by)
}

// farBack is how many blocks before a lost final block are read again.
const farBack = 10_000

// lost records that a final block is no longer part of the chain: every final
// fact above the fork is gone, and nothing from the chain is paid until an
// operator accepts the alarm that names the block.
func (f *Final) lost(ctx context.Context, by []*peer.Peer) error {
	gone, err := f.above(ctx, vote.Voters{Peers: by, K: f.opts.Voters.K})
	if err != nil {
		return err
	}
	f.set(func(s *State) { s.Lost++ })
	accepted := false
	err = f.opts.Write(ctx, func(b *record.Book) error {
		for _, fact := range gone {
			if err := b.Gone(ctx, fact); err != nil {
				return err
			}
		}
		accepted, err = f.alarm(ctx, b.Tx)
		return err
	})
	switch {
	case err != nil:
		return err
	case accepted:
		f.trust()
		return nil
	}
	if f.State().Broken != f.anchor.Hash {
		f.opts.Log.Error("a final block was lost; nothing from this chain is paid", "chain", f.opts.Chain, "block", f.anchor.Number, "hash", f.anchor.Hash, "facts", len(gone))
	}
	f.set(func(s *State) { s.Broken = f.anchor.Hash })
	return nil
}

// alarm writes the alarm of the lost block unless it is there, and reports
// whether an operator has accepted it.
func (f *Final) alarm(ctx context.Context, tx journal.Tx) (accepted bool, err error) {
	a := journal.Alarm{Chain: f.opts.Chain, Name: step.FinalityBroken, Subject: f.anchor.Hash, Since: time.Now().UTC()}
	accepted, known, err := accepts(ctx, tx, a)
	if err != nil || known {
		return accepted, err
	}
	return false, tx.PutAlarm(ctx, a)
}

func accepts(ctx context.Context, r journal.Reader, a journal.Alarm) (accepted, known bool, err error) {
	all, err := r.Alarms(ctx)
	for _, have := range all {
		if have.Chain == a.Chain && have.Name == a.Name && have.Subject == a.Subject {
			return !have.Accepted.IsZero(), true, err
		}
	}
	return false, false, err
}

// Resume goes on with a chain whose alarm was accepted since the last round.
func (f *Final) Resume(ctx context.Context) error {
	broken := f.State().Broken
	if broken.IsZero() {
		return nil
	}
	accepted, _, err := accepts(ctx, f.opts.Journal, journal.Alarm{Chain: f.opts.Chain, Name: step.FinalityBroken, Subject: broken})
	if accepted {
		f.trust()
	}
	return err
}

// trust begins some way before the lost block, with no final block known: one
// has to be agreed on before anything is paid.
func (f *Final) trust() {
	f.anchor = peer.Block{Number: max(f.Back(), f.first)}
	f.safe, f.final = nil, nil
	f.opts.Resumed()
	f.opts.Head.Doubt()
	f.set(func(s *State) { s.Broken, s.Block, s.Safe = order.Hash{}, peer.Block{}, 0 })
}

// above returns the final facts that are not in the chain any more, from the
// last final block down to the first that is, by the endpoints that have another
// final block.
func (f *Final) above(ctx context.Context, voters vote.Voters) (gone []journal.Fact, err error) {
	facts, err := f.opts.Journal.FactsFrom(ctx, f.opts.Chain, 0)
	if err != nil {
		return nil, err
	}
	for _, g := range judge.Groups(facts) {
		if !slices.ContainsFunc(g.Facts, func(f journal.Fact) bool { return f.Proof >= order.Final }) {
			continue
		}
		b, _, err := voters.Block(ctx, g.Number)
		if err != nil || b.Hash == g.Hash {
			return gone, err
		}
		gone = append(gone, g.Facts...)
	}
	return gone, nil
}

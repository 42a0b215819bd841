package source

import (
	"context"
	"errors"
	"sync"
	"time"

	"hubquote/internal/settle/burns/row"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
)

// mostDoubts is how many burns are added in an hour that one endpoint alone gives: it
// can make up any number. Those that are left are added when a second has them.
const mostDoubts = 1000

// A ration is what may be used up in an hour.
type ration struct {
	mu    sync.Mutex
	since time.Time
	used  int
}

func (r *ration) take() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := time.Now(); now.Sub(r.since) >= time.Hour {
		r.since, r.used = now, 0
	}
	r.used++
	return r.used <= mostDoubts
}

// confirm reads transactions again of which one endpoint alone gave a burn: first
// those that the issuer signed, which no endpoint can invent.
func (s *Source) confirm(ctx context.Context) error {
	read := map[order.Hash]bool{}
	return errors.Join(s.confirmSome(ctx, true, read), s.confirmSome(ctx, false, read))
}

// confirmSome goes on after the last burn that it came to, and begins again at the end.
func (s *Source) confirmSome(ctx context.Context, signed bool, read map[order.Hash]bool) error {
	some := journal.Doubted{Domain: s.opts.Terms.Domains[s.opts.Chain.ID], Signed: signed, Since: time.Now().Add(-lookBack), After: s.doubted[signed]}
	list, err := s.opts.Journal.BurnsDoubted(ctx, some, doubts)
	if err != nil {
		return err
	}
	for _, b := range list {
		if some.After = b.Key; read[b.Tx] {
			continue
		}
		read[b.Tx] = true
		found, _, err := s.first.scanner.Tx(ctx, b.Tx)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil { // it holds up no other
			s.opts.Log.Warn("reading a transaction again", "chain", s.opts.Chain.ID, "tx", b.Tx, "err", err)
			continue
		}
		if err := s.put(ctx, found); err != nil {
			return err
		}
	}
	if len(list) < doubts {
		some.After = order.Hash{}
	}
	s.doubted[signed] = some.After
	return nil
}

const (
	unsigned = time.Hour        // after which a burn that the issuer did not sign may be gone
	farAway  = 1000 * time.Hour // later than any question
	most     = 1000             // burns that are looked through
)

// doubt looks for burns that endpoints agreed on and that the issuer does not sign. One
// that was reorganised away does not count as agreed any more, or its order would wait
// for it forever. If it is mined again it is confirmed.
func (s *Source) doubt(ctx context.Context) error {
	now, left := time.Now(), doubts
	list, err := s.opts.Journal.BurnsUnsigned(ctx, now.Add(farAway), most)
	for i := 0; i < len(list) && left > 0 && err == nil && ctx.Err() == nil; i++ {
		b := &list[i]
		ours := b.Domain == s.opts.Terms.Domains[s.opts.Chain.ID] && b.Agreed && len(b.Nonce) == 0
		if !ours || now.Sub(b.Mined) < unsigned {
			continue
		}
		left--
		gone, failed := s.first.scanner.Gone(ctx, b)
		if failed != nil {
			s.opts.Log.Warn("looking for a burn that is not signed", "chain", s.opts.Chain.ID, "tx", b.Tx, "err", failed)
		} else if gone {
			err = s.disown(ctx, b.Key)
		}
	}
	return err
}

// disown makes a burn one that endpoints do not agree on, unless it is signed by now.
func (s *Source) disown(ctx context.Context, key order.Hash) error {
	return s.opts.Write(ctx, func(tx journal.Tx) error {
		return row.Change(ctx, tx, key, func(b *journal.Burn) { b.Agreed = len(b.Nonce) > 0 })
	})
}

package source

import (
	"context"
	"time"

	"hubquote/internal/settle/burns/row"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
)

const (
	unsigned = time.Hour        // after which a burn that the issuer did not sign may be gone
	farAway  = 1000 * time.Hour // later than any question
	most     = 1000             // burns that are looked through
)

// doubt looks for burns that endpoints agreed on and that the issuer does not sign. One
// that is not there any more is believed no longer, or its order would wait for it for
// ever. If it is mined again it is confirmed.
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

// disown believes a burn no longer, unless it is signed by now.
func (s *Source) disown(ctx context.Context, key order.Hash) error {
	return s.opts.Write(ctx, func(tx journal.Tx) error {
		return row.Change(ctx, tx, key, func(b *journal.Burn) { b.Agreed = len(b.Nonce) > 0 })
	})
}

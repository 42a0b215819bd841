package source

import (
	"context"
	"time"

	"hubquote/internal/settle/burns/row"
	"hubquote/internal/settle/journal"
)

// put adds the burns that are new. Those that are known have a life of their own,
// but for what a second endpoint says.
func (s *Source) put(ctx context.Context, found []journal.Burn) error {
	var fresh []journal.Burn
	for _, b := range found {
		was, known, err := s.opts.Journal.Burn(ctx, b.Key)
		if err != nil {
			return err
		}
		if !known || b.Agreed && !was.Agreed {
			fresh = append(fresh, b)
		}
	}
	if fresh == nil {
		return nil
	}
	return s.opts.Write(ctx, func(tx journal.Tx) error {
		for _, b := range fresh {
			if err := add(ctx, tx, b); err != nil {
				return err
			}
		}
		return nil
	})
}

// add adds a burn. Another message that an endpoint gave for the same position
// stays: only the issuer's signature tells which is true.
func add(ctx context.Context, tx journal.Tx, b journal.Burn) error {
	have, err := tx.BurnsByTx(ctx, b.Tx)
	if err != nil {
		return err
	}
	now := time.Now()
	b.Since, b.NextAsk = now, now
	for _, other := range have {
		if other.Key == b.Key {
			return agree(ctx, tx, b)
		}
		if other.Domain == b.Domain && other.Position() == b.Position() && other.Log >= b.Log {
			b.Log = other.Log + journal.Variant
		}
	}
	return tx.PutBurn(ctx, b)
}

// agree notes that a second endpoint gave a burn that is known, and which order it
// named.
func agree(ctx context.Context, tx journal.Tx, b journal.Burn) error {
	return row.Change(ctx, tx, b.Key, func(was *journal.Burn) {
		was.Agreed = was.Agreed || b.Agreed
		if b.Agreed && was.Order.IsZero() {
			was.Order = b.Order
		}
	})
}

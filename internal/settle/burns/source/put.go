package source

import (
	"bytes"
	"context"
	"slices"
	"time"

	"hubquote/internal/settle/burns/row"
	"hubquote/internal/settle/burns/scan"
	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
)

// put adds the burns that are new. Those that are known have a life of their own,
// but for what enough endpoints say of them.
func (s *Source) put(ctx context.Context, found []journal.Burn) error {
	var fresh []journal.Burn
	for _, b := range found {
		was, known, err := s.opts.Journal.Burn(ctx, b.Key)
		if err != nil {
			return err
		}
		if !known && (b.Agreed || s.alone.take()) || known && learn(&was, b) {
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

// add adds a burn. What endpoints differ about is a burn each: only the issuer's
// signature tells which is true. Of equal messages the first gets it, and an endpoint
// that repeats one must not come before.
func add(ctx context.Context, tx journal.Tx, b journal.Burn) error {
	have, err := tx.BurnsByTx(ctx, b.Tx)
	if err != nil {
		return err
	}
	if old, found := renamed(have, b); found {
		b.Key = old.Key
	}
	now := time.Now()
	b.Since, b.NextAsk = now, now
	for _, other := range have {
		if other.Key == b.Key {
			return agree(ctx, tx, b)
		}
		there := other.Log%variant == b.Log%variant || bytes.Equal(other.Sent, b.Sent)
		if other.Domain == b.Domain && there && other.Log >= b.Log {
			b.Log = other.Log + variant
		}
	}
	return tx.PutBurn(ctx, b)
}

// renamed returns the burn in the journal that b is, if an earlier version of the
// settler named it by its place among the logs. Equal messages of a transaction are in
// the same order by both kinds of names, and a name of one kind may be that of another
// message by the other.
func renamed(have []journal.Burn, b journal.Burn) (was journal.Burn, found bool) {
	var same []journal.Burn // by place
	for _, x := range have {
		if x.Domain == b.Domain && bytes.Equal(x.Sent, b.Sent) {
			same = append(same, x)
		}
	}
	name := func(n uint64) order.Hash { return scan.Key(b.Domain, b.Tx, n, b.Sent) }
	first := slices.ContainsFunc(same, func(x journal.Burn) bool { return x.Log >= uint64(len(same)) && x.Key == name(x.Log) })
	for n := range same {
		if first && b.Key == name(uint64(n)) {
			return same[n], true
		}
	}
	return was, false
}

// variant is the distance of the numbers that different burns at one position among
// the logs have in the journal.
const variant = 1 << 32

// agree notes what enough endpoints say of a burn that is known.
func agree(ctx context.Context, tx journal.Tx, b journal.Burn) error {
	return row.Change(ctx, tx, b.Key, func(was *journal.Burn) { learn(was, b) })
}

// learn takes over what enough endpoints say of a burn, and reports whether that is
// news: before, one alone said so, or it was in a block that was reorganised. The
// order of a deposit is known from its mint, and not from here.
func learn(was *journal.Burn, b journal.Burn) bool {
	moved := was.Block != b.Block
	named := !b.Order.IsZero() && was.Order != b.Order
	if !b.Agreed || was.Agreed && !moved && !named {
		return false
	}
	if !was.Agreed && was.Attestation == nil && was.NextAsk.IsZero() { // it was given up
		was.NextAsk = time.Now()
	}
	was.Agreed, was.Block, was.Mined = true, b.Block, b.Mined
	if named {
		was.Order = b.Order
	}
	return true
}

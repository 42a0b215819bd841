package follow

import (
	"context"
	"errors"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/order"
	"hubquote/internal/settle/watch/record"
	"hubquote/internal/settle/watch/state"
)

// A count is how complete the journal is.
type count struct {
	complete uint64             // up to here it has every order
	wrong    map[order.Pool]int // contracts that differ, and for how many counts in a row
}

// census compares what the contracts hold with the deposits that the journal
// knows. When that differs, an endpoint left a log out: all of them are asked
// for it. Payments go on, since what is known is proved by itself.
func (f *Follower) census(ctx context.Context) error {
	snapshots, at, err := state.Snapshots(ctx, f.opts.State, f.opts.Contracts.On(f.opts.Chain))
	if err != nil {
		return err
	}
	if at.Number > f.State().Passed {
		if _, err := f.look(ctx); err != nil || at.Number > f.State().Passed {
			return err
		}
	}
	wrong := map[order.Pool]int{}
	var missing []order.Pool
	for _, s := range snapshots {
		same, err := f.compare(ctx, s, at.Number, at.Hash)
		if err != nil {
			return err
		}
		if !same {
			wrong[s.Pool] = f.counted.wrong[s.Pool] + 1
		}
		if wrong[s.Pool] > 1 {
			missing = append(missing, s.Pool)
		}
	}
	f.counted.wrong = wrong
	f.set(func(s *State) { s.Missing = missing })
	if len(wrong) == 0 {
		f.counted.complete = at.Number
		return nil
	}
	return f.recover(ctx, at.Number)
}

// compare reports whether the journal has every order of a contract. Orders
// from before the first block that is read are not known, and must be closed.
func (f *Follower) compare(ctx context.Context, s state.Snapshot, number uint64, hash order.Hash) (bool, error) {
	known, err := f.opts.Journal.Holding(ctx, s.Pool, number)
	if err != nil {
		return false, err
	}
	err = f.write(ctx, func(b *record.Book) error {
		return b.Tx.SetCensus(ctx, journal.Census{Contract: s.Pool, Number: number, Hash: hash, Orders: s.Opened, Held: s.Held, Sums: known.Sum})
	})
	return known.Sum == s.Held && (known.Orders == 0 || known.Next == s.Opened), err
}

// recover reads all blocks since the last complete count again, at every
// endpoint.
func (f *Follower) recover(ctx context.Context, to uint64) error {
	var errs []error
	for _, p := range f.opts.Peers {
		_, err := f.scan(ctx, p, max(f.opts.First, f.counted.complete), to, func(uint64) journal.Cursor {
			return journal.Cursor{Chain: f.opts.Chain, Pass: headPass, Number: f.saved}
		})
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

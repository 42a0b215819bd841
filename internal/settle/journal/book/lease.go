package book

import (
	"context"
	"crypto/rand"
	"fmt"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/table"
	"hubquote/internal/settle/journal/view"
)

// A Lease is one hold of the journal. The token is random: after a restore or a
// failover that lost the last writes, the database gives out an epoch a second
// time, and the writer that had it first must notice.
type Lease struct {
	Epoch int64
	Token string
}

// Take makes the caller the writer, whatever the lease says.
func Take(ctx context.Context, q table.Querier, holder string) (l Lease, err error) {
	l.Token = rand.Text()
	if err := table.Change(ctx, q, "UPDATE lease SET epoch = epoch + 1, holder = $1, token = $2", holder, l.Token); err != nil {
		return l, fmt.Errorf("take the lease: %w", err)
	}
	l.Epoch, _, err = view.Lease.One(ctx, q, "")
	return l, err
}

// Holds fails with [journal.ErrLost] unless the lease is the last one. Lock is
// added to the query.
func (l Lease) Holds(ctx context.Context, q table.Querier, lock string) error {
	_, held, err := view.Lease.One(ctx, q, "WHERE epoch = $1 AND token = $2 "+lock, l.Epoch, l.Token)
	if err == nil && !held {
		return journal.ErrLost
	}
	return err
}

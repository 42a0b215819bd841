package book

import (
	"context"
	"fmt"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/table"
	"hubquote/internal/settle/journal/view"
)

// Take makes the caller the writer, whatever the lease says, and returns its
// epoch.
func Take(ctx context.Context, q table.Querier, holder string) (int64, error) {
	if err := table.Change(ctx, q, "UPDATE lease SET epoch = epoch + 1, holder = $1", holder); err != nil {
		return 0, fmt.Errorf("take the lease: %w", err)
	}
	epoch, _, err := view.Lease.One(ctx, q, "")
	return epoch, err
}

// Holds fails with [journal.ErrLost] unless the epoch is the last one. Lock is
// added to the query.
func Holds(ctx context.Context, q table.Querier, epoch int64, lock string) error {
	_, held, err := view.Lease.One(ctx, q, "WHERE epoch = $1 "+lock, epoch)
	if err == nil && !held {
		return journal.ErrLost
	}
	return err
}

package book

import (
	"context"
	_ "embed"
	"errors"
	"fmt"

	"hubquote/internal/settle/journal"
	"hubquote/internal/settle/journal/table"
	"hubquote/internal/settle/journal/view"
)

//go:embed schema.sql
var schema string

//go:embed burns.sql
var burns string

//go:embed facts.sql
var facts string

//go:embed alarms.sql
var alarms string

//go:embed token.sql
var token string

//go:embed index.sql
var index string

//go:embed agreed.sql
var agreed string

// migrations are run once each, in order. Add to the end, never change one.
var migrations = []string{schema, burns, facts, alarms, token, index, agreed}

var versions = table.New("schema_version", 1, "version", func(n *int) []any { return []any{n} })

// Current refuses a journal whose schema is not that of this program, and changes
// nothing.
func Current(ctx context.Context, q table.Querier) error {
	done, _, err := versions.One(ctx, q, "ORDER BY version DESC LIMIT 1")
	switch {
	case err != nil:
		return fmt.Errorf("no journal of settler run is there: %w", err)
	case done < len(migrations):
		return fmt.Errorf("the journal has schema %d, this program needs %d: start settler run of this version first, which brings it up to date", done, len(migrations))
	}
	return known(done)
}

func known(version int) error {
	if version > len(migrations) {
		return fmt.Errorf("the journal has schema %d, this program knows %d: run a newer settler", version, len(migrations))
	}
	return nil
}

// Migrate brings the schema up to date. It must run in a transaction that no
// other migration can overlap.
func Migrate(ctx context.Context, q table.Querier) error {
	if _, err := q.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS schema_version (version BIGINT PRIMARY KEY)"); err != nil {
		return fmt.Errorf("create the journal's schema: %w", err)
	}
	done, _, err := versions.One(ctx, q, "ORDER BY version DESC LIMIT 1")
	if err := errors.Join(err, known(done)); err != nil {
		return err
	}
	for i, m := range migrations[done:] {
		if _, err := q.ExecContext(ctx, m); err != nil {
			return fmt.Errorf("journal schema %d: %w", done+i+1, err)
		}
		if err := versions.Insert(ctx, q, done+i+1); err != nil {
			return err
		}
	}
	return nil
}

// AddWish records an operator's wish. It needs no lease.
func AddWish(ctx context.Context, q table.Querier, w journal.Wish) error {
	return view.Wishes.Insert(ctx, q, w)
}

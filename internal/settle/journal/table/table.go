// Package table reads and writes rows in SQL that Postgres and SQLite both
// understand. A table is described once, and every query is made from that
// description, so that no two of them disagree about a column.
package table

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"hubquote/swap"
)

// A Querier is a database or a transaction.
type Querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// A Table describes where the fields of T are kept. The first Keys columns are
// the primary key.
type Table[T any] struct {
	Name    string
	Keys    int
	Columns string
	Fields  func(*T) []any // pointers, in the order of Columns

	insert, merge, put string // queries that are made once
}

// New describes a table. Columns are separated by a comma and a space.
func New[T any](name string, keys int, columns string, fields func(*T) []any) Table[T] {
	t := Table[T]{Name: name, Keys: keys, Columns: columns, Fields: fields}
	names, marks := strings.Split(columns, ", "), []string{}
	for i := range names {
		marks = append(marks, fmt.Sprintf("$%d", i+1))
	}
	t.insert = "INSERT INTO " + name + " (" + columns + ") VALUES (" + strings.Join(marks, ", ") + ")"
	t.merge = t.insert + " ON CONFLICT (" + strings.Join(names[:keys], ", ") + ") DO UPDATE SET "
	t.put = t.merge + t.Set()
	return t
}

// All returns the rows that the rest of the query selects.
func (t Table[T]) All(ctx context.Context, q Querier, rest string, args ...any) (out []T, err error) {
	err = t.Each(ctx, q, func(row T) { out = append(out, row) }, rest, args...)
	return out, err
}

// Each does something with each row, without keeping any.
func (t Table[T]) Each(ctx context.Context, q Querier, do func(T), rest string, args ...any) error {
	rows, err := q.QueryContext(ctx, "SELECT "+t.Columns+" FROM "+t.Name+" "+rest, args...)
	if err != nil {
		return fmt.Errorf("read %s: %w", t.Name, err)
	}
	defer func() { _ = rows.Close() }()
	var row, none T
	for fields := t.Fields(&row); rows.Next(); row = none {
		if err := errors.Join(ctx.Err(), rows.Scan(fields...)); err != nil {
			return fmt.Errorf("read %s: %w", t.Name, err)
		}
		do(row)
	}
	return rows.Err()
}

// One returns the first row, if there is one.
func (t Table[T]) One(ctx context.Context, q Querier, rest string, args ...any) (row T, found bool, err error) {
	rows, err := t.All(ctx, q, rest, args...)
	if err != nil || len(rows) == 0 {
		return row, false, err
	}
	return rows[0], true, nil
}

// Insert adds a row that must be new.
func (t Table[T]) Insert(ctx context.Context, q Querier, row T) error {
	return t.exec(ctx, q, row, t.insert)
}

// Put inserts the row, or updates all columns but the key.
func (t Table[T]) Put(ctx context.Context, q Querier, row T) error {
	return t.exec(ctx, q, row, t.put)
}

// Merge inserts the row, or sets columns as set says, which [Table.Set] helps to
// write.
func (t Table[T]) Merge(ctx context.Context, q Querier, row T, set string) error {
	return t.exec(ctx, q, row, t.merge+set)
}

// Set sets all columns but the key and those kept to the values of a new row.
func (t Table[T]) Set(kept ...string) string {
	var set []string
	for _, name := range strings.Split(t.Columns, ", ")[t.Keys:] {
		if !slices.Contains(kept, name) {
			set = append(set, name+" = excluded."+name)
		}
	}
	return strings.Join(set, ", ")
}

func (t Table[T]) exec(ctx context.Context, q Querier, row T, query string) error {
	if _, err := q.ExecContext(ctx, query, t.Fields(&row)...); err != nil {
		return fmt.Errorf("write %s: %w", t.Name, err)
	}
	return nil
}

// ErrAbsent means that a row to change is not there.
var ErrAbsent = errors.New("there is no such row")

// Change runs an UPDATE that must concern exactly one row.
func Change(ctx context.Context, q Querier, query string, args ...any) error {
	res, err := q.ExecContext(ctx, query, args...)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return fmt.Errorf("%d rows changed, want 1: %w", n, ErrAbsent)
	}
	return nil
}

// An Address keeps a [swap.Address] as bytes.
type Address swap.Address

// Value implements [driver.Valuer].
func (a *Address) Value() (driver.Value, error) { return a[:], nil }

// Scan implements [sql.Scanner].
func (a *Address) Scan(src any) error {
	b, ok := src.([]byte)
	if !ok || len(b) != len(a) {
		return fmt.Errorf("not an address of 20 bytes: %T", src)
	}
	copy(a[:], b)
	return nil
}

// A Moment keeps a time in milliseconds, and no time as 0.
type Moment time.Time

// Value implements [driver.Valuer].
func (m *Moment) Value() (driver.Value, error) {
	if t := (*time.Time)(m); !t.IsZero() {
		return t.UnixMilli(), nil
	}
	return int64(0), nil
}

// Scan implements [sql.Scanner].
func (m *Moment) Scan(src any) error {
	ms, ok := src.(int64)
	if !ok {
		return fmt.Errorf("not a time in milliseconds: %T", src)
	}
	*m = Moment{}
	if ms != 0 {
		*m = Moment(time.UnixMilli(ms).UTC())
	}
	return nil
}

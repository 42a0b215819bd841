package sqlite

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"sync"
)

const (
	maxPrepared = 200 // queries; the journal has fewer that do not depend on a filter
	idle        = 16  // connections that are kept: to open one costs more than many queries
)

// A prepared database compiles each query once for each connection: to compile
// takes longer than to run it. A query that has begun is not cut short, since two
// goroutines would wait for that each time; the reader of its rows may stop.
type prepared struct {
	*sql.DB
	mu      sync.Mutex
	queries map[string]*sql.Stmt
	wanted  map[string]bool // that a transaction had to compile
}

func newPrepared(db *sql.DB) *prepared {
	db.SetMaxIdleConns(idle)
	return &prepared{DB: db, queries: map[string]*sql.Stmt{}, wanted: map[string]bool{}}
}

// QueryContext implements [table.Querier].
func (p *prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt := p.known(query)
	if stmt == nil {
		p.learn()
		stmt = p.known(query)
	}
	if stmt == nil {
		return p.DB.QueryContext(ctx, query, args...)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return stmt.QueryContext(context.WithoutCancel(ctx), args...)
}

// known returns nil for a query that is not compiled, and notes that it is wanted.
func (p *prepared) known(query string) *sql.Stmt {
	p.mu.Lock()
	defer p.mu.Unlock()
	stmt := p.queries[query]
	if stmt == nil && len(p.queries)+len(p.wanted) < maxPrepared {
		p.wanted[query] = true
	}
	return stmt
}

// learn compiles what is wanted, for all requests to come. It must not be called
// inside a transaction, which may have the only connection, and it waits for one
// without the lock, which transactions need. One that cannot be compiled fails
// where it is run.
func (p *prepared) learn() {
	for _, query := range p.want() {
		stmt, err := p.Prepare(query)
		if err != nil {
			continue
		}
		p.mu.Lock()
		other := p.queries[query]
		if other == nil {
			p.queries[query] = stmt
		}
		p.mu.Unlock()
		if other != nil {
			_ = stmt.Close() // two learned it at the same time
		}
	}
}

func (p *prepared) want() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := slices.Collect(maps.Keys(p.wanted))
	clear(p.wanted)
	return list
}

// A compiled transaction uses the compiled queries too.
type compiled struct {
	*sql.Tx
	queries *prepared
}

// QueryContext implements [table.Querier].
func (c compiled) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt := c.queries.known(query)
	if stmt == nil {
		return c.Tx.QueryContext(ctx, query, args...)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return c.StmtContext(ctx, stmt).QueryContext(context.WithoutCancel(ctx), args...)
}

// ExecContext implements [table.Querier].
func (c compiled) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	stmt := c.queries.known(query)
	if stmt == nil {
		return c.Tx.ExecContext(ctx, query, args...)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return c.StmtContext(ctx, stmt).ExecContext(context.WithoutCancel(ctx), args...)
}

package sqlite

import (
	"context"
	"database/sql"
	"sync"
)

const (
	maxPrepared = 200 // queries; the journal has fewer that do not depend on a filter
	idle        = 16  // connections that are kept: to open one costs more than many queries
)

// A prepared database compiles each query once for each connection: to compile
// takes longer than to run it.
type prepared struct {
	*sql.DB
	mu      sync.Mutex
	queries map[string]*sql.Stmt
}

func newPrepared(db *sql.DB) *prepared {
	db.SetMaxIdleConns(idle)
	return &prepared{DB: db, queries: map[string]*sql.Stmt{}}
}

// QueryContext implements [table.Querier].
func (p *prepared) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := p.statement(query)
	if err != nil {
		return nil, err
	}
	if stmt == nil {
		return p.DB.QueryContext(ctx, query, args...)
	}
	return stmt.QueryContext(ctx, args...)
}

// statement returns nil when there are too many already. It outlives the request
// that first needs it.
func (p *prepared) statement(query string) (*sql.Stmt, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	stmt := p.queries[query]
	if stmt != nil || len(p.queries) >= maxPrepared {
		return stmt, nil
	}
	stmt, err := p.DB.Prepare(query)
	if err == nil {
		p.queries[query] = stmt
	}
	return stmt, err
}

// A compiled transaction uses the compiled queries too.
type compiled struct {
	*sql.Tx
	queries *prepared
}

// QueryContext implements [table.Querier].
func (c compiled) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	stmt, err := c.queries.statement(query)
	if err != nil {
		return nil, err
	}
	if stmt == nil {
		return c.Tx.QueryContext(ctx, query, args...)
	}
	return c.StmtContext(ctx, stmt).QueryContext(ctx, args...)
}

// ExecContext implements [table.Querier].
func (c compiled) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	stmt, err := c.queries.statement(query)
	if err != nil {
		return nil, err
	}
	if stmt == nil {
		return c.Tx.ExecContext(ctx, query, args...)
	}
	return c.StmtContext(ctx, stmt).ExecContext(ctx, args...)
}

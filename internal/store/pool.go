package store

import (
	"context"
	"database/sql"
)

// A pool is a set of connections to the database. Waiting for a free connection is bounded like
// waiting for an answer.
type pool struct {
	*sql.DB
	guard *guard
}

// QueryContext is that of sql.DB.
func (p *pool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	c, end := p.guard.call(ctx)
	defer end()
	return p.DB.QueryContext(c, query, args...)
}

// QueryRowContext is that of sql.DB.
func (p *pool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	c, end := p.guard.call(ctx)
	defer end()
	return p.DB.QueryRowContext(c, query, args...)
}

// ExecContext is that of sql.DB.
func (p *pool) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	c, end := p.guard.call(ctx)
	defer end()
	return p.DB.ExecContext(c, query, args...)
}

// BeginTx is that of sql.DB.
func (p *pool) BeginTx(ctx context.Context, options *sql.TxOptions) (*sql.Tx, error) {
	c, end := p.guard.call(ctx)
	defer end()
	return p.DB.BeginTx(c, options)
}

// Conn is that of sql.DB.
func (p *pool) Conn(ctx context.Context) (*sql.Conn, error) {
	c, end := p.guard.call(ctx)
	defer end()
	return p.DB.Conn(c)
}

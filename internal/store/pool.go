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
	ctx, end := p.guard.turn(ctx)
	defer end()
	return p.DB.QueryContext(ctx, query, args...)
}

// QueryRowContext is that of sql.DB.
func (p *pool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	ctx, end := p.guard.turn(ctx)
	defer end()
	return p.DB.QueryRowContext(ctx, query, args...)
}

// ExecContext is that of sql.DB.
func (p *pool) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	ctx, end := p.guard.turn(ctx)
	defer end()
	return p.DB.ExecContext(ctx, query, args...)
}

// PrepareContext is that of sql.DB.
func (p *pool) PrepareContext(ctx context.Context, query string) (*sql.Stmt, error) {
	ctx, end := p.guard.turn(ctx)
	defer end()
	return p.DB.PrepareContext(ctx, query)
}

// BeginTx is that of sql.DB.
func (p *pool) BeginTx(ctx context.Context, options *sql.TxOptions) (*sql.Tx, error) {
	ctx, end := p.guard.turn(ctx)
	defer end()
	return p.DB.BeginTx(ctx, options)
}

// Conn is that of sql.DB.
func (p *pool) Conn(ctx context.Context) (*sql.Conn, error) {
	ctx, end := p.guard.turn(ctx)
	defer end()
	return p.DB.Conn(ctx)
}

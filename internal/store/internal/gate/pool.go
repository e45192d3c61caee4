package gate

import (
	"context"
	"database/sql"
)

// A Pool is a set of connections to the database. Waiting for a free connection is bounded like
// waiting for an answer.
type Pool struct {
	*sql.DB
	guard *Guard
}

// QueryContext is that of sql.DB.
func (p *Pool) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	c, end := p.guard.Call(ctx)
	defer end()
	return p.DB.QueryContext(c, query, args...)
}

// QueryRowContext is that of sql.DB.
func (p *Pool) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	c, end := p.guard.Call(ctx)
	defer end()
	return p.DB.QueryRowContext(c, query, args...)
}

// ExecContext is that of sql.DB.
func (p *Pool) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	c, end := p.guard.Call(ctx)
	defer end()
	return p.DB.ExecContext(c, query, args...)
}

// BeginTx is that of sql.DB.
func (p *Pool) BeginTx(ctx context.Context, options *sql.TxOptions) (*sql.Tx, error) {
	c, end := p.guard.Call(ctx)
	defer end()
	return p.DB.BeginTx(c, options)
}

// Conn is that of sql.DB.
func (p *Pool) Conn(ctx context.Context) (*sql.Conn, error) {
	c, end := p.guard.Call(ctx)
	defer end()
	return p.DB.Conn(c)
}

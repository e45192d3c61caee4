package gate

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// The types below are the driver's own with the guard in front of them.

// A GuardedConnector opens connections with the guard in front of them.
type GuardedConnector struct {
	driver.Connector
	Guard *Guard
}

// Connect opens a connection.
func (g GuardedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	c, end := g.Guard.Call(ctx)
	defer end()
	conn, err := g.Connector.Connect(c)
	if err != nil {
		return nil, c.Judge(err)
	}
	return &guardedConn{conn.(fullConn), g.Guard, g.Guard.schema.Load()}, nil
}

// OnPostgres calls do with pgx's connection under one of database/sql.
func OnPostgres(conn *sql.Conn, do func(*pgx.Conn) error) error {
	return conn.Raw(func(driver any) error { return do(driver.(*guardedConn).fullConn.(*stdlib.Conn).Conn()) })
}

// A fullConn is what the connections of both drivers can do.
type fullConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.ExecerContext
	driver.QueryerContext
	driver.Pinger
	driver.SessionResetter
}

type guardedConn struct {
	fullConn
	guard  *Guard
	schema int64 // the guard's count of schema changes when the connection was opened
}

// call is guard.call for a statement. SQLite works on our own time: within a transaction, long work has no deadline.
func (g *guardedConn) call(ctx context.Context) (*Call, func()) {
	c, end := g.guard.Call(ctx)
	if c.Context == ctx && g.guard.Dialect == SQLite && isLong(ctx) {
		c.pause()
	}
	return c, end
}

// current turns the error that the schema has changed under the connection, which
// means that a newer program has migrated the database, into ErrBadConn: database/sql
// then drops the connection and repeats the statement if it can.
func (g *guardedConn) current(err error) error {
	if !g.guard.Dialect.migrated(err) {
		return err
	}
	g.guard.schema.CompareAndSwap(g.schema, g.schema+1)
	return fmt.Errorf("%w: %w", driver.ErrBadConn, err)
}

// BeginTx begins a transaction. Its context is used again when the transaction ends.
func (g *guardedConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	c, end := g.guard.Call(ctx)
	defer end()
	tx, err := g.fullConn.BeginTx(c, options)
	if err != nil {
		return nil, c.Judge(err)
	}
	c.pause()
	c.open = true
	return &guardedTx{tx, c}, nil
}

// ExecContext executes a statement.
func (g *guardedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	c, end := g.call(ctx)
	defer end()
	began := time.Now()
	res, err := g.fullConn.ExecContext(c, query, args)
	g.guard.slow.note(ctx, query, time.Since(began))
	g.guard.note(err)
	return res, g.current(c.Judge(err))
}

// QueryContext runs a query. The rest of its answer is watched row by row, so that a slow reader is not taken for
// a database that hangs.
func (g *guardedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	c, end := g.call(ctx)
	defer end()
	began := time.Now()
	rows, err := g.fullConn.QueryContext(c, query, args)
	if err != nil {
		g.guard.slow.note(ctx, query, time.Since(began))
		return nil, g.current(c.Judge(err))
	}
	c.pause()
	c.open = true
	return &guardedRows{rows, c, query, time.Since(began)}, nil
}

// Ping checks whether the database answers.
func (g *guardedConn) Ping(ctx context.Context) error {
	c, end := g.guard.Call(ctx)
	defer end()
	return c.Judge(g.fullConn.Ping(c))
}

// errStale makes database/sql close a connection and take another one. When the database comes back, somebody
// may be given one broken connection after another; to them, it is still away.
var errStale = fmt.Errorf("%w: %w", ErrAway, driver.ErrBadConn)

// ResetSession makes a connection ready for its next user. One opened before the
// schema changed is dropped: its statements were prepared for the old columns.
func (g *guardedConn) ResetSession(ctx context.Context) error {
	if g.schema != g.guard.schema.Load() {
		return errStale
	}
	c, end := g.guard.Call(ctx)
	defer end()
	err := g.fullConn.ResetSession(c)
	if err == driver.ErrBadConn { // closed with the statement that its last user left: another one is opened
		return errStale
	}
	return c.Judge(err)
}

// IsValid reports whether the connection can be used again.
func (g *guardedConn) IsValid() bool {
	v, ok := g.fullConn.(driver.Validator)
	return !ok || v.IsValid()
}

// CheckNamedValue leaves the types of values to the driver.
func (g *guardedConn) CheckNamedValue(v *driver.NamedValue) error {
	if checker, ok := g.fullConn.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(v)
	}
	return driver.ErrSkip
}

type guardedTx struct {
	driver.Tx
	call *Call
}

// Commit ends the transaction.
func (t *guardedTx) Commit() error {
	defer t.call.finish()
	t.call.resume()
	began := time.Now()
	err := t.Tx.Commit()
	t.call.guard.slow.note(t.call.Context, "COMMIT", time.Since(began))
	t.call.guard.note(err)
	return t.call.Judge(err)
}

// Rollback undoes the transaction.
func (t *guardedTx) Rollback() error {
	defer t.call.finish()
	t.call.resume()
	return t.call.Judge(t.Tx.Rollback())
}

type guardedRows struct {
	driver.Rows
	call  *Call
	query string
	took  time.Duration // of the database, not of whoever reads the rows
}

// Next reads a row.
func (r *guardedRows) Next(into []driver.Value) error {
	r.call.resume()
	began := time.Now()
	err := r.Rows.Next(into)
	r.took += time.Since(began)
	r.call.pause()
	if err == io.EOF {
		return err
	}
	return r.call.Judge(err)
}

// Close closes the rows.
func (r *guardedRows) Close() error {
	defer r.call.finish()
	r.call.resume()
	r.call.guard.slow.note(r.call.Context, r.query, r.took)
	return r.call.Judge(r.Rows.Close())
}

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

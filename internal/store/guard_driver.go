package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io"
)

// The types below are the driver's own with the guard in front of them.

type guardedConnector struct {
	driver.Connector
	guard *guard
}

// Connect opens a connection.
func (c guardedConnector) Connect(ctx context.Context) (driver.Conn, error) {
	ctx, w := c.guard.watch(ctx)
	conn, err := c.Connector.Connect(ctx)
	if w.turn != nil && err == nil {
		w.turn = nil // a connection is not an answer yet
	}
	if err := w.end(err); err != nil {
		return nil, err
	}
	return &guardedConn{conn.(fullConn), c.guard, c.guard.schema.Load()}, nil
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
	guard  *guard
	schema int64 // the guard's count of schema changes when the connection was opened
}

// current turns the error that the schema has changed under the connection, which
// means that a newer program has migrated the database, into ErrBadConn: database/sql
// then drops the connection and repeats the statement if it can.
func (c *guardedConn) current(err error) error {
	if !c.guard.dialect.migrated(err) {
		return err
	}
	c.guard.schema.CompareAndSwap(c.schema, c.schema+1)
	return fmt.Errorf("%w: %w", driver.ErrBadConn, err)
}

// PrepareContext prepares a statement.
func (c *guardedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	ctx, w := c.guard.watch(ctx)
	stmt, err := c.fullConn.PrepareContext(ctx, query)
	if err := w.end(err); err != nil {
		return nil, err
	}
	return &guardedStmt{stmt.(fullStmt), c}, nil
}

// BeginTx begins a transaction. Its context is used again when the transaction ends.
func (c *guardedConn) BeginTx(ctx context.Context, options driver.TxOptions) (driver.Tx, error) {
	ctx, w := c.guard.watch(ctx)
	tx, err := c.fullConn.BeginTx(ctx, options)
	if err != nil {
		return nil, w.end(err)
	}
	w.pause()
	return &guardedTx{tx, w}, w.judge(nil)
}

// ExecContext executes a statement.
func (c *guardedConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	ctx, w := c.guard.watch(ctx)
	res, err := c.fullConn.ExecContext(ctx, query, args)
	c.guard.note(err)
	return res, c.current(w.end(err))
}

// QueryContext runs a query.
func (c *guardedConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	ctx, w := c.guard.watch(ctx)
	rows, err := c.fullConn.QueryContext(ctx, query, args)
	rows, err = w.rows(rows, err)
	return rows, c.current(err)
}

// Ping checks whether the database answers.
func (c *guardedConn) Ping(ctx context.Context) error {
	ctx, w := c.guard.watch(ctx)
	return w.end(c.fullConn.Ping(ctx))
}

// errStale makes database/sql close a connection and take another one. When the database comes back, somebody
// may be given one broken connection after another; to them, it is still away.
var errStale = fmt.Errorf("%w: %w", ErrAway, driver.ErrBadConn)

// ResetSession makes a connection ready for its next user. One opened before the
// schema changed is dropped: its statements were prepared for the old columns.
func (c *guardedConn) ResetSession(ctx context.Context) error {
	if c.schema != c.guard.schema.Load() {
		return errStale
	}
	ctx, w := c.guard.watch(ctx)
	w.turn = nil // not an answer yet
	err := c.fullConn.ResetSession(ctx)
	if err == driver.ErrBadConn { // closed with the statement that its last user left: another one is opened
		w.end(nil)
		return errStale
	}
	return w.end(err)
}

// IsValid reports whether the connection can be used again.
func (c *guardedConn) IsValid() bool {
	v, ok := c.fullConn.(driver.Validator)
	return !ok || v.IsValid()
}

// CheckNamedValue leaves the types of values to the driver.
func (c *guardedConn) CheckNamedValue(v *driver.NamedValue) error {
	if checker, ok := c.fullConn.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(v)
	}
	return driver.ErrSkip
}

type guardedTx struct {
	driver.Tx
	watch *watch
}

// Commit ends the transaction.
func (t *guardedTx) Commit() error {
	t.watch.resume()
	err := t.watch.end(t.Tx.Commit())
	t.watch.guard.note(err)
	return err
}

// Rollback undoes the transaction.
func (t *guardedTx) Rollback() error {
	t.watch.resume()
	return t.watch.end(t.Tx.Rollback())
}

// A fullStmt is what the statements of both drivers can do.
type fullStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

type guardedStmt struct {
	fullStmt
	conn *guardedConn
}

// ExecContext executes the statement.
func (s *guardedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	ctx, w := s.conn.guard.watch(ctx)
	res, err := s.fullStmt.ExecContext(ctx, args)
	s.conn.guard.note(err)
	return res, s.conn.current(w.end(err))
}

// QueryContext runs the statement as a query.
func (s *guardedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	ctx, w := s.conn.guard.watch(ctx)
	rows, err := s.fullStmt.QueryContext(ctx, args)
	rows, err = w.rows(rows, err)
	return rows, s.conn.current(err)
}

// rows has the rest of an answer watched row by row, so that a slow reader is not
// taken for a database that hangs.
func (w *watch) rows(rows driver.Rows, err error) (driver.Rows, error) {
	if err != nil {
		return nil, w.end(err)
	}
	w.pause()
	return &guardedRows{rows, w}, w.judge(nil)
}

type guardedRows struct {
	driver.Rows
	watch *watch
}

// Next reads a row.
func (r *guardedRows) Next(into []driver.Value) error {
	r.watch.resume()
	err := r.Rows.Next(into)
	r.watch.pause()
	if err == nil || err == io.EOF {
		return err
	}
	return r.watch.judge(err)
}

// Close closes the rows.
func (r *guardedRows) Close() error {
	r.watch.resume()
	return r.watch.end(r.Rows.Close())
}

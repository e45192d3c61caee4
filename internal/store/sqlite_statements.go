package store

import (
	"context"
	"database/sql/driver"
)

// A sqliteConn keeps the statements that it was asked with: a page asks a dozen
// short questions, and to have SQLite read the text of one and plan it takes
// longer than its answer. PostgreSQL's driver does so by itself.
//
// A statement of which rows are still read is not at hand until they are closed:
// whoever asks the same meanwhile, within one transaction, has one of his own.
type sqliteConn struct {
	fullConn
	kept []keptStatement // none of them in use, the one used last at the end
}

type keptStatement struct {
	query string
	stmt  fullStmt
}

// A statement takes some kilobytes. Texts that differ by how many values they
// name push out each other, and those that name hundreds are not kept at all.
const (
	statementsKept   = 64
	longestStatement = 4096
)

// QueryContext asks a question.
func (c *sqliteConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if len(query) > longestStatement {
		return c.fullConn.QueryContext(ctx, query, args)
	}
	stmt, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := stmt.QueryContext(ctx, args)
	if err != nil {
		stmt.Close()
		return nil, err
	}
	return &keptRows{rows, c, keptStatement{query, stmt}}, nil
}

// take returns the statement that was kept of query, or a new one.
func (c *sqliteConn) take(ctx context.Context, query string) (fullStmt, error) {
	for i := len(c.kept) - 1; i >= 0; i-- {
		if k := c.kept[i]; k.query == query {
			c.kept = append(c.kept[:i], c.kept[i+1:]...)
			return k.stmt, nil
		}
	}
	stmt, err := c.fullConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	return stmt.(fullStmt), nil
}

// keep has a statement at hand for whoever asks the same next.
func (c *sqliteConn) keep(k keptStatement) {
	if len(c.kept) == statementsKept {
		c.kept[0].stmt.Close()
		c.kept = append(c.kept[:0], c.kept[1:]...)
	}
	c.kept = append(c.kept, k)
}

// Close ends the connection, and its statements before it.
func (c *sqliteConn) Close() error {
	for _, k := range c.kept {
		k.stmt.Close()
	}
	c.kept = nil
	return c.fullConn.Close()
}

// IsValid reports whether the connection can be used again.
func (c *sqliteConn) IsValid() bool {
	v, ok := c.fullConn.(driver.Validator)
	return !ok || v.IsValid()
}

// keptRows are the rows that a statement reads, which is kept when they are closed.
type keptRows struct {
	driver.Rows
	conn      *sqliteConn
	statement keptStatement
}

// Close ends the reading.
func (r *keptRows) Close() error {
	if err := r.Rows.Close(); err != nil {
		r.statement.stmt.Close()
		return err
	}
	r.conn.keep(r.statement)
	return nil
}

package gate

import (
	"context"
	"database/sql/driver"
)

// A sqliteConn keeps prepared statements. A page runs a dozen short queries, what
// happens to a booking a dozen short writes, and SQLite takes longer to parse and
// plan one than to do it. PostgreSQL's driver keeps statements by itself.
//
// A statement whose rows are still being read is not available until they are
// closed: the same query in the same transaction then gets another statement.
type sqliteConn struct {
	fullConn
	kept []keptStatement // none of them in use, the one used last at the end
}

type keptStatement struct {
	query string
	stmt  fullStmt
}

// A statement takes some kilobytes. Queries that differ only in how many values
// they name push each other out. The longest that is kept is that of an upload.
const (
	statementsKept   = 64
	longestStatement = 8192
)

// QueryContext runs a query.
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

// ExecContext executes a statement. One without values is none that comes again.
func (c *sqliteConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if len(args) == 0 || len(query) > longestStatement {
		return c.fullConn.ExecContext(ctx, query, args)
	}
	stmt, err := c.take(ctx, query)
	if err != nil {
		return nil, err
	}
	res, err := stmt.ExecContext(ctx, args)
	if err != nil {
		stmt.Close()
		return nil, err
	}
	c.keep(keptStatement{query, stmt})
	return res, nil
}

// take returns the kept statement for query, or a new one.
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

// keep keeps a statement for the next use of its query.
func (c *sqliteConn) keep(k keptStatement) {
	if len(c.kept) == statementsKept {
		c.kept[0].stmt.Close()
		c.kept = append(c.kept[:0], c.kept[1:]...)
	}
	c.kept = append(c.kept, k)
}

// Close closes the statements and then the connection.
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

// A fullStmt is what the driver's statements can do.
type fullStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// keptRows are the rows of a statement, which is kept once they are closed.
type keptRows struct {
	driver.Rows
	conn      *sqliteConn
	statement keptStatement
}

// Close closes the rows.
func (r *keptRows) Close() error {
	if err := r.Rows.Close(); err != nil {
		r.statement.stmt.Close()
		return err
	}
	r.conn.keep(r.statement)
	return nil
}

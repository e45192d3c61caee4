package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"gangway"
	"gangway/internal/report"
	"gangway/internal/report/query"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	sqlitedriver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrReportTooLong says that a report was not answered in time.
var ErrReportTooLong = gangway.Errorf(gangway.Unavailable,
	"the report has taken longer than a minute: please ask for less at once, for instance by $filter")

// A ReportAnswer takes what a report is answered with.
type ReportAnswer struct {
	Mark  func(mark int64)      // what later changes have, or more
	Count func(n int64) error   // how many rows there are in all, before the first row, if $count asks
	Row   func(query.Row) error // each row; it is valid until the next one
}

// Report answers a request about a set of the account's report, row by row. Rows and count are of
// the same moment.
//
// It waits until fewer of the account's reports are being read than may be at a time, and fails with
// ErrReportTooLong if ctx ends before, or the database takes too long.
//
// It is the only way to the report's rows. Whatever a request says, its statement selects from
// nothing but a subquery that has the account in its condition.
func (s Scoped) Report(ctx context.Context, req query.Request, answer ReportAnswer) error {
	if err := query.Supported(req.Query); err != nil {
		return err
	}
	d, err := s.db.dialectOfReports(ctx)
	if err != nil {
		return err
	}
	account, err := s.ReportAccount(ctx)
	if err != nil {
		return err
	}
	source := s.reportSource(req.Set(), account, req.Changes != nil)
	source.keyed = req.Key != nil
	end, err := s.db.reports.turns.Take(ctx, s.account)
	if err != nil {
		return err
	}
	defer end()
	ctx, cancel := context.WithTimeout(withLongWork(ctx), reportTime)
	defer cancel()
	statements, left := source.statements(d, req)
	counts := req.Query.Count && answer.Count != nil && req.Changes == nil
	if len(statements) == 1 && !counts && answer.Mark == nil { // which sees one moment by itself
		_, err := source.each(ctx, s.db.reports, statements[0], left, answer.Row)
		return err
	}
	tx, err := s.db.reports.BeginTx(ctx, &sql.TxOptions{Isolation: s.db.dialect.snapshot(), ReadOnly: true})
	if err != nil {
		return reportError(ctx, err)
	}
	defer tx.Rollback()
	if answer.Mark != nil {
		var mark int64
		if err := tx.QueryRowContext(ctx, s.db.dialect.selectOldestChange(), s.account).Scan(&mark); err != nil {
			return reportError(ctx, err)
		}
		answer.Mark(mark)
	}
	if counts {
		var n int64
		text, args := source.statement(d.Count(source.Source, req))
		if err := tx.QueryRowContext(ctx, text, args...).Scan(&n); err != nil {
			return reportError(ctx, err)
		}
		if err := answer.Count(n); err != nil {
			return err
		}
	}
	for _, statement := range statements {
		if left != 0 {
			if left, err = source.each(ctx, tx, statement, left, answer.Row); err != nil {
				return err
			}
		}
	}
	return nil
}

// statements translates a request for rows, or for those that have changed: the answer has the rows of one
// statement after the other, up to a limit; -1 is no limit.
func (f reportSource) statements(d query.Dialect, req query.Request) (all []query.Statement, limit int64) {
	if req.Changes != nil {
		return []query.Statement{d.Changes(f.Source, req)}, -1
	}
	return d.Rows(f.Source, req)
}

// each runs a statement and hands over as many of its rows as are left to be given; -1 is all. It
// returns how many are left then.
func (f reportSource) each(ctx context.Context, in querier, statement query.Statement, left int64,
	do func(query.Row) error) (int64, error) {
	text, args := f.statement(statement)
	if f.keyed && f.dialect == postgres {
		args = append([]any{pgx.QueryExecModeCacheStatement}, args...)
	}
	rows, err := in.QueryContext(ctx, text, args...)
	if err != nil {
		return left, reportError(ctx, err)
	}
	defer rows.Close()
	into, read := statement.Scan()
	for n := 0; left != 0 && rows.Next(); left = max(left-1, -1) {
		if n++; n%16 == 0 {
			runtime.Gosched() // let bookings run: what is fast here would keep a processor for 10 ms
		}
		if err := rows.Scan(into...); err != nil {
			return left, reportError(ctx, err)
		}
		row, err := read()
		if err != nil {
			return left, fmt.Errorf("read a row of the report: %w", err)
		}
		if err := do(row); err != nil {
			return left, err
		}
	}
	return left, reportError(ctx, rows.Err())
}

// reportError says what whoever asked can do about an error of the database.
func reportError(ctx context.Context, err error) error {
	var pg *pgconn.PgError
	var lite *sqlitedriver.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &lite) && lite.Code() == sqlite3.SQLITE_TOOBIG:
		return gangway.Errorf(gangway.Invalid, "the request is more than one statement of the database has room for")
	case errors.As(err, &pg) && pg.Code == "57014", errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", ErrReportTooLong, err)
	case errors.As(err, &pg) && strings.HasPrefix(pg.Code, "22"):
		return gangway.Errorf(gangway.Invalid, "a number of the request, or one calculated from it, is too large")
	}
	return fmt.Errorf("read the report: %w", err)
}

// A reportSource is one account's rows of a set.
type reportSource struct {
	query.Source
	dialect dialect
	with    string
	args    []any
	keyed   bool // one row is asked for: always by the same few statements, which are prepared
}

// reportSource returns the account's rows of a set; with those that are gone if changes are asked for.
func (s Scoped) reportSource(set report.Set, account gangway.Account, changes bool) reportSource {
	source := reportSource{Source: query.Source{Name: "report_row", Kept: set.Table != ""}, dialect: s.db.dialect,
		args: []any{s.account}}
	from, of := set.Table+" WHERE account = $1", func(c report.Column) string { return c.SQL }
	if !source.Kept {
		live := s.db.dialect.liveSet(set)
		from, of = live.from, func(c report.Column) string { return live.columns[c.SQL] }
	}
	var columns []string
	for _, c := range set.Columns {
		value := of(c)
		switch {
		case c.SQL == tenant:
			source.args = append(source.args, account.Customer.ID)
			value = s.db.dialect.bytewise(fmt.Sprintf("CAST($%d AS TEXT)", len(source.args)))
		case c.Forced != "" && account.Settings.RadiativeForcing:
			source.Differing = append(source.Differing, c.Name)
			value = c.Forced
		case c.Kind == report.Flag:
			value = s.db.dialect.flag(value)
		}
		columns = append(columns, value+" AS "+c.SQL)
	}
	if source.Kept {
		columns = append(columns, query.Members, query.Search)
	}
	switch {
	case set.Vanishing && changes:
		columns = append(columns, query.Gone)
	case set.Vanishing:
		from += " AND " + query.Gone + " = 0"
	case set.Tracked:
		columns = append(columns, "0 AS "+query.Gone)
	}
	if set.Tracked {
		columns = append(columns, query.Changed)
	}
	source.Args = len(source.args)
	source.with = "WITH report_row AS NOT MATERIALIZED (SELECT " + strings.Join(columns, ", ") + " FROM " + from + ")"
	return source
}

// statement returns a statement about the rows, with its arguments.
func (f reportSource) statement(s query.Statement) (text string, args []any) {
	text = strings.Join(append([]string{f.with}, s.With...), ", ") + " " + s.Query
	return text, append(slices.Clip(f.args), s.Args...)
}

// flag returns a column with 0 and 1 as a condition.
func (d dialect) flag(column string) string {
	if d == postgres {
		return "(" + column + " <> 0)"
	}
	return column
}

// snapshot is the isolation in which all statements of a transaction see the same rows. SQLite has
// no other.
func (d dialect) snapshot() sql.IsolationLevel {
	if d == postgres {
		return sql.LevelRepeatableRead
	}
	return sql.LevelDefault
}

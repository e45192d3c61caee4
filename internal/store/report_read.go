package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"gangway/internal/gangway"
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

// Report answers a request about a set of the account's report, row by row, as ReadReport does. Rows
// and count are of the same moment.
func (s Scoped) Report(ctx context.Context, req query.Request, answer ReportAnswer) error {
	return s.withReport(ctx, func(r *ReportReading) error {
		t := r.translated(req)
		if len(t.statements) == 1 && !t.counts(answer) && answer.Mark == nil { // which sees one moment by itself
			return r.answer(t, answer)
		}
		return r.atOneMoment(func() error { return r.answer(t, answer) })
	})
}

// ReadReport calls do, which may ask any number of requests of the same moment.
//
// It waits until fewer of the account's reports are being read than may be at a time, and fails with
// ErrReportTooLong if ctx ends before, or the database takes too long.
//
// It is the only way to the report's rows. Whatever a request says, its statements select from
// nothing but subqueries that have the account in their conditions.
func (s Scoped) ReadReport(ctx context.Context, do func(*ReportReading) error) error {
	return s.withReport(ctx, func(r *ReportReading) error {
		return r.atOneMoment(func() error { return do(r) })
	})
}

// A ReportReading answers requests about the account's report.
type ReportReading struct {
	ctx     context.Context
	in      Scoped
	account gangway.Account
	from    querier
	d       query.Dialect
}

// withReport calls do when it is the account's turn.
func (s Scoped) withReport(ctx context.Context, do func(*ReportReading) error) error {
	d, err := s.db.dialectOfReports(ctx)
	if err != nil {
		return reportError(ctx, err)
	}
	account, err := s.ReportAccount(ctx)
	if err != nil {
		return reportError(ctx, err)
	}
	end, err := s.db.reports.turns.Take(ctx, s.account, 1)
	if err != nil {
		return reportError(ctx, err)
	}
	defer end()
	ctx, cancel := context.WithTimeout(withLongWork(ctx), ReportTime)
	defer cancel()
	return do(&ReportReading{ctx, s, account, s.db.reports, d})
}

// atOneMoment calls do, all of whose statements see the same rows.
func (r *ReportReading) atOneMoment(do func() error) error {
	tx, err := r.in.db.reports.BeginTx(r.ctx, &sql.TxOptions{Isolation: r.in.db.dialect.snapshot(), ReadOnly: true})
	if err != nil {
		return reportError(r.ctx, err)
	}
	defer tx.Rollback()
	r.from = tx
	return do()
}

// A translation is what a request becomes: the answer has the rows of one statement after the other, up to
// a limit; -1 is no limit.
type translation struct {
	query.Request
	reportSources
	statements []query.Statement
	limit      int64
}

// counts reports whether all rows are to be counted, too.
func (t translation) counts(answer ReportAnswer) bool {
	return t.Query.Count && answer.Count != nil && t.Changes == nil
}

func (r *ReportReading) translated(req query.Request) translation {
	t := translation{Request: req, reportSources: r.in.reportSources(req, r.account), limit: -1}
	if req.Changes != nil {
		t.statements = []query.Statement{r.d.Changes(t.Sources, req)}
		return t
	}
	t.statements, t.limit = r.d.Rows(t.Sources, req)
	return t
}

// Answer answers a request for rows, or for what has changed.
func (r *ReportReading) Answer(req query.Request, answer ReportAnswer) error {
	return r.answer(r.translated(req), answer)
}

func (r *ReportReading) answer(t translation, answer ReportAnswer) error {
	if answer.Mark != nil {
		mark, err := column[int64](r.from.QueryRowContext(r.ctx, r.in.db.dialect.selectOldestChange(), r.in.account))
		if err != nil {
			return reportError(r.ctx, err)
		}
		answer.Mark(mark)
	}
	if t.counts(answer) {
		var n int64
		text, args := t.statement(r.d.Count(t.Sources, t.Request))
		if err := r.from.QueryRowContext(r.ctx, text, args...).Scan(&n); err != nil {
			return reportError(r.ctx, err)
		}
		if err := answer.Count(n); err != nil {
			return err
		}
	}
	left := t.limit
	for _, statement := range t.statements {
		if left != 0 {
			var err error
			if left, err = r.each(t.reportSources, statement, left, answer.Row); err != nil {
				return err
			}
		}
	}
	return nil
}

// Linked hands over the rows of a request for linked rows, each as Answer does.
func (r *ReportReading) Linked(req query.Request, do func(query.Row) error) error {
	source := r.in.reportSources(req, r.account)
	_, err := r.each(source, r.d.Linked(source.Sources, req), -1, do)
	return err
}

// LinkedCounts returns how many rows each of a request's rows is linked to.
func (r *ReportReading) LinkedCounts(req query.Request) ([]int64, error) {
	source := r.in.reportSources(req, r.account)
	counts := make([]int64, len(req.Linked.From))
	text, args := source.statement(r.d.LinkedCounts(source.Sources, req))
	rows, err := r.from.QueryContext(r.ctx, text, args...)
	if err != nil {
		return nil, reportError(r.ctx, err)
	}
	defer rows.Close()
	for rows.Next() {
		var origin, n int64
		if err := rows.Scan(&origin, &n); err != nil {
			return nil, reportError(r.ctx, err)
		}
		counts[origin] = n
	}
	return counts, reportError(r.ctx, rows.Err())
}

// each runs a statement and hands over as many of its rows as are left to be given; -1 is all. It
// returns how many are left then.
func (r *ReportReading) each(from reportSources, statement query.Statement, left int64,
	do func(query.Row) error) (int64, error) {
	text, args := from.statement(statement)
	if from.keyed && r.in.db.dialect == postgres {
		args = append([]any{pgx.QueryExecModeCacheStatement}, args...)
	}
	rows, err := r.from.QueryContext(r.ctx, text, args...)
	if err != nil {
		return left, reportError(r.ctx, err)
	}
	defer rows.Close()
	into, read := statement.Scan()
	way := r.in.db.GivingWay()
	for n := 0; left != 0 && rows.Next(); left = max(left-1, -1) {
		if n++; n%16 == 0 {
			way.Give(r.ctx)
			runtime.Gosched() // or this would keep a processor for 10 ms
		}
		if err := rows.Scan(into...); err != nil {
			return left, reportError(r.ctx, err)
		}
		row, err := read()
		if err != nil {
			return left, fmt.Errorf("read a row of the report: %w", err)
		}
		if err := do(row); err != nil {
			return left, err
		}
	}
	return left, reportError(r.ctx, rows.Err())
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

// reportSources are one account's rows of some sets.
type reportSources struct {
	query.Sources
	with  []string // of each set
	args  []any
	keyed bool // one row is asked for: always by the same few statements, which are prepared
}

// reportSources returns the account's rows of the sets that a request looks at; with those that are gone
// if changes are asked for.
func (s Scoped) reportSources(req query.Request, account gangway.Account) reportSources {
	all := reportSources{Sources: query.Sources{Of: map[string]query.Source{}}, args: []any{s.account}}
	for _, set := range req.Sets() {
		s.addSource(&all, set, account, req.Changes != nil)
	}
	all.Args = len(all.args)
	all.keyed = req.Path != nil && req.Path.Key != nil && len(req.Path.Steps) == 0
	return all
}

// addSource adds the account's rows of a set.
func (s Scoped) addSource(all *reportSources, set report.Set, account gangway.Account, changes bool) {
	source := query.Source{Name: "rows_of_" + strings.ToLower(set.Name), Kept: set.Table != ""}
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
			all.args = append(all.args, account.Customer.ID)
			value = s.db.dialect.bytewise(fmt.Sprintf("CAST($%d AS TEXT)", len(all.args)))
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
	all.Of[set.Name] = source
	all.with = append(all.with, source.Name+" AS NOT MATERIALIZED (SELECT "+strings.Join(columns, ", ")+
		" FROM "+from+")")
}

// statement returns a statement about the rows, with its arguments.
func (f reportSources) statement(s query.Statement) (text string, args []any) {
	text = "WITH " + strings.Join(append(slices.Clip(f.with), s.With...), ", ") + " " + s.Query
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

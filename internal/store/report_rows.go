package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/report/query"
)

// told works out what the report says of a booking.
func (s Scoped) told(ctx context.Context, tx *sql.Tx, b gangway.Booking) ([]report.Told, error) {
	customer, err := s.db.customerOf(ctx, tx, s.account)
	if err != nil {
		return nil, err
	}
	return report.OfBooking(b, customer), nil
}

// saveReport writes what the report says of a booking, in the transaction that writes the booking: the
// rows that differ from what it said before, if it said anything.
//
// The booking's own row is the last thing that a transaction writes for the report: on SQLite it
// makes the next transaction's number another one, see report_changed.go.
func (s Scoped) saveReport(ctx context.Context, tx *sql.Tx, b gangway.Booking, before []report.Told) error {
	now, err := s.told(ctx, tx, b)
	if err != nil {
		return err
	}
	for i, told := range now {
		was := report.Told{}
		if before != nil {
			was = before[i]
		}
		rows := differing(told, was.Rows, func(i int, r reportRow) bool {
			return slices.Equal(r.Row, was.Rows[i]) && (was.Forced == nil || r.forced == was.Forced[i])
		})
		if err := s.saveReportRows(ctx, tx, told.Set, rows); err != nil {
			return fmt.Errorf("write what the report says of booking %s: %w", b.ID, err)
		}
	}
	return nil
}

// A reportRow is a row of a set as it is kept.
type reportRow struct {
	report.Row
	forced any // what it has in the column with radiative forcing
	gone   bool
}

// differing returns the rows that a set has for a booking now and that are not the same as the row it
// had with that key, and as gone those that it has no more. Of the rows it had, the keys are enough.
func differing(now report.Told, had []report.Row, same func(i int, r reportRow) bool) (rows []reportRow) {
	there := make([]bool, len(had)) // still
	for n, row := range now.Rows {
		r := reportRow{Row: row}
		if now.Forced != nil {
			r.forced = now.Forced[n]
		}
		i := slices.IndexFunc(had, func(h report.Row) bool { return now.Set.SameKey(h, row) })
		if i < 0 || !same(i, r) {
			rows = append(rows, r)
		}
		if i >= 0 {
			there[i] = true
		}
	}
	for i, row := range had {
		if !there[i] {
			rows = append(rows, reportRow{Row: row, gone: true})
		}
	}
	return rows
}

// saveReports writes what the report says of new bookings, many rows in one statement.
func (s Scoped) saveReports(ctx context.Context, tx *sql.Tx, list []gangway.Booking) error {
	all := make([][]reportRow, len(report.Kept))
	for _, b := range list {
		told, err := s.told(ctx, tx, b)
		if err != nil {
			return err
		}
		for n := range told {
			all[n] = append(all[n], differing(told[n], nil, nil)...)
		}
	}
	for n, set := range report.Kept {
		if err := s.saveReportRows(ctx, tx, set, all[n]); err != nil {
			return fmt.Errorf("write what the report says of %d bookings: %w", len(list), err)
		}
	}
	return nil
}

// reportValuesAtOnce is how many values go into one statement: on SQLite the time that it takes grows with the
// square of their number.
const reportValuesAtOnce = 640

// saveReportRows writes rows of a set.
func (s Scoped) saveReportRows(ctx context.Context, tx *sql.Tx, set report.Set, rows []reportRow) error {
	for part := range slices.Chunk(rows, max(1, reportValuesAtOnce/len(reportColumns(set)))) {
		args := []any{s.account}
		for _, row := range part {
			args = appendReportArgs(args, set, row)
		}
		if _, err := tx.ExecContext(ctx, s.db.dialect.saveReport(set, len(part)), args...); err != nil {
			return err
		}
	}
	return nil
}

// tenant is the column that is not stored: all rows of an account have the same.
const tenant = "tenant_id"

// appendReportArgs appends what a row has in the columns of reportColumns. Of a row that is gone only
// its key stays.
func appendReportArgs(args []any, set report.Set, row reportRow) []any {
	search, members, gone := "", "", int64(1)
	if !row.gone {
		search, members, gone = query.SearchText(set, row.Row), string(set.AppendMembers(nil, row.Row)), 0
	}
	args = append(args, search, members)
	if set.Vanishing {
		args = append(args, gone)
	}
	for i, c := range set.Columns {
		if c.SQL == tenant {
			continue
		}
		value := reportValue(row.Row[i])
		if row.gone && !slices.Contains(set.Key, c.Name) {
			value = nothingIn(c)
		}
		args = append(args, value)
		if c.Forced != "" {
			args = append(args, row.forced)
		}
	}
	return args
}

// nothingIn is what stands in a column of a row that is gone.
func nothingIn(c report.Column) any {
	switch {
	case !c.Always:
		return nil
	case c.Kind == report.Text:
		return ""
	}
	return int64(0)
}

// reportColumns are the columns of the table of a set, but for its account and what changed them.
func reportColumns(set report.Set) []string {
	columns := []string{query.Search, query.Members}
	if set.Vanishing {
		columns = append(columns, query.Gone)
	}
	for _, c := range set.Columns {
		if c.SQL == tenant {
			continue
		}
		if columns = append(columns, c.SQL); c.Forced != "" {
			columns = append(columns, c.Forced)
		}
	}
	return columns
}

// reportValue is a value of a row as it is stored.
func reportValue(v any) any {
	if flag, ok := v.(bool); ok {
		if flag {
			return int64(1)
		}
		return int64(0)
	}
	return v
}

// saveReport returns the statement that writes n rows of a set: their account, and then for each of
// them its columns.
func (d dialect) saveReport(set report.Set, n int) string {
	which := reportStatement{d, set.Name, n}
	if known, ok := reportStatements.Load(which); ok {
		return known.(string)
	}
	columns := reportColumns(set)
	rows := make([]string, n)
	for i := range rows {
		values := make([]string, len(columns))
		for j := range columns {
			values[j] = fmt.Sprintf("$%d", 2+i*len(columns)+j)
		}
		rows[i] = "($1, " + strings.Join(values, ", ") + ", " + d.thisChange() + ")"
	}
	replaced := gangway.Each(columns, func(c string) string { return c + " = excluded." + c })
	text := fmt.Sprintf(`
		INSERT INTO %s (account, %s, changed)
		VALUES %s
		ON CONFLICT (account, %s) DO UPDATE
		SET %s, changed = excluded.changed`,
		set.Table, strings.Join(columns, ", "), strings.Join(rows, ", "), strings.Join(set.KeySQL(), ", "),
		strings.Join(replaced, ", "))
	reportStatements.Store(which, text)
	return text
}

// reportStatements are the statements that saveReport has made, by which they are.
var reportStatements sync.Map

type reportStatement struct {
	dialect
	set  string
	rows int
}

// customerOf returns the customer of an account. It never changes, so it is asked for once.
func (db *DB) customerOf(ctx context.Context, q querier, account string) (string, error) {
	if known, ok := db.customers.Load(account); ok {
		return known.(string), nil
	}
	customer, err := column[string](q.QueryRowContext(ctx, `SELECT customer FROM account WHERE id = $1`, account))
	if err != nil {
		return "", fmt.Errorf("read the customer of account %s: %w", account, err)
	}
	db.customers.Store(account, customer)
	return customer, nil
}

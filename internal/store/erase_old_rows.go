package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway/internal/gangway"
)

// A retentionRule says which rows of a traveller table are old.
type retentionRule struct {
	travellerTable
	order   []string // in which the rows are read: the columns of an index, ending with those of a key
	columns []string // what ended reads

	// ended returns when what a row is about ended. Zero: nothing in the row says
	// so, and it counts from when it was first seen. standing: it is kept in any case.
	ended func(columns []string) (end time.Time, standing bool, err error)
}

// The orders in which rows are read to find the old ones. An order that begins
// with a day is read only up to the day in question.
var (
	byKey   = []string{"key"}
	byStart = []string{"starts", "request_id", "sub_request_id"}
	byDay   = []string{"change_date", "vessel", "key"}
)

// An agedRow is a row as it was when its age was judged.
type agedRow struct {
	travellerRow
	version, seen int64
	place         []any // in the reading order
	columns       []string
}

// eraseOldRows deletes the rows that ended before the time before, and returns
// how many. A row that is looked at for the first time, and stays, counts as
// first seen now.
func (s Scoped) eraseOldRows(ctx context.Context, a retentionRule, before, now time.Time) (all int, err error) {
	for last := make([]any, len(a.order)); last != nil; {
		rows, err := s.agedRows(ctx, a, last, before)
		if err != nil {
			return all, fmt.Errorf("look for old rows in %s: %w", a.table, err)
		}
		old, fresh, err := a.sort(rows, before)
		if err != nil {
			return all, fmt.Errorf("look for old rows in %s: %w", a.table, err)
		}
		n, err := s.eraseSeen(ctx, old, fresh, now)
		if all += n; err != nil {
			return all, fmt.Errorf("erase old rows from %s: %w", a.table, err)
		}
		if last = nil; len(rows) == oldAtOnce {
			last = rows[len(rows)-1].place
		}
	}
	return all, nil
}

// sort returns the old rows and, of the others, those that were not looked at
// before.
func (a retentionRule) sort(rows []agedRow, before time.Time) (old, fresh []agedRow, err error) {
	for _, r := range rows {
		end, standing, err := a.ended(r.columns)
		if err != nil {
			return nil, nil, err
		}
		if end.IsZero() {
			end = instant(r.seen)
		}
		switch {
		case !standing && !end.IsZero() && !end.After(before):
			old = append(old, r)
		case r.seen == 0:
			fresh = append(fresh, r)
		}
	}
	return old, fresh, nil
}

// agedRows returns the next rows after a place; a place of nils is the beginning.
func (s Scoped) agedRows(ctx context.Context, a retentionRule, last []any, before time.Time) ([]agedRow, error) {
	args := []any{s.account}
	if a.beginsWithDay() {
		args = append(args, gangway.DateOf(before))
	}
	after := last[0] != nil
	if after {
		args = append(args, last...)
	}
	keys, order := 1+len(a.key), len(a.order)
	scan := func(row scanner) (r agedRow, err error) {
		texts, err := scanTexts(prefixedRow{row, []any{&r.version, &r.seen}}, keys+order+len(a.columns))
		r.travellerRow, r.columns = a.row(texts[:keys]), texts[keys+order:]
		r.place = anys(texts[keys : keys+order])
		return r, err
	}
	return selectAll(ctx, s.db.reader, scan, a.statement(after), args...)
}

// beginsWithDay reports whether the order begins with a row's first day.
func (a retentionRule) beginsWithDay() bool { return len(a.order) > len(a.key) }

// statement reads rows from the beginning, or after a place.
func (a retentionRule) statement(after bool) string {
	where, n, order := "", 1, strings.Join(a.order, ", ")
	if a.beginsWithDay() {
		n++
		where = fmt.Sprintf(` AND %s < $%d`, a.order[0], n)
	}
	if after {
		where += ` AND (` + order + `) > (` + placeholders(n+1, len(a.order)) + `)`
	}
	return fmt.Sprintf(`
		SELECT version, seen_at, account, %s, %s, %s
		FROM %s
		WHERE account = $1%s
		ORDER BY %[2]s
		LIMIT %[6]d`, strings.Join(a.key, ", "), order, strings.Join(a.columns, ", "), a.table, where, oldAtOnce)
}

// eraseSeen deletes old rows, except those that were written again since they
// were read, and returns how many. It notes now as the first sight of fresh ones.
func (s Scoped) eraseSeen(ctx context.Context, old, fresh []agedRow, now time.Time) (n int, err error) {
	if len(old)+len(fresh) == 0 {
		return 0, nil
	}
	err = s.write(ctx, func(tx *sql.Tx) error {
		n = 0
		for _, r := range fresh {
			query := fmt.Sprintf(`UPDATE %s SET seen_at = $%d WHERE %s`, r.holder.table, len(r.key)+1, r.at())
			if _, err := tx.ExecContext(ctx, query, append(slices.Clone(r.key), millis(now))...); err != nil {
				return err
			}
		}
		for _, r := range old {
			query := fmt.Sprintf(`DELETE FROM %s WHERE %s AND version = $%d`, r.holder.table, r.at(), len(r.key)+1)
			one, err := changed(tx.ExecContext(ctx, query, append(slices.Clone(r.key), r.version)...))
			if err != nil {
				return err
			}
			n += one
		}
		return nil
	})
	return n, err
}

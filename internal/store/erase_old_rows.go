package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"gangway"
)

// An aging says when the rows of a holder are old.
type aging struct {
	holder
	begins  string   // the column of the first day, where there is one
	columns []string // what ended looks at

	// ended returns when a row ends; zero where nothing in it says so: then it
	// counts from when it was first seen. standing: it is kept in any case.
	ended func(columns []string) (end time.Time, standing bool, err error)
}

// An agedRow is a row as it was looked at.
type agedRow struct {
	held
	version, seen int64
	columns       []string
}

// eraseOldRows deletes the rows that ended before an instant and returns how
// many they were. A row that is looked at for the first time, and stays, was seen now.
func (s Scoped) eraseOldRows(ctx context.Context, a aging, before, now time.Time) (all int, err error) {
	for last := make([]any, len(a.key)); last != nil; {
		rows, err := s.agedRows(ctx, a, last, before)
		if err != nil {
			return all, fmt.Errorf("look for what is old in %s: %w", a.table, err)
		}
		var old, fresh []agedRow
		for _, r := range rows {
			end, standing, err := a.ended(r.columns)
			if err != nil {
				return all, fmt.Errorf("look for what is old in %s: %w", a.table, err)
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
		n, err := s.eraseSeen(ctx, old, fresh, now)
		if all += n; err != nil {
			return all, fmt.Errorf("erase what is old from %s: %w", a.table, err)
		}
		if last = nil; len(rows) == oldAtOnce {
			last = rows[len(rows)-1].key[1:]
		}
	}
	return all, nil
}

// agedRows returns the next rows after a key; of nils: the first ones.
func (s Scoped) agedRows(ctx context.Context, a aging, last []any, before time.Time) ([]agedRow, error) {
	args, where := []any{s.account}, ""
	if last[0] != nil {
		args, where = append(args, last...), ` AND (`+strings.Join(a.key, ", ")+`) > (`+places(2, len(last))+`)`
	}
	if a.begins != "" {
		args = append(args, gangway.DateOf(before))
		where += fmt.Sprintf(` AND %s < $%d`, a.begins, len(args))
	}
	scan := func(row scanner) (r agedRow, err error) {
		texts, err := scanTexts(ahead{row, []any{&r.version, &r.seen}}, 1+len(a.key)+len(a.columns))
		r.held, r.columns = a.row(texts[:1+len(a.key)]), texts[1+len(a.key):]
		return r, err
	}
	return selectAll(ctx, s.db.reader, scan, fmt.Sprintf(`
		SELECT version, seen_at, account, %s, %s
		FROM %s
		WHERE account = $1%s
		ORDER BY %[1]s
		LIMIT %[5]d`, strings.Join(a.key, ", "), strings.Join(a.columns, ", "), a.table, where, oldAtOnce), args...)
}

// eraseSeen deletes old rows, but those that were written again since they were
// looked at, and returns how many. It notes when fresh ones were first seen.
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
			res, err := tx.ExecContext(ctx, query, append(slices.Clone(r.key), r.version)...)
			if err != nil {
				return err
			}
			one, err := res.RowsAffected()
			if err != nil {
				return err
			}
			n += int(one)
		}
		return nil
	})
	return n, err
}

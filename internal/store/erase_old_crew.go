package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gangway"
)

func (s Scoped) eraseOldCrewChanges(ctx context.Context, before time.Time, e *erasing) error {
	_, err := s.db.inPortions(ctx, `
		UPDATE crew_change
		SET seen_at = $2
		WHERE account = $1 AND %[1]s IN (SELECT %[1]s FROM crew_change WHERE account = $1 AND change_date = '' AND seen_at = 0 LIMIT %[2]d)`,
		s.account, millis(e.at))
	if err != nil {
		return fmt.Errorf("see crew changes without a date: %w", err)
	}
	const old = `account = $1 AND (change_date <> '' AND change_date < $2 OR change_date = '' AND seen_at > 0 AND seen_at < $3)`
	day, args := gangway.DateOf(before), []any{s.account, gangway.DateOf(before), millis(before)}
	n, err := s.db.inPortions(ctx, `
		DELETE FROM crew_change
		WHERE account = $1 AND %[1]s IN (
			SELECT %[1]s
			FROM crew_change
			WHERE moved = '' AND `+old+`
			LIMIT %[2]d)`, args...)
	if e.done.CrewChanges += n; err != nil {
		return err
	}
	return s.eraseOldMoved(ctx, day, e, `moved <> '' AND `+old, args)
}

// eraseOldMoved erases crew changes that were put elsewhere by hand, of those
// whose day as sent is over, once the day that they were put on is over too.
func (s Scoped) eraseOldMoved(ctx context.Context, day gangway.Date, e *erasing, old string, args []any) error {
	for last := ""; ; {
		rows, err := s.db.reader.QueryContext(ctx, fmt.Sprintf(`
			SELECT key, moved, doc, dropped, moved
			FROM crew_change
			WHERE %s AND key > $4
			ORDER BY key
			LIMIT %d`, old, oldAtOnce), append(args[:3:3], last)...)
		if err != nil {
			return fmt.Errorf("look for old crew changes: %w", err)
		}
		n, gone := 0, [][2]string(nil)
		for ; rows.Next(); n++ {
			var moved string
			var c gangway.CrewChange
			if c, err = scanCrewChange(after{rows, []any{&last, &moved}}); err != nil {
				break
			}
			if _, date := c.Where(); !date.Valid() || date < day {
				gone = append(gone, [2]string{last, moved})
			}
		}
		if err := errors.Join(err, rows.Err(), rows.Close()); err != nil {
			return fmt.Errorf("look for old crew changes: %w", err)
		}
		erased := 0
		err = s.write(ctx, func(tx *sql.Tx) error {
			erased = 0
			for _, c := range gone { // unless it was put elsewhere meanwhile
				res, err := tx.ExecContext(ctx, `DELETE FROM crew_change WHERE account = $1 AND key = $2 AND moved = $3`, s.account, c[0], c[1])
				if err != nil {
					return err
				}
				one, err := res.RowsAffected()
				if err != nil {
					return err
				}
				erased += int(one)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("erase old crew changes: %w", err)
		}
		if e.done.CrewChanges += erased; n < oldAtOnce {
			return nil
		}
	}
}

// after is a row whose first columns go into first, and the rest where it is scanned to.
type after struct {
	scanner
	first []any
}

func (a after) Scan(into ...any) error { return a.scanner.Scan(append(a.first, into...)...) }

// inPortions runs a statement, some rows at a time, until it finds none, and
// returns how many there were. It has %[1]s for what names a row of its table,
// and %[2]d for how many it takes.
func (db *DB) inPortions(ctx context.Context, statement string, args ...any) (all int, err error) {
	statement = fmt.Sprintf(statement, db.dialect.rowName(), oldAtOnce)
	for n := int64(oldAtOnce); n == oldAtOnce; all += int(n) {
		err := db.write(ctx, func(tx *sql.Tx) error {
			res, err := tx.ExecContext(ctx, statement, args...)
			if err != nil {
				return fmt.Errorf("erase what is old: %w", err)
			}
			n, err = res.RowsAffected()
			return err
		})
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

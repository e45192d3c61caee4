package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/report/query"
)

// reportedAtOnce is how many bookings get their rows anew in one transaction.
const reportedAtOnce = 100

// RebuildReport has all rows of the account's report written anew while it is read: BuildReport
// and BuildReports do so, some at a time.
func (s Scoped) RebuildReport(ctx context.Context) error {
	return s.writeUnseen(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `
			INSERT INTO report_build (account, fresh)
			VALUES ($1, 0)
			ON CONFLICT (account) DO UPDATE
			SET reached = ''`, s.account)
		return err
	})
}

// ReportReady reports whether every booking of the account has its rows.
func (s Scoped) ReportReady(ctx context.Context) (ready bool, err error) {
	err = s.db.reader.QueryRowContext(ctx, `
		SELECT NOT EXISTS (SELECT 1 FROM report_build WHERE account = $1 AND fresh = 1)`, s.account).Scan(&ready)
	return ready, wrapf(err, "look for a report that is being written")
}

// BuildReports writes the rows of some bookings of an account whose report is to be written anew,
// and reports whether there were any. Replicas take turns.
func (db *DB) BuildReports(ctx context.Context) (some bool, err error) {
	err = db.reader.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM report_build)`).Scan(&some)
	if err != nil || !some {
		return false, err
	}
	return db.buildReport(ctx, `
		SELECT account, reached
		FROM report_build
		ORDER BY account
		LIMIT 1`+db.dialect.skipLocked())
}

// BuildReport writes the rows of some of the account's bookings if its report is to be written
// anew, and reports whether there were any.
func (s Scoped) BuildReport(ctx context.Context) (some bool, err error) {
	return s.db.buildReport(ctx, `
		SELECT account, reached
		FROM report_build
		WHERE account = $1`+s.db.dialect.forChange("report_build"), s.account)
}

// buildReport writes rows of the report that query picks and locks.
func (db *DB) buildReport(ctx context.Context, query string, args ...any) (some bool, err error) {
	err = db.write(ctx, func(tx *sql.Tx) error {
		var account, reached string
		err := tx.QueryRowContext(ctx, query, args...).Scan(&account, &reached)
		if some = !errors.Is(err, sql.ErrNoRows); !some {
			return nil
		}
		if err != nil {
			return err
		}
		return Scoped{db: db, account: account}.buildAfter(ctx, tx, reached)
	})
	if err != nil {
		return false, fmt.Errorf("write rows of the report anew: %w", err)
	}
	return some, nil
}

// buildAfter writes the rows of the next bookings after the one that was reached.
func (s Scoped) buildAfter(ctx context.Context, tx *sql.Tx, reached string) error {
	list, err := selectAll(ctx, tx, scanBooking, `
		SELECT doc, check_at
		FROM booking
		WHERE account = $1 AND id > $2
		ORDER BY id
		LIMIT $3`+s.db.dialect.forChange("booking"), s.account, reached, reportedAtOnce)
	if err != nil {
		return err
	}
	if err := s.rebuild(ctx, tx, list, reached); err != nil {
		return err
	}
	if len(list) < reportedAtOnce {
		_, err = tx.ExecContext(ctx, `DELETE FROM report_build WHERE account = $1`, s.account)
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE report_build SET reached = $2 WHERE account = $1`, s.account,
		list[len(list)-1].ID)
	return err
}

// rebuild writes what the report says of bookings, all of those behind one in their order, where that is
// not what is kept. Rows that are right stay as they are: nobody is told that they have changed.
func (s Scoped) rebuild(ctx context.Context, tx *sql.Tx, list []gangway.Booking, behind string) error {
	rows := map[string][]reportRow{}
	err := s.reportDiffers(ctx, tx, list, behind,
		func(set report.Set, _ string, differ []reportRow) { rows[set.Name] = append(rows[set.Name], differ...) })
	for _, set := range report.Kept {
		if err == nil {
			err = s.saveReportRows(ctx, tx, set, rows[set.Name])
		}
	}
	return err
}

// reportDiffers calls each for the bookings of which a set has not the rows that it should have, with those rows. list
// has all bookings behind one, up to its last.
func (s Scoped) reportDiffers(ctx context.Context, tx *sql.Tx, list []gangway.Booking, behind string,
	each func(set report.Set, booking string, rows []reportRow)) error {
	if len(list) == 0 {
		return nil
	}
	all := make([][]report.Told, len(list))
	for i, b := range list {
		var err error
		if all[i], err = s.told(ctx, tx, b); err != nil {
			return err
		}
	}
	for n, set := range report.Kept {
		kept, err := s.keptReport(ctx, tx, set, behind, list[len(list)-1].ID)
		if err != nil {
			return err
		}
		for i, b := range list {
			had := kept[b.ID]
			rows := differing(all[i][n], had.keys, func(i int, r reportRow) bool {
				return slices.Equal(keptTexts(set, r), had.texts[i])
			})
			if len(rows) > 0 {
				each(set, b.ID, rows)
			}
		}
	}
	return nil
}

// A keptReport is what a table of the report has of a booking: the keys of its rows, and the texts that
// tell whether a row is right.
type keptReport struct {
	keys  []report.Row // with nothing but the key
	texts [][]string
}

// keptTexts are the texts that a row is kept with.
func keptTexts(set report.Set, r reportRow) []string {
	return []string{query.SearchText(set, r.Row), string(set.AppendMembers(nil, r.Row)), fmt.Sprint(r.forced)}
}

// keptReport reads what a set's table has of the bookings behind one and up to another.
func (s Scoped) keptReport(ctx context.Context, tx *sql.Tx, set report.Set, behind,
	last string) (map[string]keptReport, error) {
	key := set.KeySQL()
	forced, there := `NULL`, ""
	for _, c := range set.Columns {
		forced = cmp.Or(c.Forced, forced)
	}
	if set.Vanishing {
		there = ` AND gone = 0`
	}
	all := map[string]keptReport{}
	err := eachRow(ctx, tx, fmt.Sprintf(`
		SELECT search, members, %s, %s
		FROM %s
		WHERE account = $1 AND booking_id > $2 AND booking_id <= $3%s
		ORDER BY %s`, forced, strings.Join(key, ", "), set.Table, there, strings.Join(key, ", ")),
		[]any{s.account, behind, last}, func(row scanner) error {
			var search, members, booking string
			var forced any
			values := make([]any, len(key))
			into := []any{&search, &members, &forced, &booking}
			for i := 1; i < len(key); i++ {
				into = append(into, &values[i])
			}
			if err := row.Scan(into...); err != nil {
				return err
			}
			values[0] = booking
			had := all[booking]
			had.keys = append(had.keys, set.RowOfKey(values))
			had.texts = append(had.texts, []string{search, members, fmt.Sprint(forced)})
			all[booking] = had
			return nil
		})
	return all, err
}

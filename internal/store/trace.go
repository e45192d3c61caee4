package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gangway"
)

// tracedAtOnce is how many records get their traces in one transaction: it
// keeps no upload waiting.
const tracedAtOnce = 100

// Trace writes the traces of a few hundred records, of any accounts, that have
// none, and reports whether there were any. Two replicas that do the same do no harm.
func (db *DB) Trace(ctx context.Context) (bool, error) {
	for _, h := range holders {
		rows, err := db.untraced(ctx, h)
		if err != nil {
			return false, fmt.Errorf("look for records of %s without traces: %w", h.table, err)
		}
		if len(rows) == 0 {
			continue
		}
		return true, db.write(ctx, func(tx *sql.Tx) error {
			for _, row := range rows {
				if err := row.trace(ctx, tx); err != nil {
					return fmt.Errorf("write traces of %s: %w", h.table, err)
				}
			}
			return nil
		})
	}
	return false, nil
}

// An untracedRow is a row of some account.
type untracedRow struct {
	held
	account string
}

func (db *DB) untraced(ctx context.Context, h holder) (list []untracedRow, err error) {
	rows, err := db.reader.QueryContext(ctx, h.toTraceStatement())
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		row := untracedRow{held: held{holder: h}}
		keys := make([]string, len(h.key))
		into := []any{&row.account}
		for i := range keys {
			into = append(into, &keys[i])
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		for _, k := range keys {
			row.key = append(row.key, k)
		}
		list = append(list, row)
	}
	return list, rows.Err()
}

func (h holder) toTraceStatement() string {
	return fmt.Sprintf(`
		SELECT account, %s
		FROM %s
		WHERE %s
		ORDER BY account, %[1]s
		LIMIT %[4]d`, strings.Join(h.key, ", "), h.table, h.fresh, tracedAtOnce)
}

// trace writes the traces of a row as it is now, under its lock.
func (r untracedRow) trace(ctx context.Context, tx *sql.Tx) error {
	docs := make([]string, 1+strings.Count(r.holder.docs, ","))
	into := make([]any, len(docs))
	for i := range docs {
		into[i] = &docs[i]
	}
	traced := "1"
	if r.holder.fresh == traceEach {
		traced = "version"
	}
	err := tx.QueryRowContext(ctx, `
		UPDATE `+r.holder.table+`
		SET traced = `+traced+`
		WHERE `+r.at()+` AND `+r.holder.fresh+`
		RETURNING `+r.holder.docs,
		append([]any{r.account}, r.key...)...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return nil // it is gone, or somebody else was here
	}
	if err != nil {
		return err
	}
	list, err := r.holder.read(docs...)
	if err != nil {
		return err
	}
	return r.retrace(ctx, tx, r.account, list)
}

// retrace has a row, which is locked, found by the marks of list alone.
func (r held) retrace(ctx context.Context, tx *sql.Tx, account string, list []gangway.Traveller) error {
	want := map[int64]bool{}
	for _, t := range list {
		for _, m := range t.Likeness().Marks() {
			want[mark(m)] = true
		}
	}
	args := append([]any{account}, r.key...)
	had, err := marksOf(ctx, tx, `SELECT mark FROM `+r.holder.traces()+` WHERE `+r.at(), args)
	if err != nil {
		return err
	}
	one := fmt.Sprintf("$%d", len(args)+1)
	for _, m := range had {
		if want[m] {
			delete(want, m)
			continue
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+r.holder.traces()+` WHERE `+r.at()+` AND mark = `+one, append(slices.Clone(args), m)...); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(slices.Sorted(maps.Keys(want)), rowsAtOnce) {
		values := make([]string, len(some)) // in one statement, for each holds its row up
		all := slices.Clone(args)
		for i, m := range some {
			all = append(all, m)
			values[i] = fmt.Sprintf("(%s, $%d)", places(1, len(args)), len(all))
		}
		if _, err := tx.ExecContext(ctx, fmt.Sprintf(`INSERT INTO %s (account, %s, mark) VALUES %s`, r.holder.traces(), strings.Join(r.holder.key, ", "), strings.Join(values, ", ")), all...); err != nil {
			return err
		}
	}
	return nil
}

func marksOf(ctx context.Context, tx *sql.Tx, query string, args []any) (list []int64, err error) {
	rows, err := tx.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var m int64
		if err := rows.Scan(&m); err != nil {
			return nil, err
		}
		list = append(list, m)
	}
	return list, rows.Err()
}

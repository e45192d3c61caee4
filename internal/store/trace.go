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
		rows, err := selectAll(ctx, db.reader, h.scanKey, h.toTraceStatement())
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

// scanKey reads a row's key.
func (h holder) scanKey(row scanner) (held, error) {
	key, err := scanTexts(row, 1+len(h.key))
	return h.row(key), err
}

func (h holder) toTraceStatement() string {
	return fmt.Sprintf(`
		SELECT account, %s
		FROM %s
		WHERE %s
		ORDER BY account, %[1]s
		LIMIT %[4]d`, strings.Join(h.key, ", "), h.table, h.trace.due, tracedAtOnce)
}

// trace writes the traces of r as it is now, under its lock.
func (r held) trace(ctx context.Context, tx *sql.Tx) error {
	docs, err := r.update(ctx, tx, r.holder.trace.done, r.holder.trace.due)
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
	return r.retrace(ctx, tx, list)
}

// retrace has r, which is locked, found by the marks of list alone.
func (r held) retrace(ctx context.Context, tx *sql.Tx, list []gangway.Traveller) error {
	want := map[int64]bool{}
	for _, t := range list {
		for _, m := range t.Likeness().Marks() {
			want[mark(m)] = true
		}
	}
	had, err := selectAll(ctx, tx, column[int64], `SELECT mark FROM `+r.holder.traces()+` WHERE `+r.at(), r.key...)
	if err != nil {
		return err
	}
	one := fmt.Sprintf("$%d", len(r.key)+1)
	for _, m := range had {
		if want[m] {
			delete(want, m)
			continue
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM `+r.holder.traces()+` WHERE `+r.at()+` AND mark = `+one, append(slices.Clone(r.key), m)...); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(slices.Sorted(maps.Keys(want)), rowsAtOnce) {
		values, args := make([]string, len(some)), slices.Clone(r.key) // in one statement, for each holds its row up
		for i, m := range some {
			args = append(args, m)
			values[i] = fmt.Sprintf("(%s, $%d)", places(1, len(r.key)), len(args))
		}
		if _, err := tx.ExecContext(ctx, fmt.Sprintf(`INSERT INTO %s (account, %s, mark) VALUES %s`,
			r.holder.traces(), strings.Join(r.holder.key, ", "), strings.Join(values, ", ")), args...); err != nil {
			return err
		}
	}
	return nil
}

package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// insertMany writes rows to a table, many in one statement. Existing rows
// stay as they are.
func insertMany(ctx context.Context, tx *sql.Tx, table string, columns []string, rows [][]any) error {
	return eachMany(rows, func(values string, args []any) error {
		_, err := tx.ExecContext(ctx, fmt.Sprintf(`INSERT INTO %s (%s) VALUES %s ON CONFLICT DO NOTHING`, table,
			strings.Join(columns, ", "), values), args...)
		return err
	})
}

// deleteMany deletes the rows of a table that have these values in columns,
// many in one statement.
func deleteMany(ctx context.Context, tx *sql.Tx, table string, columns []string, rows [][]any) error {
	return eachMany(rows, func(values string, args []any) error {
		_, err := tx.ExecContext(ctx, fmt.Sprintf(`DELETE FROM %s WHERE (%s) IN (VALUES %s)`, table,
			strings.Join(columns, ", "), values), args...)
		return err
	})
}

// valuesAtOnce is how many values go into one statement: on SQLite the time that it takes to look them up grows with
// the square of their number.
const valuesAtOnce = 500

func eachMany(rows [][]any, do func(values string, args []any) error) error {
	if len(rows) == 0 {
		return nil
	}
	for part := range slices.Chunk(rows, min(rowsAtOnce, max(valuesAtOnce/len(rows[0]), 1))) {
		texts, args := make([]string, len(part)), make([]any, 0, len(part)*len(part[0]))
		for i, row := range part {
			values := make([]string, len(row))
			for j, v := range row {
				args = append(args, v)
				values[j] = fmt.Sprintf("$%d", len(args))
				if _, number := v.(int64); number {
					values[j] = fmt.Sprintf("CAST($%d AS BIGINT)", len(args))
				}
			}
			texts[i] = "(" + strings.Join(values, ", ") + ")"
		}
		if err := do(strings.Join(texts, ", "), args); err != nil {
			return err
		}
	}
	return nil
}

// inPortions runs a statement in one transaction after another, each for up to
// atOnce rows, until one finds fewer, and returns how many rows there were. The
// statement has %[1]s for the column that identifies a row, and %[2]d for atOnce.
func (db *DB) inPortions(ctx context.Context, atOnce int, statement string, args ...any) (all int, err error) {
	statement = fmt.Sprintf(statement, db.dialect.rowName(), atOnce)
	for n := atOnce; n == atOnce; all += n {
		err := db.write(ctx, func(tx *sql.Tx) (err error) {
			n, err = changed(tx.ExecContext(ctx, statement, args...))
			return err
		})
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

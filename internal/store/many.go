package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
)

// insertMany writes rows to a table, hundreds in one statement. Existing rows
// stay as they are.
func insertMany(ctx context.Context, tx *sql.Tx, table string, columns []string, rows [][]any) error {
	return eachMany(rows, func(values string, args []any) error {
		_, err := tx.ExecContext(ctx, fmt.Sprintf(`INSERT INTO %s (%s) VALUES %s ON CONFLICT DO NOTHING`, table,
			strings.Join(columns, ", "), values), args...)
		return err
	})
}

// deleteMany deletes the rows of a table that have these values in columns,
// hundreds in one statement.
func deleteMany(ctx context.Context, tx *sql.Tx, table string, columns []string, rows [][]any) error {
	return eachMany(rows, func(values string, args []any) error {
		_, err := tx.ExecContext(ctx, fmt.Sprintf(`DELETE FROM %s WHERE (%s) IN (VALUES %s)`, table,
			strings.Join(columns, ", "), values), args...)
		return err
	})
}

func eachMany(rows [][]any, do func(values string, args []any) error) error {
	for part := range slices.Chunk(rows, rowsAtOnce) {
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

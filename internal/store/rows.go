package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
)

// scanner is a row, from a query for one row or for many.
type scanner interface{ Scan(...any) error }

// eachRow calls read for each row that a query finds.
func eachRow(ctx context.Context, q querier, query string, args []any, read func(scanner) error) error {
	_, err := selectAll(ctx, q, func(row scanner) (struct{}, error) { return struct{}{}, read(row) }, query, args...)
	return err
}

// selectAll returns what scan reads from each row that a query finds.
func selectAll[T any](ctx context.Context, q querier, scan func(scanner) (T, error), query string,
	args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return scanAll(rows, scan)
}

// scanAll returns what scan reads from each of rows, and closes rows.
func scanAll[T any](rows *sql.Rows, scan func(scanner) (T, error)) (list []T, err error) {
	defer rows.Close()
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}

// column reads a row of one column.
func column[T any](row scanner) (v T, err error) {
	err = row.Scan(&v)
	return v, err
}

// scanTexts reads a row of n columns of text.
func scanTexts(row scanner, n int) ([]string, error) {
	texts, into := make([]string, n), make([]any, n)
	for i := range texts {
		into[i] = &texts[i]
	}
	return texts, row.Scan(into...)
}

// prefixedRow is a row whose first columns go into first, and the rest where it is scanned to.
type prefixedRow struct {
	scanner
	first []any
}

func (a prefixedRow) Scan(into ...any) error { return a.scanner.Scan(slices.Concat(a.first, into)...) }

// latestOfEach is a statement that returns the distinct values of a column in an owner's rows of a
// table, each with the column show of its latest row, by the column newest. It reads the index that
// begins with owner and column once for each value, however many rows have that value.
func latestOfEach(table, owner, column, show, newest string, most int) string {
	return fmt.Sprintf(`
	WITH RECURSIVE listed (value) AS (
		SELECT (SELECT r.%[3]s FROM %[1]s r WHERE r.%[2]s = $1 ORDER BY r.%[3]s LIMIT 1)
		UNION ALL
		SELECT (SELECT r.%[3]s FROM %[1]s r WHERE r.%[2]s = $1 AND r.%[3]s > listed.value ORDER BY r.%[3]s LIMIT 1)
		FROM listed
		WHERE listed.value IS NOT NULL
	)
	SELECT listed.value, (
		SELECT r.%[4]s
		FROM %[1]s r
		WHERE r.%[2]s = $1 AND r.%[3]s = listed.value
		ORDER BY r.%[5]s DESC, r.id DESC
		LIMIT 1)
	FROM listed
	WHERE listed.value IS NOT NULL
	LIMIT %[6]d`, table, owner, column, show, newest, most)
}

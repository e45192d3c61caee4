package store

import "context"

// scanner is a row, alone or among others.
type scanner interface{ Scan(...any) error }

// eachRow has read read each row that a query finds.
func eachRow(ctx context.Context, q querier, query string, args []any, read func(scanner) error) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// selectAll returns what scan reads of each row that a query finds.
func selectAll[T any](ctx context.Context, q querier, scan func(scanner) (T, error), query string, args ...any) (list []T, err error) {
	err = eachRow(ctx, q, query, args, func(row scanner) error {
		v, err := scan(row)
		list = append(list, v)
		return err
	})
	if err != nil {
		return nil, err
	}
	return list, nil
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

package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	// Reads a booking in about half the time of encoding/json, which is most of
	// what a page of bookings costs.
	"github.com/go-json-experiment/json"
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

// eachValue begins a statement: listed has the distinct values of a column in an owner's rows of a table. It reads the
// index that begins with owner and column once for each value, however many rows have that value.
func eachValue(table, owner, column string) string {
	return fmt.Sprintf(`
	WITH RECURSIVE listed (value) AS (
		SELECT (SELECT r.%[3]s FROM %[1]s r WHERE r.%[2]s = $1 ORDER BY r.%[3]s LIMIT 1)
		UNION ALL
		SELECT (SELECT r.%[3]s FROM %[1]s r WHERE r.%[2]s = $1 AND r.%[3]s > listed.value ORDER BY r.%[3]s LIMIT 1)
		FROM listed
		WHERE listed.value IS NOT NULL
	)`, table, owner, column)
}

// latestOfEach is a statement that returns what eachValue lists, each with the column show of its
// latest row, by the column newest.
func latestOfEach(table, owner, column, show, newest string, most int) string {
	return eachValue(table, owner, column) + fmt.Sprintf(`
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

// A momentColumn scans a column of epoch milliseconds into a time; 0 is the zero time.
type momentColumn time.Time

func when(t *time.Time) *momentColumn { return (*momentColumn)(t) }

// Scan implements sql.Scanner.
func (c *momentColumn) Scan(value any) error {
	ms, is := value.(int64)
	if !is {
		return fmt.Errorf("a column of instants has %T", value)
	}
	*c = momentColumn(instant(ms))
	return nil
}

// A spanColumn scans a column of milliseconds into a duration.
type spanColumn time.Duration

func howLong(d *time.Duration) *spanColumn { return (*spanColumn)(d) }

// Scan implements sql.Scanner.
func (c *spanColumn) Scan(value any) error {
	ms, is := value.(int64)
	if !is {
		return fmt.Errorf("a column of durations has %T", value)
	}
	*c = spanColumn(time.Duration(ms) * time.Millisecond)
	return nil
}

// A docColumn scans a column of JSON into a value. An empty text leaves the value as it is.
type docColumn struct{ into any }

// Scan implements sql.Scanner.
func (c docColumn) Scan(value any) error {
	doc, is := value.([]byte)
	if text, too := value.(string); too {
		doc, is = []byte(text), true
	}
	if !is {
		return fmt.Errorf("a column of documents has %T", value)
	}
	if len(doc) == 0 {
		return nil
	}
	return json.Unmarshal(doc, c.into)
}

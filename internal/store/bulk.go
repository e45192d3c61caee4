package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// Counts says what an upload did.
type Counts struct {
	Received, Created, Updated, Unchanged int
}

// A bulk is rows to be written to one table, all or none. A row whose key is
// there already replaces it, unless its doc is the same: then nothing is
// written. The table has the columns account and version besides.
type bulk struct {
	table   string
	key     []string // key columns after the account
	columns []string // all columns: the key first, the doc last
	rows    [][]any  // no key twice
}

// copyFrom is from how many rows on PostgreSQL's COPY pays for its detour.
const copyFrom = 100

// upsert writes b.
func (s Scoped) upsert(ctx context.Context, b bulk) (Counts, error) {
	counts := Counts{Received: len(b.rows)}
	if len(b.rows) == 0 {
		return counts, nil
	}
	// Everybody locks rows in the same order, so that no two uploads wait for each other.
	slices.SortFunc(b.rows, func(x, y []any) int {
		for i := range b.key {
			if c := strings.Compare(x[i].(string), y[i].(string)); c != 0 {
				return c
			}
		}
		return 0
	})
	var err error
	if s.db.dialect == postgres && len(b.rows) >= copyFrom {
		err = s.copyUpsert(ctx, b, &counts)
	} else {
		err = s.db.write(ctx, func(tx *sql.Tx) error { return s.insertUpsert(ctx, tx, b, &counts) })
	}
	if err != nil {
		return Counts{}, fmt.Errorf("write %d rows to %s: %w", len(b.rows), b.table, err)
	}
	counts.Unchanged = counts.Received - counts.Created - counts.Updated
	return counts, nil
}

// onConflict is how a row replaces the one that has its key.
func (b bulk) onConflict() string {
	var set []string
	for _, c := range b.columns[len(b.key):] {
		set = append(set, c+" = excluded."+c)
	}
	return fmt.Sprintf(`ON CONFLICT (account, %s) DO UPDATE SET %s, version = %s.version + 1 WHERE %s.doc IS DISTINCT FROM excluded.doc RETURNING version`,
		strings.Join(b.key, ", "), strings.Join(set, ", "), b.table, b.table)
}

// rowsAtOnce is how many rows go into one statement.
const rowsAtOnce = 100

func (s Scoped) insertUpsert(ctx context.Context, tx *sql.Tx, b bulk, counts *Counts) error {
	counts.Created, counts.Updated = 0, 0
	width := len(b.columns) + 2
	statement := func(rows int) string {
		return fmt.Sprintf(`INSERT INTO %s (account, version, %s) VALUES %s %s`, b.table, strings.Join(b.columns, ", "), values(rows, width), b.onConflict())
	}
	var full *sql.Stmt
	args := make([]any, 0, rowsAtOnce*width)
	for rows := range slices.Chunk(b.rows, rowsAtOnce) {
		args = args[:0]
		for _, row := range rows {
			args = append(append(args, s.account, 1), row...)
		}
		var written *sql.Rows
		var err error
		if len(rows) == rowsAtOnce {
			if full == nil {
				if full, err = tx.PrepareContext(ctx, statement(rowsAtOnce)); err != nil {
					return err
				}
				defer full.Close()
			}
			written, err = full.QueryContext(ctx, args...)
		} else {
			written, err = tx.QueryContext(ctx, statement(len(rows)), args...)
		}
		if err != nil {
			return err
		}
		if err := count(written, counts); err != nil {
			return err
		}
	}
	return nil
}

// count reads the versions of the rows that were written: the first is a
// creation, any later one an update.
func count(written *sql.Rows, counts *Counts) error {
	defer written.Close()
	for written.Next() {
		var version int
		if err := written.Scan(&version); err != nil {
			return err
		}
		if version == 1 {
			counts.Created++
		} else {
			counts.Updated++
		}
	}
	return written.Err()
}

// copyUpsert is upsert's twin for PostgreSQL: COPY into a table of the
// connection's own, and from there in one statement, is nearly twice as fast
// as anything else.
func (s Scoped) copyUpsert(ctx context.Context, b bulk, counts *Counts) error {
	conn, err := s.db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	columns := strings.Join(b.columns, ", ")
	for try := 0; ; try++ {
		err = conn.Raw(func(driver any) error {
			pg := driver.(*stdlib.Conn).Conn()
			return pgx.BeginFunc(ctx, pg, func(tx pgx.Tx) error {
				incoming := "incoming_" + b.table
				if _, err := tx.Exec(ctx, fmt.Sprintf(`CREATE TEMPORARY TABLE IF NOT EXISTS %s ON COMMIT DELETE ROWS AS SELECT %s FROM %s WITH NO DATA`, incoming, columns, b.table)); err != nil {
					return err
				}
				if _, err := tx.CopyFrom(ctx, pgx.Identifier{incoming}, b.columns, pgx.CopyFromRows(b.rows)); err != nil {
					return err
				}
				return tx.QueryRow(ctx, fmt.Sprintf(`
					WITH written AS (INSERT INTO %s (account, version, %s) SELECT $1, 1, %s FROM %s ORDER BY %s %s)
					SELECT count(*) FILTER (WHERE version = 1), count(*) FILTER (WHERE version > 1)
					FROM written`,
					b.table, columns, columns, incoming, strings.Join(b.key, ", "), b.onConflict()),
					s.account).Scan(&counts.Created, &counts.Updated)
			})
		})
		if err == nil || try == 4 || !s.db.dialect.retryable(err) {
			return err
		}
	}
}

package main

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// replace is how a row replaces the one with the same key.
const replace = ` ON CONFLICT (account, key) DO UPDATE
	SET surname = excluded.surname, given = excluded.given, doc = excluded.doc, version = traveller.version + 1
	WHERE traveller.doc IS DISTINCT FROM excluded.doc`

// bareUpsert returns the fastest way that we know to upsert travellers (key, surname, given,
// doc) into the database at url.
func bareUpsert(ctx context.Context, url string) (upsert func(context.Context, string, [][4]string) error, end func(),
	err error) {
	if file, ok := strings.CutPrefix(url, "sqlite:"); ok {
		db, err := sql.Open("sqlite", "file:"+file+
			"?_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=cache_size(-65536)&_pragma=mmap_size(1073741824)")
		if err != nil {
			return nil, nil, err
		}
		db.SetMaxOpenConns(1)
		return func(ctx context.Context, account string, rows [][4]string) error {
			return valuesUpsert(ctx, db, account, rows)
		}, func() { db.Close() }, nil
	}
	conn, err := pgx.Connect(ctx, url)
	if err != nil {
		return nil, nil, err
	}
	_, err = conn.Exec(ctx, `CREATE TEMPORARY TABLE incoming (key TEXT COLLATE "C", surname TEXT COLLATE "C", given TEXT COLLATE "C", doc TEXT COLLATE "C") ON COMMIT DELETE ROWS`)
	return func(ctx context.Context, account string, rows [][4]string) error {
		return copyUpsert(ctx, conn, account, rows)
	}, func() { conn.Close(ctx) }, err
}

// valuesUpsert upserts on SQLite: statements of 250 rows, prepared once.
func valuesUpsert(ctx context.Context, db *sql.DB, account string, rows [][4]string) error {
	const atOnce = 250
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.PrepareContext(ctx, `INSERT INTO traveller (account, key, surname, given, doc, version)
		SELECT ?, column1, column2, column3, column4, 1 FROM (VALUES (?, ?, ?, ?)`+strings.Repeat(", (?, ?, ?, ?)", atOnce-1)+`) WHERE true`+replace)
	if err != nil {
		return err
	}
	args := make([]any, 0, 4*atOnce+1)
	for ; len(rows) > 0; rows = rows[atOnce:] { // what is measured fills whole statements
		args = append(args[:0], account)
		for _, r := range rows[:atOnce] {
			args = append(args, r[0], r[1], r[2], r[3])
		}
		if _, err := insert.ExecContext(ctx, args...); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// copyUpsert upserts on PostgreSQL: COPY into a temporary table, and from there in one
// statement.
func copyUpsert(ctx context.Context, conn *pgx.Conn, account string, rows [][4]string) error {
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		values := pgx.CopyFromSlice(len(rows), func(i int) ([]any, error) {
			return []any{rows[i][0], rows[i][1], rows[i][2], rows[i][3]}, nil
		})
		if _, err := tx.CopyFrom(ctx, pgx.Identifier{"incoming"}, []string{"key", "surname", "given", "doc"},
			values); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `INSERT INTO traveller (account, key, surname, given, doc, version) SELECT $1, key, surname, given, doc, 1 FROM incoming`+replace, account)
		return err
	})
}

// A bareFill puts rows into a table in the fastest way we know.
type bareFill struct {
	db   *sql.DB
	conn *pgx.Conn // for COPY, on PostgreSQL
}

func newBareFill(ctx context.Context, url string) (f bareFill, err error) {
	if file, ok := strings.CutPrefix(url, "sqlite:"); ok {
		f.db, err = sql.Open("sqlite", "file:"+file+
			"?_txlock=immediate&_pragma=synchronous(OFF)&_pragma=busy_timeout(10000)")
		return f, err
	}
	if f.db, err = sql.Open("pgx", url); err != nil {
		return f, err
	}
	f.conn, err = pgx.Connect(ctx, url)
	return f, err
}

func (f bareFill) insert(ctx context.Context, table string, columns []string, rows [][]any) error {
	if f.conn != nil {
		_, err := f.conn.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromRows(rows))
		return err
	}
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	row := "(?" + strings.Repeat(", ?", len(columns)-1) + ")"
	for part := range slices.Chunk(rows, 500) {
		_, err := tx.ExecContext(ctx, "INSERT INTO "+table+" ("+strings.Join(columns, ", ")+") VALUES "+row+
			strings.Repeat(", "+row, len(part)-1), slices.Concat(part...)...)
		if err != nil {
			return err
		}
	}
	return tx.Commit()
}

func (f bareFill) close() {
	if f.conn != nil {
		f.conn.Close(context.Background())
	}
	f.db.Close()
}

// run executes statements, one after the other.
func (f bareFill) run(ctx context.Context, statements []string) error {
	for _, statement := range statements {
		if _, err := f.db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

// withoutIndexes drops the indexes of tables that are not keys, and returns a function that
// makes them again and updates the planner's statistics.
func (f bareFill) withoutIndexes(ctx context.Context, tables ...string) (again func() error, err error) {
	query := `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = $1`
	if f.conn != nil {
		query = `SELECT i.indexname, i.indexdef FROM pg_indexes i
			WHERE i.tablename = $1 AND NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conname = i.indexname)`
	}
	var drop, create []string
	for _, table := range tables {
		rows, err := f.db.QueryContext(ctx, query, table)
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		for rows.Next() {
			var name, text string
			if err := rows.Scan(&name, &text); err != nil {
				return nil, err
			}
			drop, create = append(drop, "DROP INDEX "+name), append(create, text)
		}
		if err := rows.Err(); err != nil {
			return nil, err
		}
	}
	if f.conn != nil { // SQLite's VACUUM would rewrite the whole file, and nobody runs ANALYZE there
		create = append(create, "VACUUM", "ANALYZE")
	}
	return func() error { return f.run(ctx, create) }, f.run(ctx, drop)
}

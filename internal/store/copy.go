package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"io"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/store/internal/gate"

	"github.com/jackc/pgx/v5"
)

// A CopyTo takes what a database has.
type CopyTo interface {
	Begin(schema int64) error
	Table(name string, columns []string) error // rows follow
	Row(values []any) error                    // texts, whole numbers and nil
}

// A CopyFrom is a copy of a database, read from its beginning.
type CopyFrom interface {
	Table() (name string, columns []string, err error) // the next; io.EOF: the copy is complete and unchanged
	pgx.CopyFromSource                                 // rows of the table
}

// ownTables say something about this database, and not about what is in it: they are in no copy. The schema's are made
// by migrating. After a restore everybody signs in again.
var ownTables = []string{"goose_db_version", "schema_oldest", "last_backup", "restored", "replica", "session",
	unfinishedRestore}

// A catalogTable is a table as the database describes it: its columns, those of its primary key, and the tables that
// its foreign keys name.
type catalogTable struct{ name, columns, key, parents string }

// catalog returns all tables, each after those that its foreign keys name, and otherwise in the order of their names:
// the same for both databases.
func (db *DB) catalog(ctx context.Context, q querier) (list []catalogTable, err error) {
	query := `
		SELECT t.name, (SELECT group_concat(c.name, ', ' ORDER BY c.cid) FROM pragma_table_info(t.name) c),
			(SELECT group_concat(c.name, ', ' ORDER BY c.pk) FROM pragma_table_info(t.name) c WHERE c.pk > 0),
			(SELECT group_concat(f."table") FROM pragma_foreign_key_list(t.name) f)
		FROM sqlite_schema t
		WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\'
		ORDER BY t.name`
	if db.dialect == postgres {
		query = `
			SELECT t.relname, (
				SELECT string_agg(c.attname, ', ' ORDER BY c.attnum)
				FROM pg_attribute c
				WHERE c.attrelid = t.oid AND c.attnum > 0 AND NOT c.attisdropped), (
				SELECT string_agg(c.attname, ', ' ORDER BY k.place)
				FROM pg_index i, unnest(i.indkey) WITH ORDINALITY k (attnum, place), pg_attribute c
				WHERE i.indrelid = t.oid AND i.indisprimary AND c.attrelid = t.oid AND c.attnum = k.attnum), (
				SELECT string_agg(p.relname, ',')
				FROM pg_constraint f
				JOIN pg_class p ON p.oid = f.confrelid
				WHERE f.conrelid = t.oid AND f.contype = 'f')
			FROM pg_class t
			WHERE t.relkind IN ('r', 'p') AND NOT t.relispartition AND t.relnamespace = current_schema()::regnamespace
			ORDER BY CAST(t.relname AS TEXT) COLLATE "C"`
	}
	all, err := selectAll(ctx, q, func(row scanner) (t catalogTable, err error) {
		var key, parents sql.NullString
		err = row.Scan(&t.name, &t.columns, &key, &parents)
		t.key, t.parents = cmp.Or(key.String, t.columns), parents.String
		return t, err
	}, query)
	if err != nil {
		return nil, fmt.Errorf("list the tables: %w", err)
	}
	placed := map[string]bool{}
	for len(all) > 0 {
		i := slices.IndexFunc(all, func(t catalogTable) bool {
			return t.parents == "" || !slices.ContainsFunc(strings.Split(t.parents, ","),
				func(p string) bool { return !placed[p] })
		})
		if i < 0 {
			return nil, fmt.Errorf("the foreign keys of %s lead in a circle", all[0].name)
		}
		placed[all[i].name], list = true, append(list, all[i])
		all = slices.Delete(all, i, i+1)
	}
	return list, nil
}

// Copy reads everything that the database has, as it was at one moment. Others go on writing meanwhile; SQLite's
// write-ahead log grows until the copy is complete.
func (db *DB) Copy(ctx context.Context, to CopyTo) error {
	ctx = withLongWork(ctx)
	tx, err := db.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true, Isolation: db.dialect.snapshot()})
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer tx.Rollback()
	if db.dialect == postgres {
		if _, err := tx.ExecContext(ctx, noTimeouts); err != nil {
			return fmt.Errorf("begin: %w", err)
		}
	}
	var schema int64
	if err := tx.QueryRowContext(ctx, `SELECT max(version_id) FROM goose_db_version`).Scan(&schema); err != nil {
		return fmt.Errorf("read the schema's number: %w", err)
	}
	if err := to.Begin(schema); err != nil {
		return err
	}
	tables, err := db.catalog(ctx, tx)
	if err != nil {
		return err
	}
	for _, t := range tables {
		if slices.Contains(ownTables, t.name) {
			continue
		}
		if err := t.copy(ctx, tx, to); err != nil {
			return fmt.Errorf("copy %s: %w", t.name, err)
		}
	}
	return nil
}

// noTimeouts lets statements of a connection take as long as they need.
const noTimeouts = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`

func (t catalogTable) copy(ctx context.Context, q querier, to CopyTo) error {
	columns := strings.Split(t.columns, ", ")
	if err := to.Table(t.name, columns); err != nil {
		return err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	return eachRow(ctx, q, `SELECT `+t.columns+` FROM `+t.name+` ORDER BY `+t.key, nil, func(row scanner) error {
		err := row.Scan(into...)
		for i, v := range values {
			if text, ok := v.([]byte); ok { // SQLite keeps a text as the type in which it was given
				values[i] = string(text)
			}
		}
		return cmp.Or(err, to.Row(values))
	})
}

// unfinishedRestore is a table that is there while a database is being restored.
const unfinishedRestore = "unfinished_restore"

// checkUnfinished refuses a database whose restore did not finish. To begin one, it empties such a database and marks
// it again; another one has to be empty.
func (db *DB) checkUnfinished(ctx context.Context, begin bool) error {
	tables, err := db.catalog(ctx, db.writer)
	if err != nil {
		return err
	}
	unfinished := slices.ContainsFunc(tables, func(t catalogTable) bool { return t.name == unfinishedRestore })
	switch {
	case !begin && unfinished:
		return gangway.Errorf(gangway.Conflict, "a restore into this database did not finish: run gangway restore "+
			"again")
	case !begin:
		return nil
	case len(tables) > 0 && !unfinished:
		return gangway.Errorf(gangway.Conflict, "this database has tables already: restore into an empty one")
	}
	statements := []string{`CREATE TABLE IF NOT EXISTS ` + unfinishedRestore + ` (id INTEGER)`}
	for _, t := range slices.Backward(tables) {
		if t.name != unfinishedRestore {
			statements = append(statements, `DROP TABLE `+t.name)
		}
	}
	return db.execAll(ctx, statements...)
}

// Restore makes an empty database what a copy of a schema shows, and brings it up to date. Until FinishRestore,
// nothing else opens the database, also after a crash. Conflict: it is not empty.
func Restore(ctx context.Context, url string, o Options, schema int64, from CopyFrom) (*DB, error) {
	if knows := newest(o.known()); schema > knows {
		return nil, gangway.Errorf(gangway.Conflict, "the copy was made by a newer Gangway (its schema is %d, this "+
			"program knows %d): restore it with that version", schema, knows)
	}
	o.from, o.until = from, schema
	return OpenWith(ctx, url, o)
}

// loadedAtOnce is how many rows are written in one transaction on SQLite.
const loadedAtOnce = 20_000

// load fills the database from the copy of o, and brings it up to date.
func (db *DB) load(ctx context.Context, url string, o Options) error {
	tables, err := db.catalog(ctx, db.writer)
	if err != nil {
		return err
	}
	for {
		table, columns, err := o.from.Table()
		switch {
		case err == nil && !slices.ContainsFunc(tables, func(t catalogTable) bool { return t.has(table, columns) }):
			return gangway.Errorf(gangway.Invalid, "the copy has a table or a column that schema %d does not have: "+
				"somebody changed it", o.until) // and its names are no SQL
		case err == io.EOF:
			o.until = 0
			return cmp.Or(migrate(ctx, db.dialect, url, db.writer.DB, o), db.afterLoad(ctx))
		case err == nil && db.dialect == postgres:
			err = db.loadPostgres(ctx, table, columns, o.from)
		case err == nil:
			err = db.loadSQLite(ctx, table, columns, o.from)
		}
		if err != nil {
			return fmt.Errorf("restore %s: %w", table, err)
		}
	}
}

// has reports whether t is a table that copies have, with these columns.
func (t catalogTable) has(table string, columns []string) bool {
	known := strings.Split(t.columns, ", ")
	return t.name == table && !slices.Contains(ownTables, table) &&
		!slices.ContainsFunc(columns, func(c string) bool { return !slices.Contains(known, c) })
}

func (db *DB) loadPostgres(ctx context.Context, table string, columns []string, rows pgx.CopyFromSource) error {
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, noTimeouts); err != nil {
		return err
	}
	return gate.OnPostgres(conn, func(conn *pgx.Conn) error {
		_, err := conn.CopyFrom(ctx, pgx.Identifier{table}, columns, rows)
		return err
	})
}

func (db *DB) loadSQLite(ctx context.Context, table string, columns []string, rows pgx.CopyFromSource) error {
	insert := `INSERT INTO ` + table + ` (` + strings.Join(columns, ", ") + `) VALUES (` +
		placeholders(1, len(columns)) + `)`
	for more := true; more; {
		err := db.write(ctx, func(tx *sql.Tx) error {
			for range loadedAtOnce {
				if more = rows.Next(); !more {
					return rows.Err()
				}
				values, err := rows.Values()
				if err != nil {
					return err
				}
				if _, err := tx.ExecContext(ctx, insert, values...); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

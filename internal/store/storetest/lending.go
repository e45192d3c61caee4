package storetest

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
)

// A lending lends a server's databases to tests: each to one test at a time, emptied after it, and to tests of
// other programs later. To copy the 600 files of the template takes about fifty times as long as to empty a copy.
//
// The session of conn locks what its program has on loan, so that a database whose lock is free although nobody gave
// it back belonged to a program that died. Such a database is dropped.
type lending struct {
	prefix string // of the names of all databases with this schema

	mu   sync.Mutex // held while conn is used
	conn *pgx.Conn
	lent map[string]bool
}

// mostEmptied is how many rows are deleted to empty a database. One that had more is dropped: it would keep its size,
// and what the planner knows of it.
const mostEmptied = 1000

// lend returns the name of a database that has the schema and is empty.
func (p *postgresServer) lend(t testing.TB) string {
	t.Helper()
	name, catalog, err := p.take(t.Context())
	if err != nil {
		t.Fatalf("borrow a database: %v", err)
	}
	t.Cleanup(func() {
		if err := p.giveBack(context.WithoutCancel(t.Context()), name, catalog); err != nil {
			t.Errorf("give back database %s: %v", name, err)
		}
	})
	return name
}

// take finds a database that was given back, or creates one. It also returns what the catalog says while nobody has
// changed the schema.
func (p *postgresServer) take(ctx context.Context) (name, catalog string, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	rows, err := p.conn.Query(ctx, `SELECT datname FROM pg_database WHERE starts_with(datname, $1)`, p.prefix)
	if err != nil {
		return "", "", fmt.Errorf("list databases: %w", err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return "", "", fmt.Errorf("list databases: %w", err)
	}
	for _, name := range names {
		if p.lent[name] {
			continue
		}
		if catalog, err = p.takeBack(ctx, name); err != nil {
			return "", "", fmt.Errorf("take %s: %w", name, err)
		}
		if catalog != "" {
			p.lent[name] = true
			return name, catalog, nil
		}
	}
	name = p.prefix + strings.ToLower(rand.Text())
	for _, statement := range []string{
		`SELECT pg_advisory_lock(hashtext('` + name + `'))`,
		`CREATE DATABASE ` + name + ` TEMPLATE ` + p.template + p.copying,
	} {
		if _, err := p.conn.Exec(ctx, statement); err != nil {
			return "", "", fmt.Errorf("create %s: %w", name, err)
		}
	}
	p.lent[name] = true
	err = p.in(ctx, name, func(conn *pgx.Conn) error { return conn.QueryRow(ctx, readCatalog).Scan(&catalog) })
	return name, catalog, err
}

// takeBack locks a database unless another program has it, and returns what it was given back with. It drops a
// database that was not given back.
func (p *postgresServer) takeBack(ctx context.Context, name string) (catalog string, err error) {
	locked := false
	err = p.conn.QueryRow(ctx, `SELECT pg_try_advisory_lock(hashtext($1))`, name).Scan(&locked)
	if err != nil || !locked {
		return "", err
	}
	err = p.conn.QueryRow(ctx, `
		SELECT coalesce(shobj_description(oid, 'pg_database'), '')
		FROM pg_database WHERE datname = $1`, name).Scan(&catalog)
	switch {
	case errors.Is(err, pgx.ErrNoRows): // another program dropped it in between
		return "", p.unlock(ctx, name)
	case err != nil:
		return "", err
	case catalog == "":
		return "", p.drop(ctx, name)
	}
	_, err = p.conn.Exec(ctx, `COMMENT ON DATABASE `+name+` IS NULL`)
	return catalog, err
}

// giveBack empties a database for the next test, or drops it if a test changed more than rows. A comment says that it
// was given back, and what its catalog says.
func (p *postgresServer) giveBack(ctx context.Context, name, catalog string) error {
	err := p.in(ctx, name, func(conn *pgx.Conn) error { return empty(ctx, conn, catalog) })
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.lent, name)
	if err != nil {
		return p.drop(ctx, name)
	}
	if _, err := p.conn.Exec(ctx, `COMMENT ON DATABASE `+name+` IS '`+catalog+`'`); err != nil {
		return err
	}
	return p.unlock(ctx, name)
}

func (p *postgresServer) drop(ctx context.Context, name string) error {
	if _, err := p.conn.Exec(ctx, `DROP DATABASE IF EXISTS `+name+` WITH (FORCE)`); err != nil {
		return err
	}
	return p.unlock(ctx, name)
}

func (p *postgresServer) unlock(ctx context.Context, name string) error {
	_, err := p.conn.Exec(ctx, `SELECT pg_advisory_unlock(hashtext($1))`, name)
	return err
}

// in calls do with a connection to a database.
func (p *postgresServer) in(ctx context.Context, database string, do func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, p.address(database))
	if err != nil {
		return err
	}
	defer conn.Close(ctx)
	return do(conn)
}

// endOthers ends all other sessions of a database, and waits until they have ended: what a killed program asked for
// may still be running.
const endOthers = `
	SELECT pg_terminate_backend(pid, 60000)
	FROM pg_stat_activity
	WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`

// readCatalog reads a text that changes with the schema, with the settings of a database, and with the migrations
// that it had: how many rows say so, and which transaction wrote the latest.
const readCatalog = `
	SELECT string_agg(rows || '-' || latest, ' ') FROM (
		SELECT count(*) AS rows, coalesce(max(xmin::text::bigint), 0) AS latest FROM pg_class
		UNION ALL SELECT count(*), max(xmin::text::bigint) FROM pg_attribute
		UNION ALL SELECT count(*), max(xmin::text::bigint) FROM pg_constraint
		UNION ALL SELECT count(*), max(xmin::text::bigint) FROM pg_index
		UNION ALL SELECT count(*), max(xmin::text::bigint) FROM pg_trigger
		UNION ALL SELECT count(*), max(xmin::text::bigint) FROM pg_proc
		UNION ALL SELECT count(*), max(xmin::text::bigint) FROM goose_db_version
		UNION ALL SELECT count(*), max(xmin::text::bigint) FROM schema_oldest
		UNION ALL SELECT count(*), 0 FROM pg_db_role_setting s
			WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())
	) AS counted`

// empty ends what still runs in a database and deletes all rows but those of the schema. It fails if the catalog
// changed, or if there were too many rows.
func empty(ctx context.Context, conn *pgx.Conn, catalog string) error {
	if _, err := conn.Exec(ctx, endOthers); err != nil {
		return err
	}
	var now string
	if err := conn.QueryRow(ctx, readCatalog).Scan(&now); err != nil {
		return err
	}
	if now != catalog {
		return errors.New("the schema changed")
	}
	rows, err := conn.Query(ctx, `
		SELECT quote_ident(tablename) FROM pg_tables
		WHERE schemaname = 'public' AND tablename NOT IN ('goose_db_version', 'schema_oldest')`)
	if err != nil {
		return err
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	// One statement, since references between tables are checked at the end of each.
	var with, counts []string
	for i, table := range tables {
		with = append(with, fmt.Sprintf(`t%d AS (DELETE FROM %s RETURNING 1)`, i, table))
		counts = append(counts, fmt.Sprintf(`(SELECT count(*) FROM t%d)`, i))
	}
	deleted := 0
	err = conn.QueryRow(ctx, `WITH `+strings.Join(with, ", ")+` SELECT `+strings.Join(counts, " + ")).Scan(&deleted)
	if err == nil && deleted > mostEmptied {
		err = fmt.Errorf("it had %d rows", deleted)
	}
	return err
}

package storetest

import (
	"database/sql"
	"testing"

	"github.com/jackc/pgx/v5"

	"gangway/internal/calltest"
)

// A test gets an empty database with the schema, whatever the tests before did to theirs.
func TestNothingIsLeftToTheNextTest(t *testing.T) {
	p := thePostgres(t)
	columns := func(t *testing.T, url string) (n int) {
		db := calltest.Must(sql.Open("pgx", url))(t)
		defer db.Close()
		if err := db.QueryRow(`SELECT count(*) FROM information_schema.columns WHERE table_schema = 'public'
			AND NOT EXISTS (SELECT 1 FROM customer)`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	want := columns(t, PostgresURL(t))
	for name, do := range map[string]func(t *testing.T, url string, conn *pgx.Conn){
		"rows that refer to each other": func(t *testing.T, url string, conn *pgx.Conn) { Account(t, open(t, url)) },
		"a session that was left": func(t *testing.T, url string, conn *pgx.Conn) {
			calltest.Must(conn.Exec(t.Context(), `BEGIN; LOCK TABLE customer`))(t)
		},
		"another column": func(t *testing.T, url string, conn *pgx.Conn) {
			calltest.Must(conn.Exec(t.Context(), `ALTER TABLE customer ADD COLUMN more TEXT`))(t)
		},
		"a table less": func(t *testing.T, url string, conn *pgx.Conn) {
			calltest.Must(conn.Exec(t.Context(), `DROP TABLE familiar`))(t)
		},
		"a newer schema": func(t *testing.T, url string, conn *pgx.Conn) {
			if _, err := conn.Exec(t.Context(), `INSERT INTO goose_db_version (version_id, is_applied)
				VALUES (9999, true)`); err != nil {
				t.Fatal(err)
			}
		},
		"many rows": func(t *testing.T, url string, conn *pgx.Conn) {
			if _, err := conn.Exec(t.Context(), `INSERT INTO customer (id, name, created_at)
				SELECT i, i, i FROM generate_series(1, 2000) i`); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			used := ""
			t.Run("before", func(t *testing.T) {
				used = p.lend(t)
				conn := calltest.Must(pgx.Connect(t.Context(), p.address(used)))(t)
				do(t, p.address(used), conn)
			})
			if got := columns(t, PostgresURL(t)); got != want {
				t.Errorf("the next database has %d columns where there are no customers; want %d", got, want)
			}
			if p.lent[used] && name != "rows that refer to each other" && name != "a session that was left" {
				t.Errorf("%s was lent again", used)
			}
		})
	}
}

// A database of a test program that died is dropped by the next one.
func TestDatabasesOfDeadProgramsAreDropped(t *testing.T) {
	p := thePostgres(t)
	dead := &postgresServer{url: p.url}
	calltest.Done(t, dead.makeTemplate(t.Context()))
	name, _, err := dead.take(t.Context())
	calltest.Done(t, err)
	calltest.Must(p.takeBack(t.Context(), name))(t)
	wantExists := func(want bool) {
		t.Helper()
		exists := false
		if err := p.conn.QueryRow(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)`,
			name).Scan(&exists); err != nil || exists != want {
			t.Errorf("database %s exists: %v (%v); want %v", name, exists, err, want)
		}
	}
	wantExists(true)
	calltest.Done(t, dead.conn.Close(t.Context()))
	for locked := true; locked; { // until the server noticed
		if err := p.conn.QueryRow(t.Context(), `SELECT EXISTS (SELECT 1 FROM pg_locks
			WHERE locktype = 'advisory' AND objid = hashtext($1)::bigint & 4294967295)`, name).Scan(&locked); err != nil {
			t.Fatal(err)
		}
	}
	if catalog, err := p.takeBack(t.Context(), name); catalog != "" || err != nil {
		t.Fatalf("takeBack = %q, %v; want nothing", catalog, err)
	}
	wantExists(false)
}

package gate

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"path/filepath"
	"testing"
)

// statementsOf opens a new file with one connection, and returns a function that lists the statements it keeps.
func statementsOf(t *testing.T) (db *sql.DB, kept func() []keptStatement) {
	t.Helper()
	db = sql.OpenDB(sqliteFile{dsn: "file:" + filepath.Join(t.TempDir(), "statements.db")})
	db.SetMaxOpenConns(1)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, statement := range []string{`CREATE TABLE port (code TEXT, name TEXT)`,
		`INSERT INTO port VALUES ('NLRTM', 'Rotterdam'), ('SGSIN', 'Singapore')`} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	return db, func() (list []keptStatement) {
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if err := conn.Raw(func(c any) error { list = c.(*sqliteConn).kept; return nil }); err != nil {
			t.Fatal(err)
		}
		return list
	}
}

const nameOfPort = `SELECT name FROM port WHERE code = $1`

func portIs(ctx context.Context, t *testing.T, q interface {
	QueryRowContext(context.Context, string, ...any) *sql.Row
}, code, want string) {
	t.Helper()
	var name string
	if err := q.QueryRowContext(ctx, nameOfPort, code).Scan(&name); err != nil || name != want {
		t.Fatalf("port %s = %q, %v; want %q", code, name, err, want)
	}
}

func TestStatementIsKept(t *testing.T) {
	t.Run("a query that is repeated is kept once", func(t *testing.T) {
		db, kept := statementsOf(t)
		for range 3 {
			portIs(t.Context(), t, db, "NLRTM", "Rotterdam")
			portIs(t.Context(), t, db, "SGSIN", "Singapore")
		}
		if list := kept(); len(list) != 1 || list[0].query != nameOfPort {
			t.Fatalf("kept = %v; want the one query", list)
		}
	})
	t.Run("a write that is repeated is kept once, and none that was refused, or comes once", func(t *testing.T) {
		db, kept := statementsOf(t)
		const rename = `UPDATE port SET name = $2 WHERE code = $1`
		for _, name := range []string{"Europoort", "Botlek", "Rotterdam"} {
			if res, err := db.ExecContext(t.Context(), rename, "NLRTM", name); err != nil {
				t.Fatal(err)
			} else if n, err := res.RowsAffected(); n != 1 || err != nil {
				t.Fatalf("%d rows, %v; want the port", n, err)
			}
		}
		if _, err := db.ExecContext(t.Context(), `UPDATE port SET name = abs($1)`, math.MinInt64); err == nil {
			t.Fatal("an overflow was written")
		}
		if list := kept(); len(list) != 1 || list[0].query != rename {
			t.Fatalf("kept = %v; want the one write", list)
		}
		portIs(t.Context(), t, db, "NLRTM", "Rotterdam")
	})
	t.Run("the same query may run while its rows are read", func(t *testing.T) {
		db, kept := statementsOf(t)
		tx, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback()
		rows, err := tx.QueryContext(t.Context(), nameOfPort, "NLRTM")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		portIs(t.Context(), t, tx, "SGSIN", "Singapore")
		var name string
		if !rows.Next() || rows.Scan(&name) != nil || name != "Rotterdam" {
			t.Fatalf("the first reader has %q; want Rotterdam", name)
		}
		rows.Close()
		tx.Rollback()
		if list := kept(); len(list) != 2 {
			t.Fatalf("kept = %v; want both", list)
		}
	})
	t.Run("one that fails is not kept", func(t *testing.T) {
		db, kept := statementsOf(t)
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := db.QueryContext(gone, nameOfPort, "NLRTM"); err == nil {
			t.Fatal("a query was answered after its context was cancelled")
		}
		if _, err := db.QueryContext(t.Context(), `SELECT length(abs(-9223372036854775808))`); err == nil {
			t.Fatal("a query with an overflow was answered")
		}
		portIs(t.Context(), t, db, "NLRTM", "Rotterdam")
		if list := kept(); len(list) != 1 {
			t.Fatalf("kept = %v; want the one that was answered", list)
		}
	})
	t.Run("it sees columns that were added and rows that were changed meanwhile", func(t *testing.T) {
		db, _ := statementsOf(t)
		portIs(t.Context(), t, db, "NLRTM", "Rotterdam")
		for _, statement := range []string{`ALTER TABLE port ADD COLUMN country TEXT`,
			`CREATE UNIQUE INDEX ports ON port (code)`, `UPDATE port SET name = 'Europoort' WHERE code = 'NLRTM'`} {
			if _, err := db.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
		portIs(t.Context(), t, db, "NLRTM", "Europoort")
	})
	t.Run("what is no longer used makes room", func(t *testing.T) {
		db, kept := statementsOf(t)
		portIs(t.Context(), t, db, "NLRTM", "Rotterdam")
		for n := range 2 * statementsKept {
			var got int
			if err := db.QueryRowContext(t.Context(), fmt.Sprintf(`SELECT %d`, n)).Scan(&got); err != nil || got != n {
				t.Fatalf("%d, %v; want %d", got, err, n)
			}
			portIs(t.Context(), t, db, "SGSIN", "Singapore")
		}
		list := kept()
		if len(list) != statementsKept || list[len(list)-1].query != nameOfPort {
			t.Fatalf("%d are kept; want the last %d", len(list), statementsKept)
		}
	})
}

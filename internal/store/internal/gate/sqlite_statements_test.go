package gate

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	"gangway/internal/calltest"
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
		calltest.Must(db.ExecContext(t.Context(), statement))(t)
	}
	return db, func() (list []keptStatement) {
		conn := calltest.Must(db.Conn(t.Context()))(t)
		defer conn.Close()
		calltest.Done(t, conn.Raw(func(c any) error { list = c.(*sqliteConn).kept; return nil }))
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
	t.Run("the same query may run while its rows are read", func(t *testing.T) {
		db, kept := statementsOf(t)
		tx := calltest.Must(db.BeginTx(t.Context(), nil))(t)
		defer tx.Rollback()
		rows := calltest.Must(tx.QueryContext(t.Context(), nameOfPort, "NLRTM"))(t)
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
	t.Run("it sees columns that were added and rows that were changed meanwhile", func(t *testing.T) {
		db, _ := statementsOf(t)
		portIs(t.Context(), t, db, "NLRTM", "Rotterdam")
		for _, statement := range []string{`ALTER TABLE port ADD COLUMN country TEXT`,
			`CREATE UNIQUE INDEX ports ON port (code)`, `UPDATE port SET name = 'Europoort' WHERE code = 'NLRTM'`} {
			calltest.Must(db.ExecContext(t.Context(), statement))(t)
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

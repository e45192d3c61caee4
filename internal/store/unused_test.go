package store_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestWipeLeavesTheRestAsItWas writes rows of all lengths, moves them from page to
// page and deletes them, through our connections and through one that does not
// overwrite what it deletes. After a wipe the file has nothing of what was
// deleted, and everything else as it was.
func TestWipeLeavesTheRestAsItWas(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			url := storetest.SQLiteURL(t)
			db := openURL(t, url)
			in := db.In(storetest.Account(t, db).Scope())
			chance := rand.New(rand.NewPCG(seed, 1))
			older := raw(t, url)
			older.SetMaxOpenConns(1)
			churn(t, db, in, older, chance)
			before := rowsOf(t, older)
			must(t, db.Wipe(t.Context()))
			if after := rowsOf(t, older); after != before {
				t.Error("the rows are not what they were")
			}
			var verdict string
			if err := older.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&verdict); err != nil ||
				verdict != "ok" {
				t.Errorf("the file is %q, %v; want ok", verdict, err)
			}
			path := strings.TrimPrefix(url, "sqlite:")
			for _, file := range []string{path, path + "-wal"} {
				all := sure(os.ReadFile(file))(t)
				if n := bytes.Count(all, []byte("Quux")); n > 0 {
					t.Errorf("%s has %d pieces of what was deleted", file, n)
				}
			}
			churn(t, db, in, older, chance) // the wiped file can still be used
			if err := older.QueryRowContext(t.Context(), `PRAGMA integrity_check`).Scan(&verdict); err != nil ||
				verdict != "ok" {
				t.Errorf("later the file is %q, %v; want ok", verdict, err)
			}
		})
	}
}

// churn uploads travellers with short and long records, half of them called Quux
// in every column and index, and deletes those.
func churn(t *testing.T, db *store.DB, in store.Scoped, older *sql.DB, chance *rand.Rand) {
	t.Helper()
	for _, statement := range []string{ // overflow pages that shorter rows use again
		`CREATE TABLE IF NOT EXISTS scratch (doc TEXT)`,
		`INSERT INTO scratch WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT replace(hex(zeroblob(2400)), '00', 'Quux ') FROM n`,
		`UPDATE scratch SET doc = replace(hex(zeroblob(1197)), '00', 'Santos ')`,
		`CREATE TABLE dropped (doc TEXT)`, // its pages are free
		`INSERT INTO dropped WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) SELECT 'Quux ' || hex(randomblob(40)) FROM n`,
		`DROP TABLE dropped`,
	} {
		must(t, did(older.ExecContext(t.Context(), statement)))
	}
	for range 12 {
		var list []gangway.Traveller
		for range 150 {
			name, id := "Santos", fmt.Sprintf("E%06d", chance.IntN(1_000_000))
			if chance.IntN(2) == 0 {
				name, id = "Quux", "Quux"+id
			}
			list = append(list, gangway.Traveller{
				ID: id, LastName: name, FirstName: strings.Repeat(name, 1+chance.IntN(20)), HomeAirport: "MNL",
				Extra: fmt.Appendf(nil, `{"remarks": %q}`, strings.Repeat(name+" ", 1<<chance.IntN(12))),
			})
		}
		must(t, did(in.UpsertTravellers(t.Context(), list)))
		for sure(db.WriteTravellerWords(t.Context()))(t) {
		}
		if chance.IntN(3) == 0 {
			deleteQuux(t, older)
		}
	}
	deleteQuux(t, older)
}

func deleteQuux(t *testing.T, db *sql.DB) {
	t.Helper()
	for _, table := range []string{"traveller", "traveller_word", "traveller_trace", "unworded"} {
		column := "key"
		if table == "unworded" {
			column = "keys"
		}
		must(t, did(db.ExecContext(t.Context(), `DELETE FROM `+table+` WHERE `+column+` LIKE '%Quux%'`)))
	}
}

// rowsOf is a hash over all rows of all tables.
func rowsOf(t *testing.T, db *sql.DB) string {
	t.Helper()
	var tables []string
	each(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`, func(row []any) {
		tables = append(tables, fmt.Sprint(row[0]))
	})
	sum := sha256.New()
	for _, table := range tables {
		each(t, db, `SELECT * FROM `+table, func(row []any) { fmt.Fprintf(sum, "%s %q\n", table, row) })
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

func each(t *testing.T, db *sql.DB, query string, do func(row []any)) {
	t.Helper()
	rows := sure(db.QueryContext(context.WithoutCancel(t.Context()), query))(t)
	defer rows.Close()
	columns := sure(rows.Columns())(t)
	for rows.Next() {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		must(t, rows.Scan(into...))
		do(row)
	}
	must(t, rows.Err())
}

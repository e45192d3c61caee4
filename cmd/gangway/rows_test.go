package main

import (
	"database/sql"
	"strings"
	"testing"
)

// openSQL opens a database directly, past the program.
func openSQL(t *testing.T, database string) *sql.DB {
	t.Helper()
	driver, name := "pgx", database
	if file, ok := strings.CutPrefix(database, "sqlite:"); ok {
		driver, name = "sqlite", file+"?_pragma=busy_timeout(5000)"
	}
	db := sure(sql.Open(driver, name))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// rowsOf returns what a query finds, each row as text.
func rowsOf(t *testing.T, db *sql.DB, query string, args ...any) (list []string) {
	t.Helper()
	rows := sure(db.QueryContext(t.Context(), query, args...))(t)
	defer rows.Close()
	columns, err := rows.Columns()
	values, into := make([]sql.NullString, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for err == nil && rows.Next() {
		err = rows.Scan(into...)
		var line []string
		for _, v := range values {
			line = append(line, v.String)
		}
		list = append(list, strings.Join(line, " "))
	}
	if err == nil {
		err = rows.Err()
	}
	must(t, err)
	return list
}

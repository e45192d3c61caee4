//go:build linux

package main

import (
	"context"
	"database/sql"
	"testing"
)

// holdLock starts a write to a SQLite file and does not finish it, as a stopped process would, until the
// function returned is called.
func holdLock(t *testing.T, file string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(context.Background(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() { conn.Close(); db.Close() }
}

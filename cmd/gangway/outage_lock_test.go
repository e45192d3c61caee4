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
	db := sure(sql.Open("sqlite", "file:"+file+"?_pragma=busy_timeout(10000)"))(t)
	conn := sure(db.Conn(context.Background()))(t)
	must(t, did(conn.ExecContext(context.Background(), "BEGIN IMMEDIATE")))
	return func() { conn.Close(); db.Close() }
}

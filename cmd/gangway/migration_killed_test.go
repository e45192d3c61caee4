//go:build linux

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"gangway/internal/need"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// A server that is killed while it makes the schema makes it when it starts again, and nothing is left half done.
func TestKilledWhileMigrating(t *testing.T) { killWhileMigrating(t, storetest.EmptySQLiteURL(t)) }

func TestTrialKilledWhileMigrating(t *testing.T) {
	need.Trial(t)
	t.Run("sqlite", func(t *testing.T) { killWhileMigrating(t, storetest.EmptySQLiteURL(t)) })
	t.Run("postgres", func(t *testing.T) { killWhileMigrating(t, startCluster(t, shortFolder(t)).url()) })
}

func killWhileMigrating(t *testing.T, database string) {
	for i := range 8 {
		cmd := gangwayCommand(t, "serve", "--listen", "127.0.0.1:0", "--database", database)
		must(t, cmd.Start())
		<-time.After(time.Duration(i*20) * time.Millisecond) // somewhere in it
		cmd.Process.Kill()
		cmd.Wait()
	}
	wantWhole(t, database)
}

// The work that PostgreSQL does for a server that was killed during a migration ends within seconds too, so
// the next start need not wait for it.
func TestTrialMigrationEndsWithItsServer(t *testing.T) {
	need.Trial(t)
	database := startCluster(t, shortFolder(t)).url()
	db := openSQL(t, database)
	other := sure(db.BeginTx(t.Context(), nil))(t)
	defer other.Rollback()
	if _, err := other.ExecContext(t.Context(), `CREATE TABLE booking ()`); err != nil { // who makes it too waits
		t.Fatal(err)
	}
	migrating := func() bool {
		var n int
		must(t, db.QueryRowContext(t.Context(), `
			SELECT count(*)
			FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'gangway serve' AND wait_event_type = 'Lock'`).Scan(&n))
		return n > 0
	}
	cmd := gangwayCommand(t, "serve", "--listen", "127.0.0.1:0", "--database", database)
	must(t, cmd.Start())
	defer cmd.Wait()
	defer cmd.Process.Kill()
	eventually(t, "its migration waits", migrating)
	cmd.Process.Kill()
	eventually(t, "its migration has ended", func() bool { return !migrating() })
	must(t, other.Rollback())
	wantWhole(t, database)
}

// A disk that is full during a migration leaves the schema as it was, and the next start continues.
func TestTrialDiskFullWhileMigrating(t *testing.T) {
	need.Trial(t)
	folder := smallDisk(t, "size=8k")
	file := filepath.Join(folder, "gangway.db")
	database := "sqlite:" + file
	for _, size := range []string{"8k", "40k", "200k"} { // before the first migration, at its start, in it
		must(t, syscall.Mount("", folder, "", syscall.MS_REMOUNT, "size="+size))
		saysFull(t, file, "serve", "--listen", "127.0.0.1:0", "--database", database)
		saysFull(t, file, "account", "create", "Halcyon Tankers", "--database", database)
	}
	must(t, syscall.Mount("", folder, "", syscall.MS_REMOUNT, "size=64m"))
	wantWhole(t, database)
}

// saysFull runs a command that opens the database, and wants one sentence for operators: that the disk is
// full, and its folder, perhaps with the file.
func saysFull(t *testing.T, file string, args ...string) {
	t.Helper()
	cmd := gangwayCommand(t, args...)
	var said strings.Builder
	cmd.Stderr = &said
	err := cmd.Run()
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	last := lines[len(lines)-1]
	if err == nil || !strings.Contains(last, filepath.Dir(file)) || !strings.Contains(last, "is full: make room") ||
		strings.ContainsAny(last, ";()") {
		t.Errorf("gangway %s: %v, %q; want one sentence that names the full disk", args[0], err, last)
	}
}

// wantWhole checks that a server starts on a database and that its schema is the same as without an
// interruption.
func wantWhole(t *testing.T, database string) {
	t.Helper()
	p, _, _ := serve(t, database)
	answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
	p.stop()
	verifies(t, database)
	clean := storetest.EmptySQLiteURL(t)
	if strings.HasPrefix(database, "postgres") {
		clean = storetest.PostgresURL(t)
	}
	undisturbed := sure(store.Open(t.Context(), clean))(t)
	undisturbed.Close()
	if got, want := schemaOf(t, database), schemaOf(t, clean); got != want {
		t.Errorf("the schema is\n%s\nwant\n%s", got, want)
	}
}

// schemaOf describes a database: its tables, columns and indexes.
func schemaOf(t *testing.T, database string) string {
	t.Helper()
	query := `
		SELECT concat_ws(' ', table_name, column_name, data_type, collation_name, column_default, is_nullable) FROM information_schema.columns WHERE table_schema = 'public'
		UNION ALL
		SELECT pg_get_indexdef(indexrelid) || ' valid ' || indisvalid FROM pg_index WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
		UNION ALL
		SELECT 'oldest ' || version || ' ' || oldest FROM schema_oldest
		ORDER BY 1`
	if strings.HasPrefix(database, "sqlite:") {
		query = `SELECT coalesce(sql, name) FROM sqlite_master UNION ALL SELECT 'oldest ' || version || ' ' || oldest FROM schema_oldest ORDER BY 1`
	}
	return strings.Join(rowsOf(t, openSQL(t, database), query), "\n")
}

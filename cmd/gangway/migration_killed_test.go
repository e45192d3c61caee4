//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
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
	eachEmpty(t, killWhileMigrating)
}

func killWhileMigrating(t *testing.T, database string) {
	for i := range 8 {
		cmd := gangwayCommand(t, "serve", "--listen", "127.0.0.1:0", "--database", database)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
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
	other, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Rollback()
	if _, err := other.ExecContext(t.Context(), `CREATE TABLE booking ()`); err != nil { // who makes it too waits
		t.Fatal(err)
	}
	migrating := func() bool {
		var n int
		if err := db.QueryRowContext(t.Context(), `
			SELECT count(*)
			FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'gangway serve' AND wait_event_type = 'Lock'`).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n > 0
	}
	cmd := gangwayCommand(t, "serve", "--listen", "127.0.0.1:0", "--database", database)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	eventually(t, "its migration waits", migrating)
	cmd.Process.Kill()
	eventually(t, "its migration has ended", func() bool { return !migrating() })
	if err := other.Rollback(); err != nil {
		t.Fatal(err)
	}
	wantWhole(t, database)
}

// Any number of servers may start at once on an empty database.
func TestTrialManyMigrateAtOnce(t *testing.T) {
	need.Trial(t)
	eachEmpty(t, func(t *testing.T, database string) {
		var starts sync.WaitGroup
		for i := range 4 {
			starts.Go(func() { // commands that begin a database, because one SQLite file has one server
				if out, err := gangwayCommand(t, "account", "create", fmt.Sprint("Halcyon ", i), "--database",
					database).CombinedOutput(); err != nil {
					t.Errorf("one of several that migrate: %v\n%s", err, out)
				}
			})
		}
		if strings.HasPrefix(database, "postgres") {
			for range 2 {
				p, _, _ := serve(t, database)
				defer p.stop()
			}
		}
		starts.Wait()
		wantWhole(t, database)
	})
}

// A disk that is full during a migration leaves the schema as it was, and the next start continues.
func TestTrialDiskFullWhileMigrating(t *testing.T) {
	need.Trial(t)
	t.Run("sqlite", func(t *testing.T) {
		folder := smallDisk(t, "size=8k")
		file := filepath.Join(folder, "gangway.db")
		database := "sqlite:" + file
		for _, size := range []string{"8k", "40k", "200k"} { // before the first migration, at its start, in it
			if err := syscall.Mount("", folder, "", syscall.MS_REMOUNT, "size="+size); err != nil {
				t.Fatal(err)
			}
			saysFull(t, file, "serve", "--listen", "127.0.0.1:0", "--database", database)
			saysFull(t, file, "account", "create", "Halcyon Tankers", "--database", database)
		}
		if err := syscall.Mount("", folder, "", syscall.MS_REMOUNT, "size=64m"); err != nil {
			t.Fatal(err)
		}
		wantWhole(t, database)
	})
	t.Run("postgres", func(t *testing.T) {
		home := smallDisk(t, "size=160m")
		c := startCluster(t, home)
		filler := filepath.Join(home, "filler")
		fill(t, filler)
		p, _ := start(t, "waiting for the database", "serve", "--listen", "127.0.0.1:0", "--database", c.url())
		const want = `msg="waiting for the database" because="the disk with the database is full: make room"`
		if said := p.said.String(); !strings.Contains(said, want) {
			t.Errorf("it said %s; want %s", said, want)
		}
		os.Remove(filler)
		c.revive()
		eventually(t, "it serves", func() bool { return strings.Contains(p.said.String(), "msg=serving") })
		p.stop()
		wantWhole(t, c.url())
	})
}

// saysFull runs a command that opens the database, and wants one sentence for operators: that the disk is
// full, and the file.
func saysFull(t *testing.T, file string, args ...string) {
	t.Helper()
	cmd := gangwayCommand(t, args...)
	var said strings.Builder
	cmd.Stderr = &said
	err := cmd.Run()
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	last := lines[len(lines)-1]
	if err == nil || !strings.Contains(last, file) || !strings.Contains(last, "is full: make room") ||
		strings.ContainsAny(last, ";()") {
		t.Errorf("gangway %s: %v, %q; want one sentence that names the full disk", args[0], err, last)
	}
}

// eachEmpty runs a test on an empty database of either kind.
func eachEmpty(t *testing.T, test func(t *testing.T, database string)) {
	t.Run("sqlite", func(t *testing.T) { test(t, storetest.EmptySQLiteURL(t)) })
	t.Run("postgres", func(t *testing.T) {
		test(t, startCluster(t, shortFolder(t)).url())
	})
}

// wantWhole checks that a server starts on a database and that its schema is the same as without an
// interruption.
func wantWhole(t *testing.T, database string) {
	t.Helper()
	p, _, _ := serve(t, database)
	answer[newCustomer](t, "account", "create", "Halcyon Tankers", "--database", database)
	p.stop()
	clean := storetest.EmptySQLiteURL(t)
	if strings.HasPrefix(database, "postgres") {
		clean = storetest.PostgresURL(t)
	}
	undisturbed, err := store.Open(t.Context(), clean)
	if err != nil {
		t.Fatal(err)
	}
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

package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestManyBeginAFile: any number may begin one SQLite file at the same moment.
func TestManyBeginAFile(t *testing.T) {
	for range 10 {
		url := "sqlite:" + filepath.Join(t.TempDir(), "gangway.db")
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				db, err := store.Open(t.Context(), url)
				if err != nil {
					t.Error(err)
					return
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
}

// TestPrivateFiles holds that nobody else on the machine can read the files of a
// SQLite database, and that files that others could read are made private.
func TestPrivateFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gangway.db")
	open := func() []string {
		t.Helper()
		db := sure(store.Open(t.Context(), "sqlite:"+file))(t)
		defer db.Close()
		for _, f := range []string{file, file + "-wal", file + "-shm"} {
			info, err := os.Stat(f)
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v, %v; want 0600", filepath.Base(f), mode(info), err)
			}
		}
		return db.WereOpen()
	}
	if were := open(); len(were) != 0 {
		t.Errorf("WereOpen = %v for a new database; want none", were)
	}
	must(t, os.Chmod(file, 0o644))
	if were := open(); !slices.Equal(were, []string{file}) {
		t.Errorf("WereOpen = %v; want %s", were, file)
	}
	if were := open(); len(were) != 0 {
		t.Errorf("WereOpen = %v once the file is private; want none", were)
	}
}

func mode(info fs.FileInfo) fs.FileMode {
	if info == nil {
		return 0
	}
	return info.Mode().Perm()
}

// TestConnectionsHaveAName holds that PostgreSQL's operator sees by name who is
// connected, and that a name in the address takes precedence over the program's.
func TestConnectionsHaveAName(t *testing.T) {
	for _, tt := range []struct{ name, given, want string }{
		{"gangway serve", "", "gangway serve"},
		{"", "", "gangway"},
		{"gangway serve", "crew-1", "crew-1"},
	} {
		address := storetest.PostgresURL(t)
		at := address
		if tt.given != "" {
			u := sure(url.Parse(address))(t)
			query := u.Query()
			query.Set("application_name", tt.given)
			u.RawQuery = query.Encode()
			at = u.String()
		}
		db := sure(store.OpenWith(t.Context(), at, store.Options{Name: tt.name}))(t)
		var names string
		var connections int // the listener's, and at least one of the pool's
		must(t, raw(t, address).QueryRowContext(t.Context(), `
			SELECT string_agg(DISTINCT application_name, ', '), count(*)
			FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`).Scan(&names, &connections))
		if names != tt.want || connections < 2 {
			t.Errorf("%q with %q in its address: %d connections are called %q; want %q", tt.name, tt.given, connections,
				names, tt.want)
		}
		db.Close()
	}
}

// TestReaderLeaves holds that a reader who leaves before the end of an answer is no outage: the connection that was
// given up with the statement is replaced, and nothing is logged.
func TestReaderLeaves(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		var log bytes.Buffer
		db, err := store.OpenWith(t.Context(), url,
			store.Options{Serve: true, Log: slog.New(slog.NewTextHandler(&log, nil))})
		must(t, err)
		defer db.Close()
		for range 5 {
			ctx, leave := context.WithCancel(t.Context())
			rows, err := db.Reports().QueryContext(ctx, `
				WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 10000000)
				SELECT n
				FROM numbers`)
			must(t, err)
			if !rows.Next() {
				t.Fatal(rows.Err())
			}
			leave()
			rows.Close()
		}
		if log.Len() > 0 {
			t.Errorf("it logged\n%s", &log)
		}
	})
}

// TestReadyOnceThereIsRoom holds that a database that was full is ready again once
// something of some size was written, and not after a small write, which may
// succeed on a full disk. Until then an operator is told to make room, and nothing else.
func TestReadyOnceThereIsRoom(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		must(t, db.Ready(t.Context()))
		refused, ready := fmt.Errorf("commit: %w", db.NoteFull(t.Context())), db.Ready(t.Context())
		if gangway.KindOf(ready) != gangway.Unavailable {
			t.Errorf("Ready = %v on a full disk; want Unavailable, whatever it was before", ready)
		}
		for _, err := range []error{refused, ready} {
			const want = "the disk with the database is full: make room"
			if told := store.Told(err); told.Error() != want || !errors.Is(err, store.ErrAway) {
				t.Errorf("an operator is told %q of %v; want %q", told, err, want)
			}
		}
		storetest.Account(t, db) // something small
		if !db.IsFull() {
			t.Error("after a small write the disk no longer counts as full")
		}
		db.ALittleLater()
		if err := db.Ready(t.Context()); err != nil || db.IsFull() {
			t.Errorf("Ready = %v, full %v; want ready, because there is room", err, db.IsFull())
		}
	})
}

// TestReadyWhereNoTableMayBeMade holds that where no table can be created, small writes are enough to be ready.
func TestReadyWhereNoTableMayBeMade(t *testing.T) {
	db := storetest.Postgres(t)
	must(t, did(db.Reader().ExecContext(t.Context(), `CREATE TABLE room_tried (doc TEXT)`)))
	_ = db.NoteFull(t.Context())
	db.ALittleLater()
	if err := db.Ready(t.Context()); err != nil {
		t.Errorf("Ready = %v; want none", err)
	}
}

package storetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"gangway/internal/store"
)

// SQLiteURL names a fresh SQLite database that already has the schema: it is a copy
// of one that was migrated once. To migrate each anew would take most of the time of
// short tests.
func SQLiteURL(t testing.TB) string {
	t.Helper()
	template, err := sqliteTemplate()
	if err != nil {
		t.Fatalf("SQLite for tests: %v", err)
	}
	url := EmptySQLiteURL(t)
	if err := os.WriteFile(strings.TrimPrefix(url, "sqlite:"), template, 0o600); err != nil {
		t.Fatalf("SQLite for tests: %v", err)
	}
	return url
}

// EmptySQLiteURL names a SQLite database that does not exist yet. Its folder goes with the test. A connection whose
// transaction ran out of time ends a moment after its pool was closed, and then files come and go while the folder is
// removed, so that it is tried again.
func EmptySQLiteURL(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "gangway-")
	if err != nil {
		t.Fatalf("SQLite for tests: %v", err)
	}
	t.Cleanup(func() {
		for try := 0; try < 100 && os.RemoveAll(folder) != nil; try++ {
			runtime.Gosched()
		}
	})
	return "sqlite:" + filepath.Join(folder, "gangway.db")
}

// sqliteTemplate is the content of a database that was migrated and closed.
var sqliteTemplate = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "gangway-template-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "gangway.db")
	db, err := store.Open(context.Background(), "sqlite:"+file)
	if err != nil {
		return nil, fmt.Errorf("migrate the template: %w", err)
	}
	if err := db.Close(); err != nil {
		return nil, fmt.Errorf("migrate the template: %w", err)
	}
	if _, err := os.Stat(file + "-wal"); err == nil {
		return nil, fmt.Errorf("migrate the template: closed, it has a log beside its file")
	}
	return os.ReadFile(file)
})

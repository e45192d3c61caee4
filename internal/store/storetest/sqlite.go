package storetest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
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

// EmptySQLiteURL names a SQLite database that does not exist yet.
func EmptySQLiteURL(t testing.TB) string {
	t.Helper()
	return "sqlite:" + filepath.Join(t.TempDir(), "gangway.db")
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

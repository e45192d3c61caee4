package store_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gangway/internal/store"
)

// TestPrivateFiles opens a SQLite database: nobody else on the machine can read
// what is in it, and one that others could read before is taken from them.
func TestPrivateFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gangway.db")
	open := func() []string {
		t.Helper()
		db, err := store.Open(t.Context(), "sqlite:"+file)
		if err != nil {
			t.Fatal(err)
		}
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
		t.Errorf("a new database says that %v could be read", were)
	}
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if were := open(); !slices.Equal(were, []string{file}) {
		t.Errorf("WereOpen = %v; want %s", were, file)
	}
	if were := open(); len(were) != 0 {
		t.Errorf("once taken from others, %v is said again", were)
	}
}

func mode(info fs.FileInfo) fs.FileMode {
	if info == nil {
		return 0
	}
	return info.Mode().Perm()
}

package store_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gangway/internal/store"
)

// TestPrivateFiles holds that nobody else on the machine can read the files of a
// SQLite database, and that files that others could read are made private.
func TestPrivateFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "gangway.db")
	open := func() []string {
		t.Helper()
		db, err := store.Open(t.Context(), "sqlite:"+file)
		must(t, err)
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

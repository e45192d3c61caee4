package store_test

import (
	"path/filepath"
	"sync"
	"testing"

	"gangway/internal/store"
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

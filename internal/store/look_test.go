package store_test

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestLookChangesNothing holds that a look migrates and writes nothing, tells what the next start would do, and works
// beside a server.
func TestLookChangesNothing(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		look := func() (s store.State) {
			t.Helper()
			before := filesBeside(t, url)
			db := sure(store.Look(t.Context(), url, "look"))(t)
			s = sure(db.State(t.Context()))(t)
			if err := db.ForgetWords(t.Context()); err == nil {
				t.Error("it can be written to")
			}
			must(t, db.Close())
			if after := filesBeside(t, url); !maps.Equal(before, after) {
				t.Errorf("files before: %v, after: %v", before, after)
			}
			return s
		}
		_, next, last := programs(t)
		if s := look(); s.Schema != store.Schema() || s.Unfit != nil || !s.Creates {
			t.Errorf("a database of this version: %+v", s)
		}
		served := sure(store.OpenWith(t.Context(), url, store.Options{Serve: true}))(t)
		mark := sure(served.Mark(t.Context()))(t)
		beside := sure(store.Look(t.Context(), url, "look"))(t)
		if its, err := beside.Mark(t.Context()); err != nil || its != mark || mark == "" {
			t.Errorf("the marks are %q and %q, %v", mark, its, err)
		}
		must(t, beside.Close())
		must(t, served.Close())
		next.starts(t, url).Close()
		if s := look(); s.Schema != 901 || s.Unfit != nil {
			t.Errorf("a newer schema that admits this program: %+v", s)
		}
		last.starts(t, url).Close()
		if s := look(); s.Schema != 902 || gangway.KindOf(s.Unfit) != gangway.Conflict {
			t.Errorf("a newer schema that does not: %+v", s)
		}
		_, err := raw(t, url).ExecContext(t.Context(), `DELETE FROM goose_db_version WHERE version_id > 105`)
		must(t, err)
		if s := look(); s.Schema != 105 || s.Unfit != nil {
			t.Errorf("an older schema: %+v", s)
		}
	})
}

// filesBeside returns the files of a SQLite database and what is in them; SQLite's shared memory is left out.
func filesBeside(t *testing.T, url string) map[string]string {
	t.Helper()
	files := map[string]string{}
	file, _ := strings.CutPrefix(url, "sqlite:") // no file has the name of the other database
	names := sure(filepath.Glob(file + "*"))(t)
	for _, name := range names {
		text := sure(os.ReadFile(name))(t)
		if !strings.HasSuffix(name, "-shm") && len(text) > 0 {
			files[name] = string(text)
		}
	}
	return files
}

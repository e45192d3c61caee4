package store_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestNewerSchema holds that a program does not start on a schema newer than it
// knows, unless each migration that it does not know admits it.
func TestNewerSchema(t *testing.T) {
	const newer = `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99998, TRUE), (99999, TRUE);`
	knows := latest(t)
	for _, tt := range []struct {
		name   string
		says   string
		admits bool
	}{
		{"a schema that says nothing", ``, false},
		{"a schema that is for newer programs",
			`INSERT INTO schema_oldest (version, oldest) VALUES (99998, 99998), (99999, 99998)`, false},
		{"one migration of two that is for newer programs",
			`INSERT INTO schema_oldest (version, oldest) VALUES (99998, 99998), (99999, 17)`, false},
		{"one migration of two that says nothing", `INSERT INTO schema_oldest (version, oldest) VALUES (99999, 17)`,
			false},
		{"a schema that admits this program", `INSERT INTO schema_oldest (version, oldest) VALUES (99998, ` +
			strconv.Itoa(knows) + `), (99999, 17)`, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			storetest.EachURL(t, func(t *testing.T, url string) {
				running, err := store.Open(t.Context(), url)
				if err != nil {
					t.Fatal(err)
				}
				defer running.Close()
				operator := raw(t, url)
				for statement := range strings.SplitSeq(newer+tt.says, ";") {
					if _, err := operator.ExecContext(t.Context(), statement); err != nil {
						t.Fatal(err)
					}
				}
				db, err := store.Open(t.Context(), url)
				if err == nil {
					db.Close()
				}
				if tt.admits != (err == nil) {
					t.Fatalf("Open = %v; want it to start: %v", err, tt.admits)
				}
				if !tt.admits && (gangway.KindOf(err) != gangway.Conflict || !strings.Contains(err.Error(), "newer")) {
					t.Errorf("Open = %v; want a refusal that says why", err)
				}
				// A program that was running when its database was brought up to date finishes
				// what it was asked to do. If it is not admitted, it is no longer ready for more.
				storetest.Account(t, running)
				if err := running.Ready(t.Context()); tt.admits != (err == nil) ||
					!tt.admits && !strings.Contains(err.Error(), "newer") {
					t.Errorf("Ready = %v; want it to be ready: %v", err, tt.admits)
				}
			})
		})
	}
}

// TestEachMigrationSaysTheOldestSchema holds that every migration from 17 on says
// which programs can work beside it: one without the line would stop all replicas
// at every update.
func TestEachMigrationSaysTheOldestSchema(t *testing.T) {
	says := regexp.MustCompile(`(?m)^-- oldest: \d+$`)
	for number, file := range migrationFiles(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(says.FindAll(text, -1)); number >= 17 && got != 1 {
			t.Errorf("%s has %d lines like \"-- oldest: 17\"; want one", file, got)
		}
	}
	storetest.EachURL(t, func(t *testing.T, url string) {
		db, err := store.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var said int
		if err := raw(t, url).QueryRowContext(t.Context(),
			`SELECT max(version) FROM schema_oldest WHERE oldest <= version`).Scan(&said); err != nil ||
			said != latest(t) {
			t.Errorf("the schema's last oldest version is for %d, %v; want %d", said, err, latest(t))
		}
	})
}

func latest(t *testing.T) int {
	t.Helper()
	last := 0
	for number := range migrationFiles(t) {
		last = max(last, number)
	}
	return last
}

// migrationFiles returns the migrations' files by number.
func migrationFiles(t *testing.T) map[int]string {
	t.Helper()
	files, err := filepath.Glob("migrations/000*.sql")
	if err != nil {
		t.Fatal(err)
	}
	of := map[int]string{}
	for _, file := range files {
		number, _, _ := strings.Cut(filepath.Base(file), "_")
		n, err := strconv.Atoi(number)
		if err != nil || of[n] != "" {
			t.Fatalf("%s has no number, or one that another migration has", file)
		}
		of[n] = file
	}
	return of
}

package store_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/store/storetest"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// raw opens the database at url directly, as its operator would.
func raw(t *testing.T, url string) *sql.DB {
	t.Helper()
	driver, name := "pgx", url
	if path, ok := strings.CutPrefix(url, "sqlite:"); ok {
		driver, name = "sqlite", path
	}
	db := sure(sql.Open(driver, name))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// Two migrations of later programs. Older programs can work beside the first, and
// not beside the second, which PostgreSQL carries out step by step.
const (
	addsPort = `-- +goose Up

-- oldest: 100

CREATE TABLE port (
	account TEXT COLLATE_BYTES NOT NULL,
	code    TEXT COLLATE_BYTES NOT NULL,
	PRIMARY KEY (account, code)
) WITHOUT_ROWID;
`
	addsCity = `ON_POSTGRES -- +goose NO TRANSACTION
-- +goose Up

-- oldest: 902

ALTER TABLE port ADD COLUMN IF NOT EXISTS city TEXT COLLATE_BYTES NOT NULL DEFAULT '';
DROP INDEX CONCURRENTLY IF EXISTS port_city;
CREATE INDEX CONCURRENTLY port_city ON port (account, city);
`
)

// A program is one that may know later migrations than this one.
type program struct{ store.Options }

// programs returns this program, and the next two: 901 and 902.
func programs(t *testing.T) (this, next, last program) {
	t.Helper()
	return program{}, later(t, addsPort), later(t, addsPort, addsCity)
}

// later returns a program with later migrations, from 901 on.
func later(t *testing.T, migrations ...string) program {
	t.Helper()
	more := fstest.MapFS{}
	for i, text := range migrations {
		more[fmt.Sprintf("00%d_later.sql", 901+i)] = &fstest.MapFile{Data: []byte(text)}
	}
	o := sure(store.WithMigrations(store.Options{}, more))(t)
	return program{o}
}

func (p program) starts(t *testing.T, url string) *store.DB {
	t.Helper()
	db := sure(store.OpenWith(t.Context(), url, p.Options))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

// refused fails unless the program does not start, for the reason given.
func (p program) refused(t *testing.T, url, why string) {
	t.Helper()
	db, err := store.OpenWith(t.Context(), url, p.Options)
	if err == nil {
		db.Close()
	}
	if gangway.KindOf(err) != gangway.Conflict || !strings.Contains(err.Error(), why) {
		t.Fatalf("it starts: %v; want a refusal that says %q", err, why)
	}
}

// TestUpgradeBesideOlderPrograms holds that a program brings the schema up to date
// beside older ones that run: one that is admitted keeps working, and can be
// started again; one that is not finishes what it does, and takes no more.
func TestUpgradeBesideOlderPrograms(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		this, next, last := programs(t)
		old := this.starts(t, url)
		account := storetest.Account(t, old)
		wantSchema(t, url, "100")

		newer := next.starts(t, url)
		wantSchema(t, url, "100 901")
		if err := old.Ready(t.Context()); err != nil {
			t.Errorf("Ready of a program that is admitted = %v", err)
		}
		this.starts(t, url) // rolled back
		wantSchema(t, url, "100 901")

		last.starts(t, url)
		wantSchema(t, url, "100 901 902")
		for _, running := range []*store.DB{old, newer} {
			running.ALittleLater()
			running.ALittleLater()
			running.ALittleLater()
			if err := running.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "newer") {
				t.Errorf("Ready of a program that is not admitted = %v", err)
			}
			if _, err := running.In(account.Scope()).UpsertTravellers(t.Context(),
				[]gangway.Traveller{person("1", "Reyes", "Ana")}); err != nil {
				t.Errorf("what it was asked before is not finished: %v", err)
			}
		}
		this.refused(t, url, fmt.Sprint("its schema is 902, this program knows ", store.Schema()))
		next.refused(t, url, "its schema is 902, this program knows 901")
		if _, err := last.starts(t, url).In(account.Scope()).Traveller(t.Context(), "id:1"); err != nil {
			t.Errorf("what there was is gone: %v", err)
		}
	})
}

// TestUpgradesAtOnce holds that of any number of programs that start at once one
// brings the schema up to date, and all of them start.
func TestUpgradesAtOnce(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		_, next, last := programs(t)
		var starts sync.WaitGroup
		for i := range 6 {
			starts.Go(func() {
				p := []program{next, last}[i%2]
				db, err := store.OpenWith(t.Context(), url, p.Options)
				if err == nil {
					db.Close()
				} else if i%2 == 1 || gangway.KindOf(err) != gangway.Conflict { // 901 may come after 902
					t.Errorf("one of several that start: %v", err)
				}
			})
		}
		starts.Wait()
		wantSchema(t, url, "100 901 902")
	})
}

// TestUpgradeContinues holds that a migration that fails leaves nothing, and that
// one that was interrupted in the middle is finished by the next start.
func TestUpgradeContinues(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		_, next, last := programs(t)
		_, err := store.OpenWith(t.Context(), url, later(t, addsPort+"INSERT INTO nowhere VALUES (1);\n").Options)
		if err == nil {
			t.Fatal("a migration that fails passes")
		}
		wantSchema(t, url, "100")
		next.starts(t, url)
		if !strings.HasPrefix(url, "sqlite:") { // where a migration is one transaction
			operator := raw(t, url)
			for _, done := range []string{`ALTER TABLE port ADD COLUMN city TEXT COLLATE "C" NOT NULL DEFAULT ''`,
				`CREATE INDEX port_city ON port (code)`} {
				must(t, did(operator.ExecContext(t.Context(), done)))
			}
		}
		last.starts(t, url)
		wantSchema(t, url, "100 901 902")
		if _, err := raw(t, url).ExecContext(t.Context(), `INSERT INTO port VALUES ('a', 'PAONX', 'Colón')`); err != nil {
			t.Errorf("the schema is not whole: %v", err)
		}
	})
}

// wantSchema fails unless these migrations, and no others, were carried out, each once.
func wantSchema(t *testing.T, url, want string) {
	t.Helper()
	if got := strings.Join(texts(t, raw(t, url), `SELECT CAST(version_id AS TEXT) FROM goose_db_version WHERE version_id = 100 OR version_id > 900 ORDER BY id`), " "); got != want {
		t.Fatalf("the migrations %s were carried out; want %s", got, want)
	}
}

// texts returns a column of text.
func texts(t *testing.T, db *sql.DB, query string) (list []string) {
	t.Helper()
	rows := sure(db.QueryContext(t.Context(), query))(t)
	defer rows.Close()
	for rows.Next() {
		var text string
		must(t, rows.Scan(&text))
		list = append(list, text)
	}
	must(t, rows.Err())
	return list
}

// TestUnreleasedSchema holds that a database that a program from before the first
// release made is refused with one sentence, and left as it is.
func TestUnreleasedSchema(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		db := sure(store.Open(t.Context(), url))(t)
		storetest.Account(t, db)
		db.Close()
		operator := raw(t, url)
		for _, statement := range []string{
			`DELETE FROM goose_db_version WHERE version_id > 100`, `DELETE FROM schema_oldest WHERE version > 100`,
			`UPDATE goose_db_version SET version_id = 57 WHERE version_id = 100`,
			`UPDATE schema_oldest SET version = 57, oldest = 43`,
		} {
			must(t, did(operator.ExecContext(t.Context(), statement)))
		}
		operator.Close()
		before := content(t, url)
		for _, serve := range []bool{false, true} {
			program{store.Options{Serve: serve, MustExist: true}}.refused(t, url, "the database is from before the "+
				"first release (its schema is 57, this program begins with 100) and cannot be brought up to date: "+
				"name a new one")
			if after := content(t, url); !slices.Equal(before, after) {
				t.Errorf("a refusal left\n%s\nof\n%s", after, before)
			}
		}
	})
}

// content describes everything in a database: on SQLite, the bytes of its file;
// on PostgreSQL, its tables, where each is stored and all rows of some, with the transactions
// that wrote them.
func content(t *testing.T, url string) []string {
	t.Helper()
	if file, ok := strings.CutPrefix(url, "sqlite:"); ok {
		whole := sure(os.ReadFile(file))(t)
		return []string{string(whole)}
	}
	db := raw(t, url)
	return slices.Concat(
		texts(t, db, `SELECT concat_ws(' ', relname, relfilenode, xmin) FROM pg_class ORDER BY oid`),
		texts(t, db, `SELECT concat_ws(' ', xmin, ctid, version_id) FROM goose_db_version ORDER BY id`),
		texts(t, db, `SELECT concat_ws(' ', xmin, ctid, version, oldest) FROM schema_oldest ORDER BY version`),
		texts(t, db, `SELECT concat_ws(' ', xmin, ctid, id, settings) FROM account ORDER BY id`))
}

// TestNewerSchema holds that a program does not start on a schema newer than it
// knows, unless each migration that it does not know admits it.
func TestNewerSchema(t *testing.T) {
	const says = "-- oldest: 100\n"
	for _, tt := range []struct {
		name   string
		second string // the line of migration 902
		third  string // and of 903
		admits int64  // the oldest program
	}{
		{"both admit it", says, says, 108}, // as migration 108 does
		{"one is for newer programs", says, "-- oldest: 902\n", 902},
		{"one says nothing", "", says, 902},
		{"the last says nothing", says, "", 903},
	} {
		t.Run(tt.name, func(t *testing.T) {
			storetest.EachURL(t, func(t *testing.T, url string) {
				const nothing = "-- +goose Up\n"
				newer := later(t, addsPort, nothing+tt.second+"SELECT 1;\n", nothing+tt.third+"SELECT 1;\n")
				newer.starts(t, url)
				for i, older := range []program{{}, later(t, addsPort), later(t, addsPort, addsCity)} {
					if knows := []int64{store.Schema(), 901, 902}[i]; knows >= tt.admits {
						older.starts(t, url)
					} else {
						older.refused(t, url, "newer")
					}
				}
				if got, err := store.AdmitsWith(newer.Options); err != nil || got != tt.admits {
					t.Errorf("it says that it admits programs of %d, %v; want %d", got, err, tt.admits)
				}
			})
		})
	}
}

// TestEachMigrationSaysTheOldestSchema holds that every migration says which programs
// can work beside it: one without the line would stop all replicas at every update.
func TestEachMigrationSaysTheOldestSchema(t *testing.T) {
	files, err := filepath.Glob("migrations/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d migrations, %v", len(files), err)
	}
	numbers := map[string]string{}
	for _, file := range files {
		text := sure(os.ReadFile(file))(t)
		if n := bytes.Count(text, []byte("\n-- oldest: ")); n != 1 {
			t.Errorf("%s has %d lines like \"-- oldest: 100\"; want one", file, n)
		}
		number, _, _ := strings.Cut(filepath.Base(file), "_")
		if same := numbers[number]; same != "" {
			t.Errorf("%s has the number of %s", file, same)
		}
		numbers[number] = file
	}
	storetest.EachURL(t, func(t *testing.T, url string) {
		want := fmt.Sprint(len(files), " ", store.Schema())
		if got := texts(t, raw(t, url), `SELECT count(*) || ' ' || max(version) FROM schema_oldest WHERE oldest <= version`); got[0] != want {
			t.Errorf("the database knows %s; want each migration's line: %s", got, want)
		}
	})
}

// TestSchemaChangesUnderway holds that nobody notices when a newer program migrates
// the database while this one runs: connections whose statements were prepared for
// the old columns are dropped, and the statements are run again.
func TestSchemaChangesUnderway(t *testing.T) {
	url := storetest.PostgresURL(t)
	db := openURL(t, url)
	in := db.In(storetest.Account(t, db).Scope())
	must(t, did(in.UpsertTravellers(t.Context(), []gangway.Traveller{person("1", "Reyes", "Ana")})))
	other := sure(sql.Open("pgx", url))(t)
	defer other.Close()
	everything := func(step string) {
		var all sync.WaitGroup
		for i := range 24 {
			all.Go(func() {
				for range 8 {
					if _, err := in.Traveller(t.Context(), "id:1"); err != nil {
						t.Errorf("%s: read: %v", step, err)
					}
					if _, err := in.SuggestTravellers(t.Context(), "REY", nil, 10); err != nil {
						t.Errorf("%s: suggest: %v", step, err)
					}
					_, err := in.UpsertTravellers(t.Context(), []gangway.Traveller{person(fmt.Sprint("n", i), "Santos",
						"Bea")})
					if err != nil {
						t.Errorf("%s: write many: %v", step, err)
					}
					if _, err := in.UpdateSettings(t.Context(), storetest.Operator, storetest.Began,
						func(*gangway.Settings) error {
							return nil
						}); err != nil {
						t.Errorf("%s: write: %v", step, err)
					}
				}
			})
		}
		all.Wait()
	}
	everything("before")
	for _, change := range []string{
		`ALTER TABLE traveller ALTER COLUMN doc TYPE varchar; ALTER TABLE account ALTER COLUMN settings TYPE varchar`,
		`ALTER TABLE traveller ALTER COLUMN doc TYPE text; ALTER TABLE account ALTER COLUMN settings TYPE text`,
	} {
		must(t, did(other.ExecContext(t.Context(), change)))
		everything(change)
	}
}

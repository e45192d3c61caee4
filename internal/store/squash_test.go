package store_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gangway/internal/store"
	"gangway/internal/store/storetest"

	"github.com/pressly/goose/v3"
)

// TestOneSchemaIsTheMigratedOne holds that migration 100 alone makes what migrations 1 to 57 make: tables, columns in
// their order, defaults, checks, indexes, foreign keys, triggers, sequences, rows and SQLite's statistics. The
// order of indexes is compared on SQLite only: migration 18 made those of PostgreSQL again, and its planner goes by cost.
// Only goose's own rows, the rows of schema_oldest and the name of one constraint (pull_kept_pkey) may differ.
func TestOneSchemaIsTheMigratedOne(t *testing.T) {
	for _, kind := range []string{"sqlite", "postgres"} {
		t.Run(kind, func(t *testing.T) {
			url := func() string {
				if kind == "sqlite" {
					return storetest.EmptySQLiteURL(t)
				}
				return storetest.EmptyPostgresURL(t)
			}
			old, one := url(), url()
			db, err := store.Open(t.Context(), old)
			if err != nil {
				t.Fatal(err)
			}
			db.Close()
			files, err := store.OneSchema(one)
			if err != nil {
				t.Fatal(err)
			}
			dialect, describe := goose.DialectPostgres, describePostgres
			if kind == "sqlite" {
				dialect, describe = goose.DialectSQLite3, describeSQLite
			}
			p, err := goose.NewProvider(dialect, raw(t, one), files)
			if err != nil {
				t.Fatal(err)
			}
			done, err := p.Up(t.Context())
			if err != nil || len(done) != 1 || done[0].Source.Version != 100 {
				t.Fatalf("Up = %v, %v; want migration 100 alone", done, err)
			}
			want, got := describe(t, old), describe(t, one)
			count := map[string]int{}
			for _, line := range got {
				what, _, _ := strings.Cut(line, " ")
				count[what]++
				if !slices.Contains(want, line) {
					t.Errorf("only of the one schema: %s", line)
				}
			}
			for _, line := range want {
				if !slices.Contains(got, line) {
					t.Errorf("only of the migrated one: %s", line)
				}
			}
			if slices.Sort(want); len(want) != len(got) {
				t.Errorf("%d lines; want %d", len(got), len(want))
			}
			t.Logf("%d lines are equal: %v", len(got), count)
		})
	}
}

func lines(t *testing.T, db *sql.DB, query string) (list []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, _ := rows.Columns()
	for rows.Next() {
		values, at := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			at[i] = &values[i]
		}
		if err := rows.Scan(at...); err != nil {
			t.Fatal(err)
		}
		text := ""
		for i, v := range values {
			if i > 0 {
				text += " "
			}
			text += fmt.Sprint(v)
		}
		list = append(list, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

var (
	comment = regexp.MustCompile(`--[^\n]*`)
	blank   = regexp.MustCompile(`\s+`)
	mark    = regexp.MustCompile(` ?([(),]) ?`)
)

func describeSQLite(t *testing.T, url string) (all []string) {
	db := raw(t, url)
	for _, text := range lines(t, db, `
		SELECT 'ddl ' || type || ' ' || tbl_name || ' ' || row_number() OVER (PARTITION BY tbl_name ORDER BY rowid) || ' ' || name || ' ' || coalesce(sql, '')
		FROM sqlite_master`) {
		text = blank.ReplaceAllString(comment.ReplaceAllString(text, ""), " ")
		text = mark.ReplaceAllString(strings.ReplaceAll(text, `"pull"`, "pull"), "$1")
		all = append(all, strings.TrimSpace(text))
	}
	all = append(all, lines(t, db, `
		SELECT 'table', name, ncol, wr, strict FROM pragma_table_list WHERE schema = 'main'`)...)
	all = append(all, lines(t, db, `
		SELECT 'column', m.name, c.* FROM sqlite_master m, pragma_table_xinfo(m.name) c WHERE m.type = 'table'`)...)
	all = append(all, lines(t, db, `
		SELECT 'key', m.name, f.* FROM sqlite_master m, pragma_foreign_key_list(m.name) f WHERE m.type = 'table'`)...)
	all = append(all, lines(t, db, `
		SELECT 'index', m.name, i.* FROM sqlite_master m, pragma_index_list(m.name) i WHERE m.type = 'table'`)...)
	all = append(all, lines(t, db, `
		SELECT 'indexed', m.name, x.* FROM sqlite_master m, pragma_index_xinfo(m.name) x WHERE m.type = 'index'`)...)
	for _, setting := range []string{"user_version", "application_id", "encoding", "page_size",
		"auto_vacuum"} {
		all = append(all, "pragma "+setting+" "+lines(t, db, `PRAGMA `+setting)[0])
	}
	return append(all, rowsOfTables(t, db, lines(t, db, `SELECT name FROM sqlite_master WHERE type = 'table'`))...)
}

func rowsOfTables(t *testing.T, db *sql.DB, tables []string) (all []string) {
	for _, table := range tables {
		switch table {
		case "goose_db_version", "schema_oldest", "sqlite_sequence": // the history of migrations
			all = append(all, "history "+table)
			continue
		}
		list := lines(t, db, `SELECT * FROM "`+table+`"`)
		all = append(all, fmt.Sprintf("rows %s %d", table, len(list)))
		for _, row := range list {
			all = append(all, "row "+table+" "+row)
		}
	}
	return all
}

func describePostgres(t *testing.T, url string) (all []string) {
	db := raw(t, url)
	renamed := strings.NewReplacer("pull_kept_pkey", "pull_pkey", "pull_kept_", "pull_")
	for _, query := range []string{`
		SELECT 'relation', relname, relkind, relpersistence, relreplident, relrowsecurity, coalesce(array_to_string(reloptions, ','), '')
		FROM pg_class
		WHERE relnamespace = 'public'::regnamespace`, `
		SELECT 'column', c.relname, row_number() OVER (PARTITION BY c.relname ORDER BY attnum), attname,
			format_type(atttypid, atttypmod), coalesce(l.collname, ''), attnotnull, attidentity, attgenerated, attstorage,
			coalesce(pg_get_expr(d.adbin, d.adrelid), '')
		FROM pg_attribute a
		JOIN pg_class c ON c.oid = a.attrelid
		LEFT JOIN pg_collation l ON l.oid = a.attcollation
		LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'S') AND attnum > 0 AND NOT attisdropped`, `
		SELECT 'constraint', conrelid::regclass, conname, contype, convalidated, pg_get_constraintdef(oid)
		FROM pg_constraint
		WHERE connamespace = 'public'::regnamespace`, `
		SELECT 'index', indrelid::regclass, indisvalid, indisunique, indcollation, pg_get_indexdef(indexrelid)
		FROM pg_index
		WHERE indrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)`, `
		SELECT 'trigger', tgrelid::regclass, CASE WHEN tgisinternal THEN tgfoid::regproc::text ELSE tgname END, tgtype, tgenabled
		FROM pg_trigger`, `
		SELECT 'sequence', sequencename, data_type, start_value, increment_by, cycle
		FROM pg_sequences`, `
		SELECT 'function', proname
		FROM pg_proc
		WHERE pronamespace = 'public'::regnamespace`, `
		SELECT 'type', typname, typtype
		FROM pg_type
		WHERE typnamespace = 'public'::regnamespace`, `
		SELECT 'extension', extname
		FROM pg_extension`, `
		SELECT 'statistics', stxname
		FROM pg_statistic_ext`} {
		for _, text := range lines(t, db, query) {
			all = append(all, renamed.Replace(text))
		}
	}
	all = append(all, rowsOfTables(t, db, lines(t, db, `
		SELECT tablename FROM pg_tables WHERE schemaname = 'public'`))...)
	cmd := exec.Command("pg_dump", "--no-owner", "--restrict-key=x", "--exclude-table-data=goose_db_version",
		"--exclude-table-data=schema_oldest", url)
	dump, err := cmd.Output()
	if err != nil {
		t.Fatalf("pg_dump: %v", err)
	}
	for line := range bytes.Lines(dump) {
		if text := renamed.Replace(strings.TrimSpace(string(line))); text != "" &&
			!strings.Contains(text, "setval") {
			all = append(all, "dump "+text)
		}
	}
	return all
}

package database_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gangway/internal/calltest"
	"gangway/internal/gangway"
	"gangway/internal/store/storetest"
	"gangway/internal/transport"
	"gangway/internal/transport/database"
	"gangway/internal/transport/transporttest"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"
)

// A customer's database, with an empty table "note" with a column "body".
type customer struct {
	settings string // without the query and the closing brace
	admin    *sql.DB
	mark     string // of the first parameter
	slow     string // a SELECT that takes long; empty: the system has none
	server   bool
}

// customers are the databases that there are here. Each test makes its own tables.
func customers(t *testing.T) map[string]customer {
	t.Helper()
	address := storetest.PostgresURL(t)
	postgres := calltest.Must(sql.Open("pgx", address))(t)
	t.Cleanup(func() { postgres.Close() })
	file := filepath.Join(t.TempDir(), "crew.db")
	lite := calltest.Must(sql.Open("sqlite", file))(t)
	t.Cleanup(func() { lite.Close() })
	maria := transporttest.ServeMariaDB(t, nil)
	calltest.Must(maria.Admin.Exec("USE crew"))(t)
	maria.Admin.SetMaxOpenConns(1)
	p := transporttest.OverTCP(t, address)
	list := map[string]customer{
		"PostgreSQL": {settings: fmt.Sprintf(`{"url": %q, "user": %q, "password": %q`, p.URL, p.User, p.Password),
			admin: postgres, mark: "$1", slow: "SELECT pg_sleep(600)"},
		"MariaDB": {settings: fmt.Sprintf(`{"url": "mariadb://gangway@127.0.0.1:%d/crew", "password": "tide-tables"`,
			maria.Port), admin: maria.Admin, mark: "?", slow: "SELECT SLEEP(600)", server: true},
		"SQLite": {settings: fmt.Sprintf(`{"url": "sqlite://%s"`, file), admin: lite, mark: "?"},
	}
	for name, c := range list {
		do(t, c, "CREATE TABLE note (body TEXT)")
		list[name] = c
	}
	return list
}

func do(t *testing.T, c customer, statement string, args ...any) {
	t.Helper()
	if _, err := c.admin.ExecContext(t.Context(), statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func ask(t *testing.T, c customer, query string, q transport.Query, more ...string) (string, error) {
	t.Helper()
	doc, _ := json.Marshal(query)
	settings := c.settings + `, "query": ` + string(doc) + strings.Join(more, "") + "}"
	p, err := database.Kind.Open(json.RawMessage(settings), transport.Options{Allow: transporttest.Loopback})
	if err != nil {
		return "", err
	}
	got, err := transporttest.Pull(t.Context(), p, q)
	if err != nil {
		return "", err
	}
	if len(got) != 1 || got[0].ContentType != "application/json; records=rows" || !json.Valid([]byte(got[0].Text)) {
		t.Fatalf("Pull(%s) = %v; want one document in JSON", query, got)
	}
	return strings.TrimSpace(got[0].Text), nil
}

func TestDatabases(t *testing.T) {
	for name, c := range customers(t) {
		t.Run(name, func(t *testing.T) {
			t.Run("suite", func(t *testing.T) { suite(t, c) })
			t.Run("asked", func(t *testing.T) { asked(t, c) })
			t.Run("types", func(t *testing.T) { types(t, name, c) })
			t.Run("nothing is changed", func(t *testing.T) { nothingChanges(t, c) })
			t.Run("limits", func(t *testing.T) { limits(t, c) })
		})
	}
}

func suite(t *testing.T, c customer) {
	transporttest.Puller(t, database.Kind, func(t *testing.T) transporttest.Source {
		do(t, c, "DELETE FROM note")
		s := transporttest.Source{
			Settings: json.RawMessage(c.settings + `, "query": "SELECT body FROM note"}`),
			Leave:    func(t *testing.T, body string) { do(t, c, "INSERT INTO note VALUES ("+c.mark+")", body) },
		}
		if c.slow != "" { // what connects to nothing is not refused, and does not hang
			s.Secrets = []string{"tide-tables"}
		}
		return s
	})
}

// Parameters are bound, not written into the statement, wherever they stand.
func asked(t *testing.T, c customer) {
	do(t, c, "CREATE TABLE crew (id VARCHAR(20) PRIMARY KEY, last_name VARCHAR(100), joins DATE)")
	for _, row := range []string{"'1', 'Ñandú', '2026-12-01'", "'2', 'O''Neil', '2026-12-05'",
		"'3', 'Santos', '2026-12-09'"} {
		do(t, c, "INSERT INTO crew VALUES ("+row+")")
	}
	tests := []struct {
		query string
		ask   gangway.Ask
		want  string
	}{
		{"SELECT id FROM crew WHERE last_name = :surname", gangway.Ask{Surname: "O'Neil"}, `[{"id":"2"}]`},
		{"SELECT id FROM crew WHERE last_name = :surname", gangway.Ask{Surname: "' OR '1' = '1"}, `[]`},
		{"SELECT id FROM crew WHERE last_name = :surname", gangway.Ask{}, `[]`},
		{"SELECT id FROM crew WHERE joins BETWEEN :from AND :to ORDER BY id;",
			gangway.Ask{From: "2026-12-01", To: "2026-12-05"}, "[{\"id\":\"1\"},\n{\"id\":\"2\"}]"},
		{"select id from crew where joins = :date and joins <= :date", gangway.Ask{Date: "2026-12-09"}, `[{"id":"3"}]`},
		{"WITH a AS (SELECT id FROM crew /* :surname; */) -- ;\nSELECT ':date; ''' AS \"to\", id FROM a WHERE id = '1'",
			gangway.Ask{}, `[{"to":":date; '","id":"1"}]`},
	}
	for _, tt := range tests {
		if strings.Contains(tt.query, `"to"`) && c.server {
			tt.query = strings.ReplaceAll(tt.query, `"to"`, "`to`") // as MariaDB quotes names
		}
		if got, err := ask(t, c, tt.query, transport.Query{Ask: tt.ask}); err != nil || got != tt.want {
			t.Errorf("%s with %+v = %s, %v; want %s", tt.query, tt.ask, got, err, tt.want)
		}
	}
}

// Values are text, as a customer would write them; dates as ISO 8601 does.
func types(t *testing.T, name string, c customer) {
	for query, want := range map[string]map[string]string{
		"PostgreSQL": {
			`SELECT DATE '1985-02-01' AS d, TIMESTAMP '1985-02-01 08:00:00.5' AS s, NULL AS n, ` +
				`12.50::numeric AS m, 7 AS i, ` +
				`true AS b, '{"a": [1]}'::jsonb AS j, 'x'::varchar(9) AS v, '\x00ff'::bytea AS y, 1.5::float8 AS f, ` +
				`ARRAY['a','b'] AS l, 'ab5c1c53-6d2c-4ed4-a1a3-6b6a5a3f5a3c'::uuid AS u, ` +
				`TIMESTAMPTZ '1985-02-01 08:00:00+00' AT TIME ZONE 'UTC' AS z`: `[{"d":"1985-02-01",` +
				`"s":"1985-02-01T08:00:00.5","n":null,"m":"12.50","i":"7","b":"true","j":{"a": [1]},"v":"x","y":"AP8=","f":"1.5","l":"{a,b}",` +
				`"u":"ab5c1c53-6d2c-4ed4-a1a3-6b6a5a3f5a3c","z":"1985-02-01T08:00:00"}]`,
		},
		"MariaDB": {
			`SELECT DATE '1985-02-01' AS d, TIMESTAMP '1985-02-01 08:00:00' AS s, NULL AS n, 12.50 AS m, 7 AS i, ` +
				`CAST('0000-00-00' AS DATE) AS o, 'Ñ' AS v, X'00ff' AS y, 1.5e0 AS f`: `[{"d":"1985-02-01",` +
				`"s":"1985-02-01T08:00:00","n":null,"m":"12.50","i":"7","o":null,"v":"Ñ","y":"AP8=","f":"1.5"}]`,
		},
		"SQLite": {
			`SELECT '1985-02-01' AS d, NULL AS n, 12.5 AS m, 7 AS i, 'Ñ' AS v, X'00ff' AS y`: `[{"d":"1985-02-01",` +
				`"n":null,"m":"12.5","i":"7","v":"Ñ","y":"AP8="}]`,
			`SELECT joins FROM crew WHERE id = '1'`: `[{"joins":"2026-12-01"}]`,
		},
	}[name] {
		if got, err := ask(t, c, query, transport.Query{}); err != nil || got != want {
			t.Errorf("%s = %s, %v; want %s", query, got, err, want)
		}
	}
}

// Whatever is asked, nothing is changed.
func nothingChanges(t *testing.T, c customer) {
	do(t, c, "DELETE FROM note")
	for query, says := range map[string]string{
		"DELETE FROM note":              "query must be a SELECT",
		"INSERT INTO note VALUES ('a')": "query must be a SELECT",
		"":                              "query must be a SELECT",
		"-- SELECT\nDROP TABLE note":    "query must be a SELECT",
		"SELECT 1; DROP TABLE note":     "query must be one statement",
		"SELECT ';'; /* ; */ -- ;\n INSERT INTO note":       "query must be one statement",
		"WITH a AS (SELECT 1 AS x) DELETE FROM note":        "",
		"WITH a AS (DELETE FROM note RETURNING 1) SELECT 1": "",
		"SELECT 1 AS a, 2 AS a":                             "two columns",
		"SELECT nowhere FROM note":                          "nowhere",
	} {
		got, err := ask(t, c, query, transport.Query{})
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q = %s, %v; want %q", query, got, err, says)
		}
		if err != nil && gangway.KindOf(err) == gangway.Internal {
			t.Errorf("%q = %v; want a sentence", query, err)
		}
	}
	if _, err := c.admin.ExecContext(t.Context(), "SELECT body FROM note"); err != nil {
		t.Errorf("the table is gone: %v", err)
	}
}

// A query that takes too long, or gives too much, ends with a sentence.
func limits(t *testing.T, c customer) {
	do(t, c, "DELETE FROM note")
	for range 5 {
		do(t, c, "INSERT INTO note VALUES ("+c.mark+")", strings.Repeat("x", 1000))
	}
	for more, says := range map[string]string{
		`, "row_limit": 4`:       "more than 4 rows",
		`, "row_limit": 5`:       "",
		`, "row_limit": 0`:       "row_limit must be from 1",
		`, "time_limit": 601`:    "time_limit must be from 1",
		`, "time_limit": "long"`: "time_limit must be a whole number",
	} {
		_, err := ask(t, c, "SELECT body FROM note", transport.Query{}, more)
		if says == "" && err != nil || says != "" && (gangway.KindOf(err) != gangway.Invalid ||
			!strings.Contains(err.Error(), says)) {
			t.Errorf("with %s: %v; want %q", more, err, says)
		}
	}
	if c.slow == "" {
		return
	}
	_, err := ask(t, c, c.slow, transport.Query{}, `, "time_limit": 1`) // it would be answered after ten minutes
	if gangway.KindOf(err) != gangway.Unavailable {
		t.Errorf("a slow query = %v; want it ended", err)
	}
}

package store_test

import (
	"slices"
	"strings"
	"testing"

	"gangway/internal/store"
	"gangway/internal/store/storetest"
)

// TestEveryColumnIsJudged holds that for every column somebody has said whether it
// is personal: see personal.go.
func TestEveryColumnIsJudged(t *testing.T) {
	storetest.EachURL(t, func(t *testing.T, url string) {
		openURL(t, url)
		query := `SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema()`
		if strings.HasPrefix(url, "sqlite:") {
			query = `SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\_%' ESCAPE '\'`
		}
		rows, err := raw(t, url).QueryContext(t.Context(), query)
		must(t, err)
		defer rows.Close()
		judged := store.JudgedColumns()
		for rows.Next() {
			var table, column string
			must(t, rows.Scan(&table, &column))
			i := slices.Index(judged, table+"."+column)
			if i < 0 {
				t.Errorf("nobody has said whether %s.%s is personal: personal.go", table, column)
				continue
			}
			judged = slices.Delete(judged, i, i+1)
		}
		if err := rows.Err(); err != nil || len(judged) > 0 {
			t.Errorf("personal.go has columns that do not exist: %v, %v", judged, err)
		}
	})
}

package store_test

import (
	"os"
	"regexp"
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
		rows := sure(raw(t, url).QueryContext(t.Context(), query))(t)
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

// TestPrivacyPageIsComplete holds that docs/privacy.md has every personal column, and none that does not exist.
func TestPrivacyPageIsComplete(t *testing.T) {
	page := sure(os.ReadFile("../../docs/privacy.md"))(t)
	var told []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`.*?`) \\| .* \\|$").FindAllStringSubmatch(string(page), -1) {
		for part := range strings.SplitSeq(row[1], ";") {
			tables, columns, _ := strings.Cut(part, ":")
			for _, table := range spans.FindAllStringSubmatch(tables, -1) {
				for _, column := range spans.FindAllStringSubmatch(columns, -1) {
					told = append(told, table[1]+"."+column[1])
				}
			}
		}
	}
	for _, column := range store.PersonalColumns() {
		if !slices.Contains(told, column) {
			t.Errorf("docs/privacy.md does not say why %s is kept, and for how long", column)
		}
	}
	for _, column := range told {
		if !slices.Contains(store.JudgedColumns(), column) {
			t.Errorf("docs/privacy.md has %s, which does not exist", column)
		}
	}
}

var spans = regexp.MustCompile("`(.*?)`")

package query

import (
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/report/odata"
)

// searchSeparator stands between the texts of a row that $search looks at. No folded text has it,
// so that nothing is found across them.
const searchSeparator = "\n"

// SearchText returns what $search looks at in a row.
func SearchText(of report.Set, r report.Row) string {
	var texts []string
	for i, c := range of.Columns {
		if text, ok := r[i].(string); ok && c.Searched {
			texts = append(texts, gangway.Fold(text))
		}
	}
	return strings.Join(texts, searchSeparator)
}

// search returns the condition of an expression of $search on the rows called by an alias, which is never null.
func (t *translator) search(s odata.Search, alias string) string {
	switch s := s.(type) {
	case odata.SearchNot:
		return "(NOT " + t.search(s.X, alias) + ")"
	case odata.SearchAll:
		terms := gangway.Each(s.Terms, func(x odata.Search) string { return t.search(x, alias) })
		return joined(map[bool]string{true: " OR ", false: " AND "}[s.Any], terms)
	case odata.SearchTerm:
		term := gangway.Fold(s.Text)
		switch {
		case term == "":
			return truth(true)
		case t.postgres:
			return "(strpos(" + alias + "." + Search + ", " + t.text(term) + ") > 0)"
		}
		return "(instr(" + alias + "." + Search + ", " + t.text(term) + ") > 0)"
	}
	panic("an unknown kind of search")
}

package query

import (
	"fmt"
	"strings"

	"gangway/internal/report/odata"
)

// Changes asks for the rows that were written since a mark, whether they match the query or not: who
// has read the rows before takes away those that do not.
type Changes struct {
	Since int64    // the mark, see the store's report_changed.go
	After Position // behind which of them the page begins; nil: at the first
}

// Tracks reports whether changes of a query's answer can be told: its rows are those of the set, all of
// them, the set is tracked, and nothing of the answer depends on rows of other sets.
func Tracks(q *odata.Query) bool {
	return Tracked(q.Set) && len(q.Apply) == 0 && q.Top == nil && q.Skip == 0 && len(q.Expand) == 0 &&
		len(related(q)) == 0
}

// Tracked reports whether changes of the rows of a set of Schema can be told.
func Tracked(set *odata.EntitySet) bool { return sets[set].Tracked }

// Changes translates a request for rows that have changed, the longest unchanged first. Each row says
// whether it matches.
func (d Dialect) Changes(from Sources, req Request) Statement {
	t, r := d.opened(from, req)
	q := req.Query
	var s Statement
	t.through(q, r)
	selected := t.selected(req, from, &s)
	at := row + "." + Changed
	keys := []sortKey{{sql: at, kind: odata.Int64}}
	for _, k := range q.Set.Key {
		keys = append(keys, sortKey{sql: t.columns[k].sql, kind: k.Type.Kind})
	}
	for i, k := range keys {
		kind := odata.Type{Kind: k.kind}
		s.order = append(s.order, len(s.Columns))
		s.Columns = append(s.Columns, Column{"", kind, false})
		selected = append(selected, k.sql)
		if isText(k.kind) {
			keys[i].sql = t.bytewise(k.sql)
		}
	}
	s.matches = len(s.Columns)
	truth := Column{"", odata.Type{Kind: odata.Boolean}, false}
	s.Columns = append(s.Columns, truth, truth)
	selected = append(selected, t.matching(q), "("+row+"."+Gone+" = 1)")
	r.keepIf("(" + at + " >= " + t.whole(req.Changes.Since) + ")")
	if req.Changes.After != nil {
		r.keepIf(t.after(keys, req.Changes.After)[0]())
	}
	s.Query = "SELECT " + strings.Join(selected, ", ") + r.text()
	for i, k := range keys {
		s.Query += map[bool]string{true: " ORDER BY ", false: ", "}[i == 0] + t.ordered(k)
	}
	if req.Limit > 0 {
		s.Query += fmt.Sprintf(" LIMIT %d", req.Limit)
	}
	s.With, s.Args = r.with, t.args
	return s
}

// matching is whether a row matches $filter and $search; it is never null.
func (t *translator) matching(q *odata.Query) string {
	terms := []string{truth(true)}
	if q.Search != nil {
		terms = append(terms, t.search(q.Search, row))
	}
	if q.Filter != nil {
		terms = append(terms, "coalesce("+t.condition(q.Filter, true)+", "+truth(false)+")")
	}
	return joined(" AND ", terms)
}

// ParseChange reads a position among the changes of a query's rows.
func ParseChange(q *odata.Query, text string) (Position, error) {
	types := []*odata.Node{{Type: odata.Type{Kind: odata.Int64}}}
	for _, k := range q.Set.Key {
		types = append(types, &odata.Node{Type: k.Type})
	}
	return parsePosition(types, text)
}

// Key returns the values of a changed row's key.
func (r Row) Key() []any { return r.Position()[1:] }

// Matches reports whether a changed row is there, and matches the query.
func (r Row) Matches() bool {
	matches, _ := r.values[r.statement.matches].(bool)
	return matches && !r.Gone()
}

// Gone reports whether a changed row is there no more.
func (r Row) Gone() bool {
	gone, _ := r.values[r.statement.matches+1].(bool)
	return gone
}

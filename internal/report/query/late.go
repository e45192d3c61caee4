package query

import (
	"fmt"
	"slices"
	"strings"

	"gangway/internal/report/odata"
)

// manyRows is how many rows of a page SQLite does not sort as a whole.
const manyRows = 500

// manySkipped is how many rows PostgreSQL does not read only to skip them.
const manySkipped = 200

// late reports whether rows are found first, and read only once it is known which of them the page has.
//
// SQLite keeps all columns of what it sorts for a page in memory, some 9 KB for each row. Where all
// rows come in the order that they are kept in, nothing is sorted.
//
// PostgreSQL reads a row before it looks at a condition that is no range of the index, although the index
// has the columns: a name that few rows have would cost the reading of all. So does each row that $skip skips. It
// does without if nothing else is asked for. SQLite looks at the index first by itself.
func (t *translator) late(req Request, s *Statement) bool {
	q := req.Query
	if !t.postgres {
		return len(q.Apply) == 0 && q.Compute == nil && req.limit() > manyRows && !(q.Filter == nil && inOrder(req))
	}
	deep := q.Skip >= manySkipped
	if !s.Whole || q.Search != nil || q.Filter == nil && !deep || len(q.Expand) > 0 || req.limit() < 0 ||
		req.Path != nil && (req.Path.Key != nil || len(req.Path.Steps) > 0) {
		return false
	}
	set := req.Set()
	leading := slices.Concat(set.Key, set.Leading)
	has := slices.Concat(set.Key, []string{set.Newest}, set.Beside)
	var exprs []odata.Expr
	if q.Filter != nil {
		exprs = append(exprs, q.Filter)
	}
	for _, o := range q.OrderBy {
		exprs = append(exprs, o.By)
	}
	ranges := true
	for i := 0; i < len(exprs); i++ {
		exprs = append(exprs, odata.Children(exprs[i])...)
		ref, ok := exprs[i].(*odata.Ref)
		if !ok {
			continue
		}
		if !slices.Contains(has, ref.Property.Name) {
			return false
		}
		ranges = ranges && slices.Contains(leading, ref.Property.Name)
	}
	return !ranges || deep
}

// inOrder reports whether rows are ordered by what they are kept in the order of.
func inOrder(req Request) bool {
	order, set := req.Query.OrderBy, req.Set()
	if len(order) == 0 {
		return true
	}
	by, ok := order[0].By.(*odata.Ref)
	return ok && (by.Property.Name == set.Newest || by.Property.Name == set.Key[0])
}

// foundFirst returns the query that finds the rows of a page, and then reads each by its key.
func (t *translator) foundFirst(req Request, r *rows, selected []string, sorted []sortKey, s *Statement) string {
	const found = "found"
	from := t.sources.Of[req.Query.Set.Name].Name
	var inner, same, outer []string
	for i, k := range req.Query.Set.Key {
		inner = append(inner, fmt.Sprintf("%s AS key%d", t.columns[k].sql, i))
		same = append(same, fmt.Sprintf("%s = %s.key%d", t.columns[k].sql, found, i))
	}
	read := s.shown // behind them comes what rows are ordered by
	if s.Whole {
		read++
	}
	if !t.postgres {
		outer = selected[:read:read]
	}
	for _, x := range selected[len(outer):read] {
		outer = append(outer, "(SELECT "+x+" FROM "+from+" AS "+row+" WHERE "+strings.Join(same, " AND ")+")")
	}
	for i, x := range selected[read:] {
		inner = append(inner, fmt.Sprintf("%s AS sort%d", x, i))
		outer = append(outer, fmt.Sprintf("%s.sort%d", found, i))
	}
	if !t.postgres { // which keeps the order of the first of two that are joined by CROSS JOIN
		return "SELECT " + strings.Join(outer, ", ") + " FROM (SELECT " + strings.Join(inner, ", ") + r.text() +
			t.orderBy(sorted) + t.limit(req) + ") AS " + found + " CROSS JOIN " + from + " AS " + row + " ON " +
			strings.Join(same, " AND ")
	}
	again := slices.Clone(sorted)
	for i := range again {
		again[i].sql = outer[read+s.order[i]-s.shown]
	}
	return "SELECT " + strings.Join(outer, ", ") + " FROM (SELECT " + strings.Join(inner, ", ") + r.text() +
		t.orderBy(sorted) + t.limit(req) + ") AS " + found + t.orderBy(again)
}

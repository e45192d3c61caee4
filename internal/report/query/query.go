package query

import (
	"fmt"
	"strings"

	"gangway/internal/report"
	"gangway/internal/report/odata"
)

// A Request is what is asked of a set of the report.
type Request struct {
	Query *odata.Query
	Key   []*odata.Literal // of the one row that is asked for; nil: of all rows
	// After is behind which row the page begins; nil: at the beginning.
	After Position
	Given int64 // how many rows the pages before had, which count for $top
	Limit int64 // how many rows the page has at most; 0: as many as there are
}

// Set returns the set of the report that is asked.
func (r Request) Set() report.Set { return sets[r.Query.Set] }

// Source is where the rows of a set come from. The store makes it.
type Source struct {
	// Name is what statements call the rows. They have a column for each of the set, and the
	// columns Members and Search.
	Name string
	Args int // how many arguments of the statement belong to it; they come first
	// Differing are the columns whose value is another one than Members says.
	Differing []string
}

// Columns of sources besides those of the set.
const (
	Members = "members" // the whole row as members of a JSON object
	Search  = "search"  // its searchable texts, as SearchText makes them
)

// A Statement is a query in the SQL of one database.
type Statement struct {
	With  []string // what follows the source in a WITH clause
	Query string
	Args  []any // those behind the arguments of the source
	// Whole is whether the first column has the members of whole rows; then come those of Columns.
	Whole   bool
	Columns []Column
	shown   int   // how many of Columns are what was asked for, or differ from Members
	order   []int // which of Columns the rows are ordered by
}

// A Column is a column of a result.
type Column struct {
	Name string
	Type odata.Type
	wide bool
}

// Rows translates a request for rows.
func (d Dialect) Rows(from Source, req Request) Statement {
	t, r := d.begin(from, req)
	q := req.Query
	s := Statement{Whole: whole(q)}
	selected := []string{}
	if s.Whole {
		selected = append(selected, row+"."+Members)
		for _, name := range from.Differing {
			p := q.Row.Property(name)
			selected = append(selected, row+"."+t.columns[p].name)
			s.Columns = append(s.Columns, Column{p.Name, p.Type, false})
		}
	} else {
		for _, p := range Shown(q) {
			selected = append(selected, t.shown(row+"."+t.columns[p].name, isWideColumn(p)))
			s.Columns = append(s.Columns, Column{p.Name, p.Type, isWideColumn(p)})
		}
	}
	s.shown = len(s.Columns)
	sorted := t.sorted(q, &s, &selected)
	if req.After != nil {
		r.keepIf(t.after(sorted, req.After))
	}
	s.Query = "SELECT " + strings.Join(selected, ", ") + r.text()
	for i, o := range sorted {
		s.Query += map[bool]string{true: " ORDER BY ", false: ", "}[i == 0] + t.ordered(o)
	}
	s.Query += t.page(req)
	s.With, s.Args = r.with, t.args
	return s
}

// Count translates a request for how many rows there are before $skip and $top.
func (d Dialect) Count(from Source, req Request) Statement {
	t, r := d.begin(from, req)
	return Statement{Query: "SELECT count(*)" + r.text(), With: r.with, Args: t.args}
}

// begin translates what leads to the rows that are to be ordered, counted or shown.
func (d Dialect) begin(from Source, req Request) (*translator, *rows) {
	t := &translator{Dialect: d, given: from.Args, columns: map[*odata.Property]column{}}
	r := &rows{from: from.Name}
	q := req.Query
	for _, p := range q.Set.Properties {
		t.columns[p] = column{columns[p], 1}
	}
	for i, l := range req.Key {
		r.keepIf("(" + row + "." + columns[q.Set.Key[i]] + " = " + t.literal(l, false) + ")")
	}
	t.through(q, r)
	if q.Search != nil {
		r.keepIf(t.search(q.Search))
	}
	if q.Filter != nil {
		r.keepIf(t.condition(q.Filter, false))
	}
	return t, r
}

// whole reports whether all properties of rows of a set are asked for, and no others.
func whole(q *odata.Query) bool { return q.Select == nil && len(q.Apply) == 0 && q.Compute == nil }

// Shown returns which properties are asked for.
func Shown(q *odata.Query) []*odata.Property {
	if q.Select != nil {
		return q.Select
	}
	return q.Row.Properties
}

// shown returns a column as the database hands it over: a wide number as a text.
func (t *translator) shown(x string, wide bool) string {
	if t.postgres && wide {
		return "(" + x + ")::text"
	}
	return x
}

// page limits how many rows there are.
func (t *translator) page(req Request) string {
	limit, skip := req.Limit, req.Query.Skip
	if top := req.Query.Top; top != nil {
		if left := max(0, *top-req.Given); limit == 0 || left < limit {
			return t.limit(left, skip, req.After)
		}
	}
	if limit == 0 {
		limit = -1
	}
	return t.limit(limit, skip, req.After)
}

// limit writes a limit, unless it is -1, and how many rows to skip at the beginning.
func (t *translator) limit(limit, skip int64, after Position) string {
	s := ""
	if after != nil {
		skip = 0
	}
	if limit >= 0 || skip > 0 && !t.postgres {
		s = fmt.Sprintf(" LIMIT %d", limit)
	}
	if skip > 0 {
		s += fmt.Sprintf(" OFFSET %d", skip)
	}
	return s
}

package query

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"gangway/internal/report"
	"gangway/internal/report/odata"
)

// A Request is what is asked of a set of the report.
type Request struct {
	Query *odata.Query
	Path  *odata.Path // which rows are asked for; nil: all of the set
	// After is behind which row the page begins; nil: at the beginning.
	After Position
	Given int64 // how many rows the pages before had, which count for $top
	Limit int64 // how many rows the page has at most; 0: as many as there are
	// Changes, unless it is nil, asks for what has changed instead of all rows.
	Changes *Changes
	Linked  *Linked // unless it is nil, asks for what several rows lead to
	Apart   bool    // each property is a column of its own, also of whole rows
}

// For returns what a request asks of the report. The error is as of Supported.
func For(r *odata.Request) (Request, error) {
	return Request{Query: r.Query, Path: r.Path}, Supported(r.Query)
}

// Supported returns an *odata.Error if a query searches rows without texts that are searched.
func Supported(q *odata.Query) error {
	searched := []*odata.EntitySet{}
	if q.Search != nil {
		searched = append(searched, q.Set)
	}
	eachNode(q, func(e odata.Expr) {
		if c, ok := e.(*odata.RelatedCount); ok && c.Search != nil {
			searched = append(searched, c.Navigation.Target)
		}
	})
	for _, set := range searched {
		if !slices.ContainsFunc(set.Properties, func(p *odata.Property) bool { return p.Searchable }) {
			return &odata.Error{Status: http.StatusNotImplemented, Option: "$search",
				Message: "rows of " + set.Name + " cannot be searched; contains in $filter looks at a property"}
		}
	}
	for _, e := range q.Expand {
		if err := Supported(e.Query); err != nil {
			return err
		}
	}
	return nil
}

// Set returns the set of the report that is asked.
func (r Request) Set() report.Set { return sets[r.Query.Set] }

// Source is where the rows of a set come from. The store makes it.
type Source struct {
	// Name is what statements call the rows. They have a column for each of the set, Members if Kept
	// says so, Search if the set is searched, and Changed and Gone if it is tracked.
	Name string
	Kept bool // whole rows are there as texts
	// Differing are the columns whose value is another one than Members says.
	Differing []string
}

// Sources are where the rows of a request's sets come from.
type Sources struct {
	Of   map[string]Source // by the names of sets
	Args int               // how many arguments of the statement belong to them; they come first
}

// Columns of sources besides those of the set.
const (
	Members = "members" // the whole row as members of a JSON object
	Changed = "changed" // when it was written, as a mark
	Gone    = "gone"    // 1: the row is no more, and only those who ask for changes see it
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
	shown   int     // how many of Columns are what was asked for, or differ from Members
	order   []int   // which of Columns the rows are ordered by
	matches int     // which of Columns says whether a changed row matches; behind it comes whether it is gone
	origin  int     // which of Columns says to which row a linked row is linked
	leads   [][]int // of each expanded navigation property which of Columns have what it is on
}

// A Column is a column of a result.
type Column struct {
	Name string
	Type odata.Type
	wide bool
}

// Rows translates a request for rows. The answer has the rows of one statement after the other, up
// to the limit; -1 is no limit.
func (d Dialect) Rows(from Sources, req Request) (all []Statement, limit int64) {
	for part, parts := 0, 1; part < parts; part++ {
		var s Statement
		s, parts = d.rows(from, req, part)
		all = append(all, s)
	}
	return all, req.limit()
}

// rows translates a part of a request for rows, and returns how many parts it has.
func (d Dialect) rows(from Sources, req Request, part int) (s Statement, parts int) {
	t, r := d.begin(from, req)
	q := req.Query
	selected := t.selected(req, from, &s)
	sorted := t.sorted(q, &s, &selected)
	t.leading(q, &s, &selected)
	parts = 1
	if req.After != nil {
		after := t.after(sorted, req.After)
		parts = len(after)
		r.keepIf(after[part]())
	}
	if t.late(req, &s) {
		s.Query = t.foundFirst(req, r, selected, sorted, &s)
	} else {
		s.Query = "SELECT " + strings.Join(selected, ", ") + r.text() + t.orderBy(sorted) + t.limit(req)
	}
	s.With, s.Args = r.with, t.args
	return s, parts
}

// orderBy writes what rows are ordered by.
func (t *translator) orderBy(sorted []sortKey) (s string) {
	for i, k := range sorted {
		s += map[bool]string{true: " ORDER BY ", false: ", "}[i == 0] + t.ordered(k)
	}
	return s
}

// selected returns what of each row is asked for.
func (t *translator) selected(req Request, from Sources, s *Statement) (selected []string) {
	q := req.Query
	if s.Whole = from.Of[q.Set.Name].Kept && !req.Apart && whole(q); s.Whole {
		selected = append(selected, row+"."+Members)
		for _, name := range from.Of[q.Set.Name].Differing {
			p := q.Row.Property(name)
			selected = append(selected, t.columns[p].sql)
			s.Columns = append(s.Columns, Column{p.Name, p.Type, false})
		}
	} else {
		for _, p := range Shown(q) {
			selected = append(selected, t.shown(t.columns[p].sql, isWideColumn(p)))
			s.Columns = append(s.Columns, Column{p.Name, p.Type, isWideColumn(p)})
		}
	}
	s.shown = len(s.Columns)
	return selected
}

// Count translates a request for how many rows there are before $skip and $top.
func (d Dialect) Count(from Sources, req Request) Statement {
	t, r := d.begin(from, req)
	return Statement{Query: "SELECT count(*)" + r.text(), With: r.with, Args: t.args}
}

// begin translates what leads to the rows that are to be ordered, counted or shown.
func (d Dialect) begin(from Sources, req Request) (*translator, *rows) {
	t, r := d.opened(from, req)
	if req.Path != nil {
		for _, c := range t.reached(req.Path, row) {
			r.keepIf(c)
		}
	}
	t.narrowed(req.Query, r)
	return t, r
}

// narrowed does what a query asks of rows before it orders them.
func (t *translator) narrowed(q *odata.Query, r *rows) {
	t.through(q, r)
	if q.Search != nil {
		r.keepIf(t.search(q.Search, row))
	}
	if q.Filter != nil {
		r.keepIf(t.condition(q.Filter, false))
	}
}

// opened returns the rows of the source, and a translator that knows their columns.
func (d Dialect) opened(from Sources, req Request) (*translator, *rows) {
	t := &translator{Dialect: d, given: from.Args, sources: from, columns: map[*odata.Property]column{},
		lambdas: map[*odata.Lambda]string{}}
	for _, p := range req.Query.Set.Properties {
		t.columns[p] = column{row + "." + columns[p], 1}
	}
	return t, &rows{from: from.Of[req.Query.Set.Name].Name}
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

// limit returns how many rows the page has at most; -1 is as many as there are.
func (r Request) limit() int64 {
	limit := cmp.Or(r.Limit, -1)
	if top := r.Query.Top; top != nil {
		if left := max(0, *top-r.Given); limit < 0 || left < limit {
			return left
		}
	}
	return limit
}

// limit writes how many rows a page has, and how many are skipped before the first one.
func (t *translator) limit(req Request) string {
	limit, skip := req.limit(), req.Query.Skip
	if req.After != nil {
		skip = 0
	}
	s := ""
	if limit >= 0 || skip > 0 && !t.postgres {
		s = fmt.Sprintf(" LIMIT %d", limit)
	}
	if skip > 0 {
		s += fmt.Sprintf(" OFFSET %d", skip)
	}
	return s
}

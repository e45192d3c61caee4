package query

import (
	"encoding/json"
	"fmt"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report/odata"
)

// Linked asks, instead of for all rows of a set, for those that a navigation property leads to from
// several rows at once: Request.Limit and the query's Top and Skip count for each of these alone.
type Linked struct {
	By   *odata.Navigation
	From [][]any // of each row the values of what the navigation property is on, see Row.Leads
}

// Linked translates a request for linked rows: those of the first row that they are linked to come
// first, each lot in the order of the query.
func (d Dialect) Linked(from Sources, req Request) Statement {
	t, r, origin := d.linked(from, req)
	q := req.Query
	var s Statement
	selected := t.selected(req, from, &s)
	sorted := t.sorted(q, &s, &selected)
	t.leading(q, &s, &selected)
	s.origin = len(s.Columns)
	s.Columns = append(s.Columns, Column{"", odata.Type{Kind: odata.Int64}, false})
	place, by := t.name(), make([]string, len(sorted))
	for i, k := range sorted {
		by[i] = t.ordered(k)
	}
	selected = append(selected, row+"."+origin,
		"row_number() OVER (PARTITION BY "+row+"."+origin+" ORDER BY "+strings.Join(by, ", ")+") AS "+place)
	s.Columns = append(s.Columns, Column{"", odata.Type{Kind: odata.Int64}, false})
	s.Query = "SELECT * FROM (SELECT " + strings.Join(selected, ", ") + r.text() + ") AS " + row
	conditions := []string{fmt.Sprintf("(%s.%s > %d)", row, place, q.Skip)}
	if limit := req.limit(); limit >= 0 {
		conditions = append(conditions, fmt.Sprintf("(%s.%s - %d <= %d)", row, place, q.Skip, limit))
	}
	s.Query += " WHERE " + joined(" AND ", conditions) + " ORDER BY " + row + "." + origin + ", " + row + "." + place
	s.With, s.Args = r.with, t.args
	return s
}

// LinkedCounts translates a request for how many linked rows there are before $skip and $top. The
// answer has two columns: which row they are linked to, from 0, and how many there are, if there are any.
func (d Dialect) LinkedCounts(from Sources, req Request) Statement {
	t, r, origin := d.linked(from, req)
	return Statement{Query: "SELECT " + row + "." + origin + ", count(*)" + r.text() + " GROUP BY 1",
		With: r.with, Args: t.args}
}

// linked translates what leads to linked rows that are to be shown or counted. Their column origin says
// which row they are linked to.
func (d Dialect) linked(from Sources, req Request) (t *translator, r *rows, origin string) {
	t, r = d.opened(from, req)
	origin = t.name()
	links, on := t.links(req.Linked, origin)
	r.from = "(SELECT " + row + ".*, m." + origin + " FROM (" + links + ") AS m CROSS JOIN " + r.from + " AS " + row +
		" WHERE " + joined(" AND ", on) + ")"
	t.narrowed(req.Query, r)
	return t, r, origin
}

// links returns a query for what links start from, with the number of each row as origin, and the
// conditions under which rows are linked.
func (t *translator) links(l *Linked, origin string) (query string, on []string) {
	doc, err := json.Marshal(append([][]any{}, l.From...)) // a list, also of nothing
	if err != nil {                                        // texts and integers can always be written
		panic(err)
	}
	list := t.bind(string(doc), "jsonb")
	selected, from := "key AS "+origin, " FROM json_each("+list+")"
	if t.postgres {
		selected = "o - 1 AS " + origin
		from = " FROM jsonb_array_elements(" + list + ") WITH ORDINALITY AS a(value, o)"
	}
	for i, name := range l.By.On {
		p := l.By.Target.Named(name)
		value := fmt.Sprintf("json_extract(value, '$[%d]')", i)
		if t.postgres {
			as := "bigint"
			if isText(p.Type.Kind) {
				as = "text"
			}
			value = fmt.Sprintf("(value #>> '{%d}')::%s", i, as)
		}
		k := t.name()
		selected += ", " + value + " AS " + k
		on = append(on, "("+row+"."+columns[p]+" = m."+k+")")
	}
	return "SELECT " + selected + from, on
}

// leading adds to what is selected the values of what the expanded navigation properties are on.
func (t *translator) leading(q *odata.Query, s *Statement, selected *[]string) {
	for _, e := range q.Expand {
		var at []int
		for _, name := range e.Navigation.On {
			p := q.Set.Named(name)
			at = append(at, len(s.Columns))
			s.Columns = append(s.Columns, Column{"", p.Type, false})
			*selected = append(*selected, t.columns[p].sql)
		}
		s.leads = append(s.leads, at)
	}
}

// Leads returns from where the navigation property of Query.Expand[i] leads: the row's values of what it
// is on.
func (r Row) Leads(i int) []any {
	return gangway.Each(r.statement.leads[i], func(at int) any { return r.values[at] })
}

// Origin returns which of the rows that a linked row is linked to, from 0.
func (r Row) Origin() int {
	n, _ := r.values[r.statement.origin].(int64)
	return int(n)
}

// Package odatatest answers OData queries over rows in memory, in the plainest
// way: what the databases answer is held against it. It follows the meanings
// that package odata documents, and shares no code with its translation.
package odatatest

import (
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report/odata"
)

// Record is a row: values by the names of properties. A value is nil, a bool, a
// string, a time.Time for dates and instants, and for numbers, times of day and
// durations an int64 as the kinds of odata say, or a *big.Int where it was
// calculated.
type Record map[string]any

// Data is what can be asked about. NewData makes it.
type Data struct {
	Rows  map[*odata.EntitySet][]Record
	links map[*odata.Navigation]map[string][]Record // the target's rows by what they are linked on
}

// NewData returns the rows of sets as Data.
func NewData(rows map[*odata.EntitySet][]Record) Data {
	return Data{rows, map[*odata.Navigation]map[string][]Record{}}
}

// Linked returns the rows that a navigation property leads to from r.
func (d Data) Linked(n *odata.Navigation, r Record) []Record {
	if d.links[n] == nil {
		d.links[n] = map[string][]Record{}
		for _, to := range d.Rows[n.Target] {
			d.links[n][on(n, to)] = append(d.links[n][on(n, to)], to)
		}
	}
	return d.links[n][on(n, r)]
}

// on returns what a row is linked on; a null is like no other.
func on(n *odata.Navigation, r Record) string {
	values := make([]string, len(n.On))
	for i, name := range n.On {
		if values[i] = fmt.Sprintf("%q", fmt.Sprint(r[name])); r[name] == nil {
			values[i] = fmt.Sprintf("null of %p", r)
		}
	}
	return strings.Join(values, " ")
}

// Result is the answer to a query.
type Result struct {
	// Rows have the properties of Select, and by the names of navigation
	// properties what was expanded: a Result, or an int for its count.
	Rows  []Record
	Count int // how many rows there were before Skip and Top
}

// Answer returns what the query asks of all rows of its set.
func (d Data) Answer(q *odata.Query) Result { return d.AnswerOver(q, d.Rows[q.Set]) }

// AnswerOver returns what the query asks of the rows.
func (d Data) AnswerOver(q *odata.Query, rows []Record) Result {
	rows = slices.Clone(rows)
	for _, s := range q.Apply {
		rows = d.transform(s, rows)
	}
	if q.Compute != nil {
		rows = d.compute(q.Compute, rows)
	}
	if q.Search != nil {
		rows = keep(rows, func(r Record) bool { return matches(q.Search, q.Row, r) })
	}
	if q.Filter != nil {
		rows = keep(rows, func(r Record) bool { return d.Value(q.Filter, r) == true })
	}
	d.sortRows(rows, q.OrderBy)
	res := Result{Count: len(rows)}
	rows = rows[min(q.Skip, int64(len(rows))):]
	if q.Top != nil {
		rows = rows[:min(*q.Top, int64(len(rows)))]
	}
	for _, r := range rows {
		res.Rows = append(res.Rows, d.shape(q, r))
	}
	return res
}

// shape returns the properties of r that are asked for, and what it leads to.
func (d Data) shape(q *odata.Query, r Record) Record {
	chosen := q.Select
	if chosen == nil {
		chosen = q.Row.Properties
	}
	out := Record{}
	for _, p := range chosen {
		out[p.Name] = normal(r[p.Name])
	}
	for _, e := range q.Expand {
		related := d.AnswerOver(e.Query, d.Linked(e.Navigation, r))
		switch e.Form {
		case odata.ExpandRows:
			out[e.Navigation.Name] = related
		case odata.ExpandReferences:
			related.Rows = references(e.Navigation.Target, related.Rows)
			out[e.Navigation.Name] = related
		case odata.ExpandCount:
			out[e.Navigation.Name] = related.Count
		}
	}
	return out
}

// references returns nothing but the keys of rows.
func references(of *odata.EntitySet, rows []Record) []Record {
	out := make([]Record, len(rows))
	for i, r := range rows {
		out[i] = Record{}
		for _, k := range of.Key {
			out[i][k.Name] = r[k.Name]
		}
	}
	return out
}

func keep(rows []Record, ok func(Record) bool) []Record {
	return slices.DeleteFunc(rows, func(r Record) bool { return !ok(r) })
}

// sortRows sorts by each order in turn.
func (d Data) sortRows(rows []Record, by []odata.Order) {
	type keyed struct {
		r    Record
		keys []any
	}
	all := make([]keyed, len(rows))
	for i, r := range rows {
		all[i].r = r
		for _, o := range by {
			all[i].keys = append(all[i].keys, d.Value(o.By, r))
		}
	}
	slices.SortStableFunc(all, func(a, b keyed) int {
		for i, o := range by {
			c := order(a.keys[i], b.keys[i])
			if o.Descending {
				c = -c
			}
			if c != 0 {
				return c
			}
		}
		return 0
	})
	for i := range all {
		rows[i] = all[i].r
	}
}

// matches reports whether a row fulfils an expression of $search.
func matches(s odata.Search, row *odata.Row, r Record) bool {
	switch s := s.(type) {
	case odata.SearchNot:
		return !matches(s.X, row, r)
	case odata.SearchAll:
		for _, t := range s.Terms {
			if matches(t, row, r) == s.Any {
				return s.Any
			}
		}
		return !s.Any
	case odata.SearchTerm:
		term := gangway.Fold(s.Text)
		return term == "" || slices.ContainsFunc(row.Properties, func(p *odata.Property) bool {
			text, ok := r[p.Name].(string)
			return ok && p.Searchable && strings.Contains(gangway.Fold(text), term)
		})
	}
	panic("an unknown kind of search")
}

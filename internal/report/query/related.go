package query

import (
	"fmt"
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report"
	"gangway/internal/report/odata"
)

// Sets lists the sets whose rows a request looks at, the one that is asked first.
func (r Request) Sets() []report.Set {
	all := []*odata.EntitySet{r.Query.Set}
	add := func(set *odata.EntitySet) {
		if !slices.Contains(all, set) {
			all = append(all, set)
		}
	}
	if r.Path != nil {
		for _, s := range r.Path.Steps {
			add(s.Navigation.Target)
		}
		add(r.Path.Set)
	}
	for _, n := range related(r.Query) {
		add(n.Target)
	}
	return gangway.Each(all, func(e *odata.EntitySet) report.Set { return sets[e] })
}

// related are the navigation properties that the expressions of a query use.
func related(q *odata.Query) (all []*odata.Navigation) {
	eachNode(q, func(e odata.Expr) {
		switch e := e.(type) {
		case *odata.Lambda:
			all = append(all, e.Navigation)
		case *odata.RelatedCount:
			all = append(all, e.Navigation)
		case *odata.Ref:
			if e.Via != nil {
				all = append(all, e.Via)
			}
		}
	})
	return all
}

// eachNode calls do for each node of a query's expressions.
func eachNode(q *odata.Query, do func(odata.Expr)) {
	var look func(e odata.Expr)
	look = func(e odata.Expr) {
		do(e)
		for _, x := range odata.Children(e) {
			look(x)
		}
	}
	for _, e := range expressions(q) {
		look(e)
	}
}

// expressions are those of a query.
func expressions(q *odata.Query) (all []odata.Expr) {
	computed := func(list []odata.Computed) {
		for _, c := range list {
			all = append(all, c.By)
		}
	}
	for _, s := range q.Apply {
		switch s := s.(type) {
		case *odata.FilterStage:
			all = append(all, s.By)
		case *odata.ComputeStage:
			computed(s.Computed)
		case *odata.GroupStage:
			for _, a := range s.Aggregates {
				if a.Of != nil {
					all = append(all, a.Of)
				}
			}
		}
	}
	computed(q.Compute)
	if q.Filter != nil {
		all = append(all, q.Filter)
	}
	for _, o := range q.OrderBy {
		all = append(all, o.By)
	}
	return all
}

// alias returns a name for the rows of a query within the query.
func (t *translator) alias() string {
	t.named++
	return fmt.Sprintf("x%d", t.named)
}

// of returns what the rows are called that a Lambda looks at; the row itself for nil.
func (t *translator) of(l *odata.Lambda) string {
	if l == nil {
		return row
	}
	return t.lambdas[l]
}

// linked returns what follows SELECT … for the rows that a navigation property leads to from rows
// of a set: they are called by the alias to, those that they start from by from.
func (t *translator) linked(n *odata.Navigation, from, to string) string {
	on := make([]string, len(n.On))
	for i, name := range n.On {
		c := columns[n.Target.Named(name)]
		on[i] = to + "." + c + " = " + from + "." + c
	}
	return " FROM " + t.sources.Of[n.Target.Name].Name + " AS " + to + " WHERE " + strings.Join(on, " AND ")
}

// ref returns a property of the row, of that of a Lambda, or of the one that one of these leads to.
func (t *translator) ref(e *odata.Ref) string {
	from := t.of(e.Of)
	switch {
	case e.Via != nil:
		to := t.alias()
		return "(SELECT " + to + "." + columns[e.Property] + t.linked(e.Via, from, to) + ")"
	case e.Of != nil:
		return from + "." + columns[e.Property]
	}
	return t.columns[e.Property].sql
}

// lambda returns whether a condition is true for any of the rows, or for all of them.
func (t *translator) lambda(e *odata.Lambda) string {
	to := t.alias()
	s := "SELECT 1" + t.linked(e.Navigation, t.of(e.Of), to)
	if e.If != nil {
		t.lambdas[e] = to
		condition := t.condition(e.If, e.All)
		if e.All {
			condition = "(NOT coalesce(" + condition + ", " + truth(false) + "))"
		}
		s += " AND " + condition
	}
	if e.All {
		return "(NOT EXISTS (" + s + "))"
	}
	return "(EXISTS (" + s + "))"
}

// relatedCount returns how many rows a navigation property leads to.
func (t *translator) relatedCount(e *odata.RelatedCount) string {
	to := t.alias()
	s := "SELECT count(*)" + t.linked(e.Navigation, t.of(e.Of), to)
	if e.Some != nil {
		t.lambdas[e.Some] = to
		s += " AND " + t.condition(e.Some.If, false)
	}
	if e.Search != nil {
		s += " AND " + t.search(e.Search, to)
	}
	return "(" + s + ")"
}

// reached returns conditions that the rows called by an alias fulfil if a path leads to them.
func (t *translator) reached(p *odata.Path, alias string) (all []string) {
	set, key := p.Set, p.Key
	if n := len(p.Steps); n > 0 {
		last := p.Steps[n-1]
		set, key = last.Navigation.Target, last.Key
		from, parent := t.alias(), p.Parent()
		of, is := parent.Target(), make([]string, len(last.Navigation.On))
		selected := make([]string, len(is))
		for i, name := range last.Navigation.On {
			is[i] = alias + "." + columns[set.Named(name)]
			selected[i] = from + "." + columns[of.Named(name)]
		}
		in := "SELECT " + strings.Join(selected, ", ") + " FROM " + t.sources.Of[of.Name].Name + " AS " + from
		if there := t.reached(parent, from); len(there) > 0 {
			in += " WHERE " + strings.Join(there, " AND ")
		}
		all = append(all, "(("+strings.Join(is, ", ")+") IN ("+in+"))")
	}
	for i, l := range key {
		if l != nil {
			all = append(all, "("+alias+"."+columns[set.Key[i]]+" = "+t.literal(l, false)+")")
		}
	}
	return all
}

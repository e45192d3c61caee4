package query

import (
	"net/http"
	"slices"

	"gangway/internal/report/odata"
)

// For returns what a request asks of a set. The error is as of Supported.
func For(r *odata.Request) (Request, error) {
	if n := r.Path.Navigation; n != nil {
		return Request{}, related("", n)
	}
	return Request{Query: r.Query, Key: r.Path.Key}, Supported(r.Query)
}

// Supported returns an *odata.Error if a query searches rows without texts that are searched, or asks
// for rows of other sets that rows lead to, by $expand or within an expression: statements know the
// rows of one set. The tree, and the evaluator in memory, know others already.
func Supported(q *odata.Query) error {
	for _, e := range q.Expand {
		return related("$expand", e.Navigation)
	}
	if q.Search != nil && !slices.ContainsFunc(q.Set.Properties, func(p *odata.Property) bool { return p.Searchable }) {
		return &odata.Error{Status: http.StatusNotImplemented, Option: "$search",
			Message: "rows of " + q.Set.Name + " cannot be searched; contains in $filter looks at a property"}
	}
	for _, part := range parts(q) {
		if err := ofItself(part.option, part.by); err != nil {
			return err
		}
	}
	return nil
}

// A part is an expression of a query.
type part struct {
	option string
	by     odata.Expr
}

// parts are all expressions of a query.
func parts(q *odata.Query) (all []part) {
	computed := func(option string, list []odata.Computed) {
		for _, c := range list {
			all = append(all, part{option, c.By})
		}
	}
	for _, s := range q.Apply {
		switch s := s.(type) {
		case *odata.FilterStage:
			all = append(all, part{"$apply", s.By})
		case *odata.ComputeStage:
			computed("$apply", s.Computed)
		case *odata.GroupStage:
			for _, a := range s.Aggregates {
				if a.Of != nil {
					all = append(all, part{"$apply", a.Of})
				}
			}
		}
	}
	computed("$compute", q.Compute)
	if q.Filter != nil {
		all = append(all, part{"$filter", q.Filter})
	}
	for _, o := range q.OrderBy {
		all = append(all, part{"$orderby", o.By})
	}
	return all
}

// ofItself returns an error unless an expression is about the row alone.
func ofItself(option string, e odata.Expr) error {
	switch e := e.(type) {
	case *odata.Lambda:
		return related(option, e.Navigation)
	case *odata.RelatedCount:
		return related(option, e.Navigation)
	case *odata.Ref:
		if e.Via != nil {
			return related(option, e.Via)
		}
	}
	for _, x := range odata.Children(e) {
		if err := ofItself(option, x); err != nil {
			return err
		}
	}
	return nil
}

func related(option string, n *odata.Navigation) error {
	return &odata.Error{Status: http.StatusNotImplemented, Option: option, Target: n.Name,
		Message: "rows of " + n.Target.Name + " cannot be read through " + n.Name + " here"}
}

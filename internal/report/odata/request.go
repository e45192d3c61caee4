package odata

import (
	"maps"
	"net/http"
	"slices"
	"time"
)

// Request is a request, read and checked.
type Request struct {
	Path  *Path
	Query *Query // what is asked of Path.Target(); only Format is set where there is none
}

// Options are what reading a request depends on besides the request.
type Options struct {
	Limits Limits
	Now    time.Time // what now() is
}

// allowed lists which options go with what a path leads to; with collections go
// all. Behind /$count those that change no number have no effect (P 11.2.10).
var allowed = map[PathKind][]string{
	ServiceDocument:  {"$format"},
	Metadata:         {"$format"},
	Batch:            {"$format"},
	Entity:           {"$select", "$compute", "$expand", "$format"},
	PropertyResource: {"$format"},
	PropertyValue:    {"$format"},
}

// Parse reads a request. path is the part of the address behind the service
// root and query the part behind its question mark, both as they came; options
// in the body of /$query belong behind query and a &.
//
// Every error is an *Error. What it costs is bounded by the limits: the path and
// each byte of the query are looked at a fixed number of times.
func Parse(s *Schema, path, query string, o Options) (*Request, error) {
	return newReading(s, o).request(path, query)
}

func newReading(s *Schema, o Options) *reading {
	return &reading{schema: s, limits: o.Limits.withDefaults(), now: o.Now, parsed: map[aliasUse]*aliased{},
		open: map[string]bool{}}
}

func (r *reading) request(path, query string) (*Request, error) {
	if len(query) > r.limits.Length || len(path) > r.limits.Length {
		return nil, tooLong(r.limits.Length)
	}
	opts, err := readOptions(query)
	if err != nil {
		return nil, err
	}
	r.aliases = opts.aliases
	if v, there := opts.values["$schemaversion"]; there && v != "*" { // the model has one version, without a name
		return nil, errorf(http.StatusNotImplemented, "$schemaversion", "there is but one version here: *")
	}
	delete(opts.values, "$schemaversion")
	p, err := r.path(path)
	if err != nil {
		return nil, err
	}
	if may, limited := allowed[p.Kind]; limited {
		for _, option := range slices.Sorted(maps.Keys(opts.values)) {
			if !slices.Contains(may, option) {
				return nil, errorf(http.StatusBadRequest, option, "this option does not go with this resource")
			}
		}
	}
	if p.Refs {
		for _, option := range []string{"$select", "$compute", "$expand", "$apply"} {
			if _, there := opts.values[option]; there {
				return nil, errorf(http.StatusBadRequest, option, "this option does not go with $ref")
			}
		}
	}
	if p.Set == nil {
		q := &Query{}
		return &Request{p, q}, q.simple(opts.values)
	}
	q := r.query(p.Target(), len(p.Steps) > 0, opts.values)
	if r.err != nil {
		return nil, r.err
	}
	if p.Kind == Count && q.DeltaToken != "" {
		return nil, errorf(http.StatusNotImplemented, "$deltatoken", "changes cannot be counted here")
	}
	if p.Kind == Count {
		q.forCount()
	}
	if p.Refs {
		q.Select = p.Target().Key
	}
	return &Request{p, q}, nil
}

// forCount takes away what does not change the number of rows.
func (q *Query) forCount() {
	q.OrderBy, q.Top, q.Skip, q.Expand, q.Select, q.Count = nil, nil, 0, nil, nil, false
}

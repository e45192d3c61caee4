package web

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/gangway"
)

// An Audience is who may use an address.
type Audience string

const (
	// anybody: behind it is nothing of any account but what the request itself can prove
	Anybody  Audience = "anybody"
	Program  Audience = "program"  // a customer's program, with a key of the account
	Reader   Audience = "reader"   // a customer's program, with a report login of the account
	Supplier Audience = "supplier" // a supplier, which signs with a secret of the account
)

// People is everybody who is signed in and has a permission.
func People(right gangway.Permission) Audience { return Audience(right) }

// A Guarded is a handler behind the guard that lets its audience through.
type Guarded struct {
	For     Audience
	Handler http.Handler
}

// A Route is an address that a surface answers for one method, and who may use it.
type Route struct {
	Method, Path string // the path as http.ServeMux writes it, with {names}
	For          Audience
}

// A Table is the addresses of a surface. The zero value has none.
type Table struct {
	mux    http.ServeMux
	routes []Route
}

// Handle adds a line: pattern is a method and a path.
func (t *Table) Handle(pattern string, g Guarded) {
	method, path, ok := strings.Cut(pattern, " ")
	if !ok || g.For == "" {
		panic("a route is a method, a path and who may use it: " + pattern)
	}
	t.mux.Handle(pattern, g.Handler)
	t.routes = append(t.routes, Route{method, path, g.For})
}

// Otherwise says who answers where no line fits; Allowed tells it whether the method is to blame.
func (t *Table) Otherwise(h http.Handler) { t.mux.Handle("/", h) }

// ServeHTTP passes a request to the line that matches it.
func (t *Table) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() { NoteRoute(r.Context(), r.Pattern) }()
	t.mux.ServeHTTP(w, r)
}

// Routes returns the lines.
func (t *Table) Routes() []Route { return slices.Clone(t.routes) }

// Allowed returns the methods that the address of r answers; none where there is no such address.
func (t *Table) Allowed(r *http.Request) []string {
	var allow []string
	for _, line := range t.routes {
		if slices.Contains(allow, line.Method) {
			continue
		}
		trial := &http.Request{Method: line.Method, Host: r.Host, URL: r.URL}
		if _, pattern := t.mux.Handler(trial); pattern == "" || pattern == "/" {
			continue
		}
		allow = append(allow, line.Method)
		if line.Method == http.MethodGet {
			allow = append(allow, http.MethodHead)
		}
	}
	slices.Sort(allow)
	return allow
}

// PathOf returns the path of the line that shows a page, as in "/bookings/{id}", and "elsewhere" if none does.
func (t *Table) PathOf(page string) string {
	trial := &http.Request{Method: http.MethodGet, URL: &url.URL{Path: page}}
	if _, pattern := t.mux.Handler(trial); pattern != "" && pattern != "/" {
		_, path, _ := strings.Cut(pattern, " ")
		return path
	}
	return "elsewhere"
}

// Package describe tells integrators what the interface is: an OpenAPI document, the schemas of records, a page to
// read, and a collection for API clients, each made from one Surface.
//
// It decides nothing of what it tells: package api has the calls and the refusals as it answers them, and package wire
// the schemas as records are checked and written.
package describe

import (
	"net/http"
	"slices"
	"strings"

	"gangway/internal/schema"
)

// A Surface is everything that customers' programs call, what they are answered, and what they are called by.
type Surface struct {
	Base, App, Reporting string // addresses, without a slash at their end

	Schemas  schema.Properties
	Groups   []Group
	Refusals []Refusal
	Refused  []Parameter // headers that refusals may have besides their own
	Limits   []Limit
}

// A Group is calls that belong together, in reading order.
type Group struct {
	Name, About string
	Calls       []Call
}

// A Call is a request, by a customer's program or by ours.
type Call struct {
	ID     string // a word by which programs know it
	Spec   string // what the interface calls it, as in "A1"; empty: we added it
	Method string
	Path   string // behind the address of the surface that answers
	Server string // the address of another surface than the integration surface
	Ours   bool   // we are who calls: the path is the customer's

	Title, About string
	Open         bool // needs no key
	Parameters   []Parameter
	Headers      []Parameter
	Body         []Media // one for each form that the body may have; none: no body
	Answers      []Answer
	Refusals     []string // names of those that it may meet, besides those that every call may
	Faults       []Media  // how it is refused, if not by problem documents
}

// A Parameter is one of a query, or a header.
type Parameter struct {
	Name, About string
	Required    bool
	Example     string
	Schema      schema.Schema
}

// A Media is a form of a body.
type Media struct {
	Type     string
	Schema   *schema.Schema // nil: not written as JSON
	Examples []Example
}

// An Example is a body as it may be sent.
type Example struct {
	Name, About string
	Body        any
}

// text is the body as it is sent, for reading: what is no text is JSON.
func (e Example) text() string {
	if text, is := e.Body.(string); is {
		return text
	}
	return indented(schema.Write(e.Body))
}

// An Answer is what a call may be answered with, apart from refusals.
type Answer struct {
	Status  int
	About   string
	Headers []Parameter
	Body    []Media
}

// A Refusal is a problem document as it is answered.
type Refusal struct {
	Name, About string
	Status      int
	Header      http.Header
	Body        []byte
	Always      bool // any call may meet it
}

// A Limit is how much of something is taken.
type Limit struct{ What, Most string }

// refusalsOf returns the refusals that a call may meet, by status.
func (s Surface) refusalsOf(c Call) []Refusal {
	var list []Refusal
	for _, r := range s.Refusals {
		met := r.Always && !c.Ours && c.Server == ""
		if met && c.Open && r.Status == http.StatusUnauthorized {
			met = false
		}
		if met || slices.Contains(c.Refusals, r.Name) {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b Refusal) int { return a.Status - b.Status })
	return list
}

// SchemaPath returns the address of a record's schema, as in /schemas/travel-request.json.
func SchemaPath(name string) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte('-')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return "/schemas/" + b.String() + ".json"
}

// SchemaDocuments returns the schemas that have an address of their own, which are those of objects, by address.
func (s Surface) SchemaDocuments() map[string][]byte {
	docs := map[string][]byte{}
	for _, one := range s.Schemas {
		if one.Type == "object" && len(one.Properties) > 0 {
			path := SchemaPath(one.Name)
			docs[path] = schema.Write(s.Schemas.Alone(one.Name, s.Base+path))
		}
	}
	return docs
}

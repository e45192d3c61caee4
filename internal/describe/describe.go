// Package describe tells integrators what the interface is: an OpenAPI document, the schemas of records, a page to
// read, and a collection for API clients.
//
// It is all written in openapi.yaml, but for the records that customers send: their schemas are made of the tables
// that package gangway checks records by. Tests hold the document against what is answered, sent and received.
package describe

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/schema"
)

//go:embed openapi.yaml
var written string

// An Installation is what the description says of the installation that serves it.
type Installation struct {
	Base, App, Reporting string // addresses, without a slash at their end

	Records, Body, PerMinute, Answers int // limits, which errors name
	Limits                            []Limit
}

// A Limit is how much of something is taken.
type Limit struct{ What, Most string }

// A Surface is everything that customers' programs call, what they are answered, and what they are called by.
type Surface struct {
	Installation
	OpenAPI []byte // the document, version 3.1, in JSON

	groups   []*group
	schemas  schema.Properties
	refusals []*refusal
}

// A group is calls that belong together, in reading order.
type group struct {
	Name  string `json:"name"`
	About string `json:"description"`
	calls []*call
}

// A call is a request, by a customer's program or by ours.
type call struct {
	ID          string        `json:"operationId"`
	Title       string        `json:"summary"`
	About       string        `json:"description"`
	Tags        []string      `json:"tags"`
	Servers     []server      `json:"servers"`
	Security    *[]any        `json:"security"` // empty: needs no key
	Parameters  []parameter   `json:"parameters"`
	RequestBody content       `json:"requestBody"`
	Responses   list[*answer] `json:"responses"`
	Path        string        `json:"x-path"`

	Spec    string // what the interface calls it, as in "A1"; empty: we added it
	Method  string
	Ours    bool // we are who calls: the path is the customer's
	refused []*refusal
}

type server struct {
	URL string `json:"url"`
}

// A parameter is one of a query, or a header.
type parameter struct {
	Name     string        `json:"name"`
	In       string        `json:"in"`
	About    string        `json:"description"`
	Required bool          `json:"required"`
	Example  string        `json:"example"`
	Schema   schema.Schema `json:"schema"`
}

// A content is the forms that a body may have, by type.
type content struct {
	Content list[form] `json:"content"`
}

type form struct {
	Schema   *schema.Schema `json:"schema"` // nil: not written as JSON
	Examples list[example]  `json:"examples"`
}

// An example is a body as it may be sent.
type example struct {
	About string          `json:"summary"`
	Body  json.RawMessage `json:"value"`
	Ref   string          `json:"$ref"`
}

// text is the body as it is sent, for reading: what is no text is JSON.
func (e example) text() string {
	var text string
	if json.Unmarshal(e.Body, &text) == nil {
		return text
	}
	return indented(e.Body)
}

// An answer is what a call may be answered with.
type answer struct {
	content
	About  string `json:"description"`
	status int
}

// problems is the type of a refusal's body.
const problems = "application/problem+json"

// A refusal is a problem document, with the headers that go with it.
type refusal struct {
	About   string          `json:"summary"`
	Body    json.RawMessage `json:"value"`
	Headers list[string]    `json:"x-headers"`

	Name   string
	status int
}

// A list is an object of JSON whose members keep their order.
type list[T any] []named[T]

type named[T any] struct {
	Name string
	Is   T
}

// UnmarshalJSON reads l.
func (l *list[T]) UnmarshalJSON(doc []byte) error {
	return schema.EachMember(doc, func(name string, value json.RawMessage) error {
		one := named[T]{Name: name}
		err := json.Unmarshal(value, &one.Is)
		*l = append(*l, one)
		return err
	})
}

// Of describes the surface of an installation.
func Of(at Installation) *Surface {
	doc := whole(read(strings.NewReplacer("$BASE/", at.Base+"/", "$BASE", cmp.Or(at.Base, "/"),
		"$APP", cmp.Or(at.App, "/"), "$REPORTING", at.Reporting,
		"$RECORDS", strconv.Itoa(at.Records), "$BODY", strconv.Itoa(at.Body),
		"$PER_MINUTE", strconv.Itoa(at.PerMinute), "$ANSWERS", strconv.Itoa(at.Answers)).Replace(written)))
	s := &Surface{Installation: at, OpenAPI: schema.AsComponents(schema.Write(doc))}
	var parsed struct {
		Tags            []*group
		Paths, Webhooks list[list[*call]]
		Components      struct {
			Schemas  schema.Properties
			Examples list[*refusal]
		}
	}
	if err := json.Unmarshal(schema.AsLocal(s.OpenAPI), &parsed); err != nil {
		panic(err) // it is ours, and tests have read it
	}
	s.groups, s.schemas = parsed.Tags, parsed.Components.Schemas
	for _, r := range parsed.Components.Examples {
		r.Is.Name, r.Is.status = r.Name, statusOf(r.Is.Body)
		s.refusals = append(s.refusals, r.Is)
	}
	for _, item := range parsed.Paths {
		for _, c := range item.Is {
			c.Is.Path = item.Name
			s.add(c.Name, c.Is)
		}
	}
	for _, item := range parsed.Webhooks {
		for _, c := range item.Is {
			c.Is.Ours = true
			s.add(c.Name, c.Is)
		}
	}
	return s
}

var specified = regexp.MustCompile(`^(.*) \(((?:[AB][0-9](?:, )?)+)\)$`)

// add adds a call to its group.
func (s *Surface) add(method string, c *call) {
	c.Method = strings.ToUpper(method)
	if found := specified.FindStringSubmatch(c.About); found != nil {
		c.About, c.Spec = found[1], found[2]
	}
	for _, a := range c.Responses {
		a.Is.status, _ = strconv.Atoi(a.Name)
		for _, m := range a.Is.Content {
			for _, e := range m.Is.Examples {
				for _, r := range s.refusals {
					if m.Name == problems && strings.HasSuffix(e.Is.Ref, "/"+r.Name) {
						c.refused = append(c.refused, r)
					}
				}
			}
		}
	}
	for _, g := range s.groups {
		if slices.Contains(c.Tags, g.Name) {
			g.calls = append(g.calls, c)
		}
	}
}

// server is the address of another surface than the integration surface.
func (c *call) server() string {
	if len(c.Servers) == 0 {
		return ""
	}
	return c.Servers[0].URL
}

// Open reports whether a call needs no key.
func (c *call) Open() bool { return c.Security != nil && !c.Ours }

// in returns the parameters of a query, or the headers.
func (c *call) in(where string) (found []parameter) {
	for _, p := range c.Parameters {
		if p.In == where {
			found = append(found, p)
		}
	}
	return found
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
func (s *Surface) SchemaDocuments() map[string][]byte {
	docs := map[string][]byte{}
	for _, one := range s.schemas {
		if one.Type == "object" && len(one.Properties) > 0 {
			path := SchemaPath(one.Name)
			docs[path] = schema.Write(s.schemas.Alone(one.Name, s.Base+path))
		}
	}
	return docs
}

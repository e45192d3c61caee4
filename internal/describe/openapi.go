package describe

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/schema"
)

type object = schema.Object

// about begins the document and the page.
const about = "Crew travel: travellers, travel requests and crew changes go in, bookings come out."

// OpenAPI returns the surface as an OpenAPI document, version 3.1.
func (s Surface) OpenAPI() []byte {
	var tags []any
	paths, hooks := object{}, object{}
	for _, g := range s.Groups {
		tags = append(tags, of("name", g.Name, "description", g.About))
		for _, c := range g.Calls {
			to, at := &paths, c.Path
			if c.Ours {
				to, at = &hooks, c.ID
			}
			*to = add(*to, at, strings.ToLower(c.Method), s.operation(g, c))
		}
	}
	doc := of(
		"openapi", "3.1.0",
		"info", of("title", "Gangway", "version", "1", "summary", about,
			"description", "The same to read: "+s.Base+"/reference. The report (A7) is OData and describes itself: "+
				s.Reporting+"/v2/odata/$metadata. An address that is not there is answered with 404, and a method "+
				"that an address does not answer with 405 and Allow: problems like all others (see no_address and "+
				"another_method).",
			"license", of("name", "Apache-2.0", "identifier", "Apache-2.0")),
		"servers", []any{of("url", cmp.Or(s.Base, "/"))},
		"security", []any{of("key", []any{})},
		"tags", tags,
		"paths", paths,
		"webhooks", hooks,
		"components", of(
			"securitySchemes", of("key", of("type", "apiKey", "in", "header", "name", "X-Api-Key",
				"description", "A key of one account: gw_live_… of production, gw_test_… of development.")),
			"schemas", s.Schemas,
			"examples", s.examples(),
		))
	return schema.AsComponents(schema.Write(doc))
}

// add puts an operation below an address, beside those that are there.
func add(paths object, at, method string, operation object) object {
	i := slices.IndexFunc(paths, func(m schema.Member) bool { return m.Name == at })
	if i < 0 {
		return paths.With(at, of(method, operation))
	}
	paths[i].Value = paths[i].Value.(object).With(method, operation)
	return paths
}

// examples are those of refusals, each of which stands in many operations.
func (s Surface) examples() object {
	list := object{}
	for _, r := range s.Refusals {
		list = list.With(r.Name, of("summary", r.About, "value", json.RawMessage(r.Body)))
	}
	return list
}

func (s Surface) operation(g Group, c Call) object {
	o := of("operationId", c.ID, "tags", []string{g.Name}, "summary", c.Title, "description", c.about())
	switch {
	case c.Server != "":
		o = o.With("servers", []any{of("url", c.Server)}).With("security", []any{})
	case c.Open, c.Ours:
		o = o.With("security", []any{})
	}
	var parameters []any
	for _, p := range c.Parameters {
		parameters = append(parameters, p.object("query"))
	}
	for _, p := range c.Headers {
		parameters = append(parameters, p.object("header"))
	}
	if parameters != nil {
		o = o.With("parameters", parameters)
	}
	if c.Body != nil {
		o = o.With("requestBody", of("required", true, "content", content(c.Body)))
	}
	return o.With("responses", s.responses(c))
}

func (c Call) about() string {
	if c.Spec == "" {
		return c.About
	}
	return c.About + " (" + c.Spec + ")"
}

func (p Parameter) object(in string) object {
	o := of("name", p.Name, "in", in, "description", p.About, "schema", p.Schema)
	if p.Required {
		o = o.With("required", true)
	}
	if p.Example != "" {
		o = o.With("example", p.value())
	}
	return o
}

// value is the example as the schema has it.
func (p Parameter) value() any {
	if n, err := strconv.Atoi(p.Example); err == nil && p.Schema.Type == "integer" {
		return n
	}
	return p.Example
}

func content(forms []Media) object {
	list := object{}
	for _, m := range forms {
		o := object{}
		if m.Schema != nil {
			o = o.With("schema", *m.Schema)
		}
		if len(m.Examples) > 0 {
			examples := object{}
			for _, e := range m.Examples {
				examples = examples.With(e.Name, of("summary", e.About, "value", e.Body))
			}
			o = o.With("examples", examples)
		}
		list = list.With(m.Type, o)
	}
	return list
}

func (s Surface) responses(c Call) object {
	list := object{}
	for _, a := range c.Answers {
		o := of("description", a.About)
		if len(a.Headers) > 0 {
			o = o.With("headers", headers(a.Headers))
		}
		if a.Body != nil {
			o = o.With("content", content(a.Body))
		}
		list = list.With(strconv.Itoa(a.Status), o)
	}
	for _, met := range byStatus(s.refusalsOf(c)) {
		examples := object{}
		var sent []Parameter
		if !c.Ours && c.Server == "" {
			sent = slices.Clone(s.Refused)
		}
		for _, r := range met {
			examples = examples.With(r.Name, of("$ref", "#/components/examples/"+r.Name))
			for name := range r.Header {
				if !slices.ContainsFunc(sent, func(p Parameter) bool { return p.Name == name }) {
					sent = append(sent, Parameter{Name: name, About: headerWords[name],
						Schema: schema.Schema{Type: "string"}})
				}
			}
		}
		slices.SortFunc(sent, func(a, b Parameter) int { return strings.Compare(a.Name, b.Name) })
		o := of("description", http.StatusText(met[0].Status))
		if len(sent) > 0 {
			o = o.With("headers", headers(sent))
		}
		if c.Faults != nil {
			o = o.With("content", content(c.Faults))
		} else {
			o = o.With("content", of("application/problem+json",
				of("schema", schema.To("Problem"), "examples", examples)))
		}
		list = list.With(strconv.Itoa(met[0].Status), o)
	}
	return list
}

// headerWords say what the headers of refusals are.
var headerWords = map[string]string{
	"Accept":           "Which types of body are taken.",
	"Accept-Encoding":  "How a body may be compressed.",
	"Allow":            "Which methods the address answers.",
	"Retry-After":      "In how many seconds to ask again.",
	"Www-Authenticate": "How to say who you are.",
}

func headers(list []Parameter) object {
	o := object{}
	for _, p := range list {
		o = o.With(p.Name, of("description", p.About, "schema", p.Schema))
	}
	return o
}

// byStatus divides refusals, which are in the order of their statuses.
func byStatus(list []Refusal) (parts [][]Refusal) {
	for _, r := range list {
		if n := len(parts); n > 0 && parts[n-1][0].Status == r.Status {
			parts[n-1] = append(parts[n-1], r)
			continue
		}
		parts = append(parts, []Refusal{r})
	}
	return parts
}

// of returns an object with names and values by turns.
func of(pairs ...any) object {
	o := make(object, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		o = append(o, schema.Member{Name: pairs[i].(string), Value: pairs[i+1]})
	}
	return o
}

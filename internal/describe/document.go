package describe

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"

	"gangway/internal/schema"
	"gangway/internal/wire"

	"go.yaml.in/yaml/v3"
)

type object = schema.Object

// read reads the document that is written in YAML.
func read(text string) object {
	var doc yaml.Node
	if err := yaml.Unmarshal([]byte(text), &doc); err != nil {
		panic(err) // it is ours, and tests have read it
	}
	return valueOf(doc.Content[0]).(object)
}

// valueOf returns a value of YAML as it is written in JSON, with its members in order. Everything that is no number,
// true, false or null is a text: YAML would have dates as well.
func valueOf(n *yaml.Node) any {
	switch n.Kind {
	case yaml.AliasNode:
		return valueOf(n.Alias)
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			list = append(list, valueOf(item))
		}
		return list
	case yaml.MappingNode:
		o := object{}
		for i := 0; i < len(n.Content); i += 2 {
			name, value := n.Content[i].Value, valueOf(n.Content[i+1])
			if name != "<<" {
				o = o.With(name, value)
				continue
			}
			for _, m := range value.(object) { // those of another object, where it has none of its own
				if o.Of(m.Name) == nil {
					o = append(o, m)
				}
			}
		}
		return o
	}
	switch n.ShortTag() {
	case "!!int", "!!float", "!!bool", "!!null":
		return json.RawMessage(n.Value)
	}
	return n.Value
}

// whole returns the document with what is not written in it: the schemas of records, and the responses that x-refused
// and x-faults stand for.
func whole(doc object) object {
	components := doc.Of("components").(object)
	refusals := components.Of("examples").(object)
	schemas := object{}
	for _, one := range wire.Schemas() {
		schemas = append(schemas, schema.Member{Name: one.Name, Value: one.Schema})
	}
	schemas = append(schemas, components.Of("schemas").(object)...)
	paths := doc.Of("paths").(object)
	for i := range paths {
		item := paths[i].Value.(object)
		for j := range item {
			item[j].Value = answered(item[j].Value.(object), refusals)
		}
	}
	return doc.With("components", components.With("schemas", schemas))
}

// answered returns a call with a response for each status that it may be refused with.
func answered(call, refusals object) object {
	names, _ := call.Of("x-refused").([]any)
	byStatus := map[int]object{} // the refusals of each
	for _, name := range flat(names) {
		r := refusals.Of(name).(object)
		body := r.Of("value").(object)
		status, _ := strconv.Atoi(string(body.Of("status").(json.RawMessage)))
		byStatus[status] = append(byStatus[status], schema.Member{Name: name, Value: r})
	}
	responses := call.Of("responses").(object)
	for status := range 600 {
		if met := byStatus[status]; met != nil {
			responses = responses.With(strconv.Itoa(status), response(status, met, call.Of("x-faults")))
		}
	}
	return call.With("responses", responses).With("x-refused", nil).With("x-faults", nil)
}

// response is a call's of a status that refusals have. faults is how they are answered, if not by problem documents.
func response(status int, met object, faults any) object {
	headers := []string{"RateLimit", "RateLimit-Policy", "Request-Id"}
	examples := object{}
	for _, r := range met {
		examples = append(examples, schema.Member{Name: r.Name, Value: ref("examples", r.Name)})
		own, _ := r.Value.(object).Of("x-headers").(object)
		for _, h := range own {
			if !slices.Contains(headers, h.Name) {
				headers = append(headers, h.Name)
			}
		}
	}
	slices.Sort(headers)
	sent := object{}
	for _, name := range headers {
		sent = append(sent, schema.Member{Name: name, Value: ref("headers", name)})
	}
	if faults == nil {
		faults = of(problems, of("schema", schema.To("Problem"), "examples", examples))
	}
	return of("description", http.StatusText(status), "headers", sent, "content", faults)
}

func ref(kind, name string) object { return of("$ref", "#/components/"+kind+"/"+name) }

// flat returns the names in a list, and in the lists in it.
func flat(list []any) (names []string) {
	for _, item := range list {
		if name, is := item.(string); is {
			names = append(names, name)
		} else {
			names = append(names, flat(item.([]any))...)
		}
	}
	return names
}

// statusOf returns the status of a problem document.
func statusOf(body json.RawMessage) int {
	var problem struct{ Status int }
	_ = json.Unmarshal(body, &problem) // it is ours
	return problem.Status
}

// of returns an object with names and values by turns.
var of = schema.ObjectOf

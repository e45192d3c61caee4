package schema

import (
	"reflect"
	"strings"

	"encoding/json"

	"github.com/go-json-experiment/json/jsontext"
)

// A Describer makes schemas of Go types that are written as JSON.
type Describer struct {
	Words map[string]string       // what each member is, by its path, as in "segments.carrier"
	Types map[reflect.Type]Schema // of types that have more to say than their kind: words of a list, codes
	At    map[string]Schema       // of members that have more to say than their type, by path
}

// Of returns the schema of a type.
func (d Describer) Of(t reflect.Type) Schema { return d.of(t, "") }

func (d Describer) of(t reflect.Type, path string) Schema {
	s, ok := d.At[path]
	if !ok {
		s, ok = d.Types[t]
	}
	if !ok {
		s = d.ofKind(t, path)
	}
	s.Description = d.Words[path]
	return s
}

var raw = []reflect.Type{reflect.TypeFor[json.RawMessage](), reflect.TypeFor[jsontext.Value]()}

func (d Describer) ofKind(t reflect.Type, path string) Schema {
	switch t.Kind() {
	case reflect.String:
		return Schema{Type: "string"}
	case reflect.Bool:
		return Schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return Schema{Type: "integer"}
	case reflect.Slice:
		for _, r := range raw {
			if t == r {
				return Schema{Type: "number"} // amounts are the only values that are written already
			}
		}
		items := d.of(t.Elem(), path)
		items.Description = ""
		return Schema{Type: "array", Items: &items}
	case reflect.Map:
		each := d.of(t.Elem(), path)
		each.Description = ""
		return Schema{Type: "object", AdditionalProperties: &each}
	case reflect.Struct:
		return d.ofStruct(t, path)
	}
	panic("no schema for " + t.String() + " at " + path)
}

func (d Describer) ofStruct(t reflect.Type, path string) Schema {
	s := Schema{Type: "object"}
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if !strings.Contains(options, "omit") {
			s.Required = append(s.Required, name)
		}
		s.Properties = append(s.Properties, Property{name, d.of(field.Type, strings.TrimPrefix(path+"."+name, "."))})
	}
	return s
}

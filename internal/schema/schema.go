// Package schema is JSON Schemas (draft 2020-12) as values: what of them the interface needs, written in the order in
// which they were put together.
//
// It validates nothing. Package wire says what the records' schemas are, and packages api and describe use them.
package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Dialect names the draft that all schemas are written in.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// A Schema is a JSON Schema. A zero member is left out.
type Schema struct {
	Dialect              string     `json:"$schema,omitempty"`
	ID                   string     `json:"$id,omitempty"`
	Ref                  string     `json:"$ref,omitempty"` // as To writes it
	Title                string     `json:"title,omitempty"`
	Description          string     `json:"description,omitempty"`
	Deprecated           bool       `json:"deprecated,omitempty"`
	Type                 string     `json:"type,omitempty"`
	Format               string     `json:"format,omitempty"`
	Pattern              string     `json:"pattern,omitempty"`
	Enum                 []string   `json:"enum,omitempty"`
	MaxLength            int        `json:"maxLength,omitempty"`
	Minimum              int        `json:"minimum,omitempty"`
	Maximum              int        `json:"maximum,omitempty"`
	MinItems             int        `json:"minItems,omitempty"`
	MaxItems             int        `json:"maxItems,omitempty"`
	Items                *Schema    `json:"items,omitempty"`
	MaxProperties        int        `json:"maxProperties,omitempty"`
	PropertyNames        *Schema    `json:"propertyNames,omitempty"`
	Properties           Properties `json:"properties,omitempty"`
	PatternProperties    Properties `json:"patternProperties,omitempty"`
	AdditionalProperties *Schema    `json:"additionalProperties,omitempty"`
	Required             []string   `json:"required,omitempty"`
	AnyOf                []Schema   `json:"anyOf,omitempty"`
	Examples             []any      `json:"examples,omitempty"`
	Defs                 Properties `json:"$defs,omitempty"`
}

// A Property is a schema with the name of what it is about.
type Property struct {
	Name string
	Schema
}

// Properties are written as an object, in their order.
type Properties []Property

// MarshalJSON writes p.
func (p Properties) MarshalJSON() ([]byte, error) {
	var o Object
	for _, property := range p {
		o = append(o, Member{property.Name, property.Schema})
	}
	return o.MarshalJSON()
}

// UnmarshalJSON reads p.
func (p *Properties) UnmarshalJSON(doc []byte) error {
	return EachMember(doc, func(name string, value json.RawMessage) error {
		one := Property{Name: name}
		err := json.Unmarshal(value, &one.Schema)
		*p = append(*p, one)
		return err
	})
}

// EachMember calls read for each member of an object, in their order.
func EachMember(doc []byte, read func(name string, value json.RawMessage) error) error {
	d := json.NewDecoder(bytes.NewReader(doc))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if err := read(fmt.Sprint(name), value); err != nil {
			return err
		}
	}
	return nil
}

// Write writes a value that can always be written, without escaping < and >, which stand in no page.
func Write(value any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// Of returns the schema with a name; nil if there is none.
func (p Properties) Of(name string) *Schema {
	if i := slices.IndexFunc(p, func(property Property) bool { return property.Name == name }); i >= 0 {
		return &p[i].Schema
	}
	return nil
}

// local begins the references to schemas that stand beside each other.
const local = "#/$defs/"

// To returns a reference to the schema with a name.
func To(name string) Schema { return Schema{Ref: local + name} }

// Name returns the name that s refers to; empty if it does not refer to another.
func (s Schema) Name() string { return strings.TrimPrefix(s.Ref, local) }

// OrNull returns s for a member that may also be null, which counts as left out.
func (s Schema) OrNull() Schema { return Schema{AnyOf: []Schema{s, {Type: "null"}}} }

// Null reports whether s may be null.
func (s Schema) Null() bool {
	return slices.ContainsFunc(s.AnyOf, func(one Schema) bool { return one.Type == "null" })
}

// NotNull returns s without null: what a member is when it is there.
func (s Schema) NotNull() Schema {
	if !s.Null() || len(s.AnyOf) != 2 {
		return s
	}
	of := s.AnyOf[0]
	of.Description, of.Deprecated, of.Examples = s.Description, s.Deprecated, s.Examples
	return of
}

// refs calls visit for each name that s refers to, at any depth.
func (s Schema) refs(visit func(name string)) {
	if s.Ref != "" {
		visit(s.Name())
	}
	for _, list := range []Properties{s.Properties, s.PatternProperties, s.Defs} {
		for _, p := range list {
			p.refs(visit)
		}
	}
	for _, one := range []*Schema{s.Items, s.PropertyNames, s.AdditionalProperties} {
		if one != nil {
			one.refs(visit)
		}
	}
	for _, one := range s.AnyOf {
		one.refs(visit)
	}
}

// Alone returns the schema with a name as a document at an address: with everything in it that it refers to.
func (p Properties) Alone(name, id string) Schema {
	s := *p.Of(name)
	s.Dialect, s.ID = Dialect, id
	needed := map[string]bool{}
	var need func(name string)
	need = func(name string) {
		if !needed[name] {
			needed[name] = true
			p.Of(name).refs(need)
		}
	}
	s.refs(need)
	for _, one := range p {
		if needed[one.Name] {
			s.Defs = append(s.Defs, one)
		}
	}
	return s
}

// AsComponents returns a document with references to components of OpenAPI in place of those to schemas beside it.
func AsComponents(doc []byte) []byte {
	return bytes.ReplaceAll(doc, []byte(`"`+local), []byte(`"#/components/schemas/`))
}

// AsLocal returns a document of OpenAPI with its references to components as AsComponents was given them.
func AsLocal(doc []byte) []byte {
	return bytes.ReplaceAll(doc, []byte(`"#/components/schemas/`), []byte(`"`+local))
}

// An Object is written with its members in their order.
type Object []Member

// A Member is a value with its name.
type Member struct {
	Name  string
	Value any
}

// ObjectOf returns an object with names and values by turns.
func ObjectOf(pairs ...any) Object {
	o := make(Object, 0, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		o = append(o, Member{pairs[i].(string), pairs[i+1]})
	}
	return o
}

// MarshalJSON writes o.
func (o Object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(Write(m.Name))
		b.WriteByte(':')
		b.Write(Write(m.Value))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Of returns the value of a member; nil if there is none.
func (o Object) Of(name string) any {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// With returns o with a member that has another value; nil takes it away.
func (o Object) With(name string, value any) Object {
	i := slices.IndexFunc(o, func(m Member) bool { return m.Name == name })
	switch o = slices.Clone(o); {
	case value == nil && i < 0:
	case value == nil:
		return slices.Delete(o, i, i+1)
	case i >= 0:
		o[i].Value = value
	default:
		o = append(o, Member{name, value})
	}
	return o
}

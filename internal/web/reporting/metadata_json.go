package reporting

import (
	"bytes"
	"encoding/json"
	"strings"

	"gangway/internal/report/odata"
)

// json writes the model as CSDL JSON.
func (m model) json() []byte {
	references := object{}
	for _, v := range vocabularies {
		references = append(references, member{strings.TrimSuffix(v.at, "xml") + "json", object{{"$Include", []object{
			{{"$Namespace", v.namespace}, {"$Alias", v.alias}}}}}})
	}
	schema := object{}
	for _, set := range m.sets {
		schema = append(schema, member{set.Name, entityType(set)})
	}
	held := object{{"$Kind", "EntityContainer"}}
	for _, set := range m.sets {
		one := object{{"$Collection", true}, {"$Type", namespace + "." + set.Name}}
		held = append(held, member{set.Name, append(one, annotated(ofSet(set))...)})
	}
	schema = append(schema, member{container, append(held, annotated(ofContainer())...)})
	doc, err := json.MarshalIndent(object{
		{"$Version", m.version}, {"$Reference", references}, {"$EntityContainer", namespace + "." + container},
		{namespace, schema},
	}, "", "  ")
	if err != nil { // it is made of texts and lists
		panic(err)
	}
	return doc
}

// An object is a JSON object whose members have an order.
type object []member

type member struct {
	name  string
	value any
}

// MarshalJSON is part of json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(m.name)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// annotated returns annotations as members.
func annotated(all []annotation) (list object) {
	for _, a := range all {
		list = append(list, member{"@" + a.term, jsonValue(a.value)})
	}
	return list
}

func jsonValue(v any) any {
	switch v := v.(type) {
	case enumValue:
		return v.member
	case path:
		return object{{"$Path", string(v)}}
	case record:
		o := object{}
		for _, p := range v {
			o = append(o, member{p.term, jsonValue(p.value)})
		}
		return o
	}
	return v
}

// entityType describes the rows of a set. A property without a type is a text.
func entityType(set *odata.EntitySet) object {
	key := []string{}
	for _, k := range set.Key {
		key = append(key, k.Name)
	}
	o := object{{"$Kind", "EntityType"}, {"$Key", key}}
	for _, p := range set.Properties {
		one := object{}
		if p.Type.Kind != odata.String {
			one = append(one, member{"$Type", p.Type.Kind.String()})
		}
		if p.Nullable {
			one = append(one, member{"$Nullable", true})
		}
		for _, f := range facets(p.Type) {
			one = append(one, member{"$" + f.name, f.value})
		}
		o = append(o, member{p.Name, append(one, annotated(ofProperty(p))...)})
	}
	return o
}

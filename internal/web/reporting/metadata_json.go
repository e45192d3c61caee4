package reporting

import (
	"bytes"
	"encoding/json"
	"strings"

	"gangway/internal/gangway"
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
		schema = append(schema, member{set.Name, m.entityType(set)})
	}
	held := object{{"$Kind", "EntityContainer"}}
	for _, set := range m.sets {
		one := object{{"$Collection", true}, {"$Type", namespace + "." + set.Name}}
		bound := object{}
		for _, n := range set.Navigations {
			bound = append(bound, member{n.Name, n.Target.Name})
		}
		if len(bound) > 0 {
			one = append(one, member{"$NavigationPropertyBinding", bound})
		}
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
func annotated(all []annotation) object {
	return gangway.Each(all, func(a annotation) member { return member{"@" + a.term, jsonValue(a.value)} })
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
func (m model) entityType(set *odata.EntitySet) object {
	key := gangway.Each(set.Key, func(k *odata.Property) string { return k.Name })
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
	for _, n := range set.Navigations {
		o = append(o, member{n.Name, m.navigation(set, n)})
	}
	return o
}

// navigation describes what rows of a set lead to.
func (m model) navigation(set *odata.EntitySet, n *odata.Navigation) object {
	o := object{{"$Kind", "NavigationProperty"}, {"$Type", namespace + "." + n.Target.Name}}
	if n.Many {
		o = append(o, member{"$Collection", true})
	} else {
		o = append(o, member{"$Nullable", true})
	}
	if partner := set.Partner(n); partner != nil {
		o = append(o, member{"$Partner", partner.Name})
	}
	if m.isDependent(set, n) {
		same := object{}
		for _, name := range n.On {
			same = append(same, member{name, name})
		}
		o = append(o, member{"$ReferentialConstraint", same})
	}
	return o
}

package reporting

import (
	"encoding/json"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report/odata"
	"gangway/internal/schema"
)

// json writes the model as CSDL JSON.
func (m model) json() []byte {
	references := object{}
	for _, v := range vocabularies {
		references = append(references, of(strings.TrimSuffix(v.at, "xml")+"json",
			of("$Include", []object{of("$Namespace", v.namespace, "$Alias", v.alias)}))...)
	}
	sets := object{}
	for _, set := range m.sets {
		sets = append(sets, of(set.Name, m.entityType(set))...)
	}
	held := of("$Kind", "EntityContainer")
	for _, set := range m.sets {
		one := of("$Collection", true, "$Type", namespace+"."+set.Name)
		bound := object{}
		for _, n := range set.Navigations {
			bound = append(bound, of(n.Name, n.Target.Name)...)
		}
		if len(bound) > 0 {
			one = append(one, of("$NavigationPropertyBinding", bound)...)
		}
		held = append(held, of(set.Name, append(one, annotated(ofSet(set))...))...)
	}
	sets = append(sets, of(container, append(held, annotated(ofContainer())...))...)
	doc, err := json.MarshalIndent(of("$Version", m.version, "$Reference", references,
		"$EntityContainer", namespace+"."+container, namespace, sets), "", "  ")
	if err != nil { // it is made of texts and lists
		panic(err)
	}
	return doc
}

type object = schema.Object

// of returns an object with names and values by turns.
var of = schema.ObjectOf

// annotated returns annotations as members.
func annotated(all []annotation) object {
	return gangway.Each(all, func(a annotation) schema.Member {
		return schema.Member{Name: "@" + a.term, Value: jsonValue(a.value)}
	})
}

func jsonValue(v any) any {
	switch v := v.(type) {
	case enumValue:
		return v.member
	case path:
		return of("$Path", string(v))
	case record:
		o := object{}
		for _, p := range v {
			o = append(o, of(p.term, jsonValue(p.value))...)
		}
		return o
	}
	return v
}

// entityType describes the rows of a set. A property without a type is a text.
func (m model) entityType(set *odata.EntitySet) object {
	key := gangway.Each(set.Key, func(k *odata.Property) string { return k.Name })
	o := of("$Kind", "EntityType", "$Key", key)
	for _, p := range set.Properties {
		one := object{}
		if p.Type.Kind != odata.String {
			one = append(one, of("$Type", p.Type.Kind.String())...)
		}
		if p.Nullable {
			one = append(one, of("$Nullable", true)...)
		}
		for _, f := range facets(p.Type) {
			one = append(one, of("$"+f.name, f.value)...)
		}
		o = append(o, of(p.Name, append(one, annotated(ofProperty(p))...))...)
	}
	for _, n := range set.Navigations {
		o = append(o, of(n.Name, m.navigation(set, n))...)
	}
	return o
}

// navigation describes what rows of a set lead to.
func (m model) navigation(set *odata.EntitySet, n *odata.Navigation) object {
	o := of("$Kind", "NavigationProperty", "$Type", namespace+"."+n.Target.Name)
	if n.Many {
		o = append(o, of("$Collection", true)...)
	} else {
		o = append(o, of("$Nullable", true)...)
	}
	if partner := set.Partner(n); partner != nil {
		o = append(o, of("$Partner", partner.Name)...)
	}
	if m.isDependent(set, n) {
		same := object{}
		for _, name := range n.On {
			same = append(same, of(name, name)...)
		}
		o = append(o, of("$ReferentialConstraint", same)...)
	}
	return o
}

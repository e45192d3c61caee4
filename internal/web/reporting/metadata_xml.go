package reporting

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/report/odata"
)

// xml writes the model as CSDL XML.
func (m model) xml() []byte {
	doc := tag("edmx:Edmx", "Version", m.version, "xmlns:edmx", "http://docs.oasis-open.org/odata/ns/edmx")
	for _, v := range vocabularies {
		doc.add(tag("edmx:Reference", "Uri", v.at).add(tag("edmx:Include", "Namespace", v.namespace, "Alias", v.alias)))
	}
	schema := tag("Schema", "Namespace", namespace, "xmlns", "http://docs.oasis-open.org/odata/ns/edm")
	holds := tag("EntityContainer", "Name", container)
	for _, set := range m.sets {
		key, bound := tag("Key"), tag("EntitySet", "Name", set.Name, "EntityType", namespace+"."+set.Name)
		rows := tag("EntityType", "Name", set.Name).add(key)
		for _, k := range set.Key {
			key.add(tag("PropertyRef", "Name", k.Name))
		}
		for _, p := range set.Properties {
			property := tag("Property", "Name", p.Name, "Type", p.Type.Kind.String())
			if !p.Nullable {
				property.attributes = append(property.attributes, "Nullable", "false")
			}
			for _, f := range facets(p.Type) {
				property.attributes = append(property.attributes, f.name, fmt.Sprint(f.value))
			}
			rows.add(property.add(annotationTags(ofProperty(p))...))
		}
		for _, n := range set.Navigations {
			rows.add(m.navigationTag(set, n))
			bound.add(tag("NavigationPropertyBinding", "Path", n.Name, "Target", n.Target.Name))
		}
		schema.add(rows)
		holds.add(bound.add(annotationTags(ofSet(set))...))
	}
	schema.add(holds.add(annotationTags(ofContainer())...))
	var b bytes.Buffer
	b.WriteString(`<?xml version="1.0" encoding="utf-8"?>` + "\n")
	doc.add(tag("edmx:DataServices").add(schema)).write(&b, "")
	return b.Bytes()
}

// navigationTag describes what rows of a set lead to.
func (m model) navigationTag(set *odata.EntitySet, n *odata.Navigation) *xmlTag {
	leadsTo := namespace + "." + n.Target.Name
	if n.Many {
		leadsTo = "Collection(" + leadsTo + ")"
	}
	e := tag("NavigationProperty", "Name", n.Name, "Type", leadsTo)
	if partner := set.Partner(n); partner != nil {
		e.attributes = append(e.attributes, "Partner", partner.Name)
	}
	if m.isDependent(set, n) {
		for _, name := range n.On {
			e.add(tag("ReferentialConstraint", "Property", name, "ReferencedProperty", name))
		}
	}
	return e
}

// annotationTags are annotations as elements (X 14.2).
func annotationTags(all []annotation) []*xmlTag {
	return gangway.Each(all, func(a annotation) *xmlTag { return valueTag("Annotation", "Term", a) })
}

// valueTag returns an element that has a value, as an attribute if it is a simple one.
func valueTag(name, by string, a annotation) *xmlTag {
	e := tag(name, by, a.term)
	switch v := a.value.(type) {
	case string:
		e.attributes = append(e.attributes, "String", v)
	case bool:
		e.attributes = append(e.attributes, "Bool", fmt.Sprint(v))
	case int:
		e.attributes = append(e.attributes, "Int", fmt.Sprint(v))
	case path:
		e.attributes = append(e.attributes, "Path", string(v))
	case enumValue:
		e.attributes = append(e.attributes, "EnumMember", v.of+"/"+v.member)
	case list:
		all := tag("Collection")
		for _, one := range v {
			all.add(&xmlTag{name: "String", text: one})
		}
		e.add(all)
	case record:
		all := tag("Record")
		for _, p := range v {
			all.add(valueTag("PropertyValue", "Property", p))
		}
		e.add(all)
	}
	return e
}

// An xmlTag is an element with a text, or with others in it.
type xmlTag struct {
	name       string
	attributes []string // names and values by turns
	text       string
	content    []*xmlTag
}

func tag(name string, attributes ...string) *xmlTag {
	return &xmlTag{name: name, attributes: attributes}
}

func (e *xmlTag) add(content ...*xmlTag) *xmlTag {
	e.content = append(e.content, content...)
	return e
}

// write writes the element, a line for each in it.
func (e *xmlTag) write(b *bytes.Buffer, indent string) {
	b.WriteString(indent + "<" + e.name)
	for i := 0; i < len(e.attributes); i += 2 {
		b.WriteString(" " + e.attributes[i] + `="` + escapedXML(e.attributes[i+1]) + `"`)
	}
	switch {
	case e.text != "":
		b.WriteString(">" + escapedXML(e.text) + "</" + e.name + ">\n")
	case len(e.content) == 0:
		b.WriteString("/>\n")
	default:
		b.WriteString(">\n")
		for _, one := range e.content {
			one.write(b, indent+"  ")
		}
		b.WriteString(indent + "</" + e.name + ">\n")
	}
}

func escapedXML(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a builder takes everything
	return b.String()
}

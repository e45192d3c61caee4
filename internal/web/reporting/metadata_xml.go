package reporting

import (
	"bytes"
	"encoding/xml"
	"fmt"

	"gangway/internal/report/odata"
)

// xml writes the model as CSDL XML.
func (m model) xml() []byte {
	w := &xmlWriter{}
	w.WriteString(`<?xml version="1.0" encoding="utf-8"?>` + "\n")
	w.open("edmx:Edmx", "Version", m.version, "xmlns:edmx", "http://docs.oasis-open.org/odata/ns/edmx")
	for _, v := range vocabularies {
		w.open("edmx:Reference", "Uri", v.at)
		w.empty("edmx:Include", "Namespace", v.namespace, "Alias", v.alias)
		w.close("edmx:Reference")
	}
	w.open("edmx:DataServices")
	w.open("Schema", "Namespace", namespace, "xmlns", "http://docs.oasis-open.org/odata/ns/edm")
	for _, set := range m.sets {
		w.open("EntityType", "Name", set.Name)
		w.open("Key")
		for _, k := range set.Key {
			w.empty("PropertyRef", "Name", k.Name)
		}
		w.close("Key")
		for _, p := range set.Properties {
			attributes := []string{"Name", p.Name, "Type", p.Type.Kind.String()}
			if !p.Nullable {
				attributes = append(attributes, "Nullable", "false")
			}
			for _, f := range facets(p.Type) {
				attributes = append(attributes, f.name, fmt.Sprint(f.value))
			}
			w.open("Property", attributes...)
			for _, a := range ofProperty(p) {
				w.annotation(a)
			}
			w.close("Property")
		}
		for _, n := range set.Navigations {
			m.writeNavigation(w, set, n)
		}
		w.close("EntityType")
	}
	w.open("EntityContainer", "Name", container)
	for _, set := range m.sets {
		w.open("EntitySet", "Name", set.Name, "EntityType", namespace+"."+set.Name)
		for _, n := range set.Navigations {
			w.empty("NavigationPropertyBinding", "Path", n.Name, "Target", n.Target.Name)
		}
		for _, a := range ofSet(set) {
			w.annotation(a)
		}
		w.close("EntitySet")
	}
	for _, a := range ofContainer() {
		w.annotation(a)
	}
	w.close("EntityContainer")
	w.close("Schema")
	w.close("edmx:DataServices")
	w.close("edmx:Edmx")
	return w.Bytes()
}

// writeNavigation describes what rows of a set lead to.
func (m model) writeNavigation(w *xmlWriter, set *odata.EntitySet, n *odata.Navigation) {
	leadsTo := namespace + "." + n.Target.Name
	if n.Many {
		leadsTo = "Collection(" + leadsTo + ")"
	}
	attributes := []string{"Name", n.Name, "Type", leadsTo}
	if partner := set.Partner(n); partner != nil {
		attributes = append(attributes, "Partner", partner.Name)
	}
	if !m.isDependent(set, n) {
		w.empty("NavigationProperty", attributes...)
		return
	}
	w.open("NavigationProperty", attributes...)
	for _, name := range n.On {
		w.empty("ReferentialConstraint", "Property", name, "ReferencedProperty", name)
	}
	w.close("NavigationProperty")
}

// An xmlWriter writes elements, a line each.
type xmlWriter struct {
	bytes.Buffer
	depth int
}

// open begins an element with attributes: names and values by turns.
func (w *xmlWriter) open(name string, attributes ...string) {
	w.begin(name, attributes)
	w.WriteString(">\n")
	w.depth++
}

// empty writes an element without content.
func (w *xmlWriter) empty(name string, attributes ...string) {
	w.begin(name, attributes)
	w.WriteString("/>\n")
}

func (w *xmlWriter) begin(name string, attributes []string) {
	w.indent()
	w.WriteString("<" + name)
	for i := 0; i < len(attributes); i += 2 {
		w.WriteString(" " + attributes[i] + `="`)
		w.escaped(attributes[i+1])
		w.WriteString(`"`)
	}
}

func (w *xmlWriter) close(name string) {
	w.depth--
	w.indent()
	w.WriteString("</" + name + ">\n")
}

func (w *xmlWriter) indent() {
	for range w.depth {
		w.WriteString("  ")
	}
}

func (w *xmlWriter) escaped(text string) {
	_ = xml.EscapeText(&w.Buffer, []byte(text)) // a buffer takes everything
}

// annotation writes an annotation (X 14.2).
func (w *xmlWriter) annotation(a annotation) {
	w.valued("Annotation", "Term", a)
}

// valued writes an element that has a value, as an attribute if it is a simple one.
func (w *xmlWriter) valued(element, by string, a annotation) {
	switch v := a.value.(type) {
	case string:
		w.empty(element, by, a.term, "String", v)
	case bool:
		w.empty(element, by, a.term, "Bool", fmt.Sprint(v))
	case int:
		w.empty(element, by, a.term, "Int", fmt.Sprint(v))
	case path:
		w.empty(element, by, a.term, "Path", string(v))
	case enumValue:
		w.empty(element, by, a.term, "EnumMember", v.of+"/"+v.member)
	default:
		w.open(element, by, a.term)
		switch v := v.(type) {
		case list:
			w.open("Collection")
			for _, one := range v {
				w.indent()
				w.WriteString("<String>")
				w.escaped(one)
				w.WriteString("</String>\n")
			}
			w.close("Collection")
		case record:
			w.open("Record")
			for _, p := range v {
				w.valued("PropertyValue", "Property", p)
			}
			w.close("Record")
		}
		w.close(element)
	}
}

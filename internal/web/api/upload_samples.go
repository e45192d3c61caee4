package api

import (
	"encoding/csv"
	"maps"
	"slices"
	"strconv"
	"strings"

	"gangway/internal/accept"
	"gangway/internal/gangway"
	"gangway/internal/schema"
	"gangway/internal/store"
)

// sample is a record as its schema has it.
func (o operation) sample() schema.Object {
	sample, _ := schemas().Example(schema.To(o.schema)).(schema.Object)
	return sample
}

// sampleIn writes a record as an upload in a format that is text; empty: in one that is not.
func (o operation) sampleIn(as gangway.FormatKind, record schema.Object) string {
	var b strings.Builder
	switch as {
	case gangway.YAMLFormat:
		writeYAML(&b, "", []any{record})
	case gangway.CSVFormat:
		o.writeCSV(&b, record)
	case gangway.XMLFormat:
		b.WriteString("<" + o.record + "s>\n")
		writeXML(&b, "  ", o.record, record)
		b.WriteString("</" + o.record + "s>\n")
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// sampleMessage is the sample as a SOAP message that uploads it, and sampleAnswer what that is answered with.
func (o operation) sampleMessage(v soapVersion) string {
	var b strings.Builder
	b.WriteString("\n    <" + o.name + ` xmlns="` + soapSpace + "\">\n")
	writeXML(&b, "      ", o.record, o.sample())
	b.WriteString("    </" + o.name + ">\n")
	return string(v.envelope(b.String()))
}

func (o operation) sampleAnswer(v soapVersion) string {
	return string(v.response(o.name, accept.Receipt{Counts: store.Counts{Received: 1, Created: 1}}))
}

// membersOf returns the members of an object of a sample, and whether it is one.
func membersOf(value any) (schema.Object, bool) {
	switch value := value.(type) {
	case schema.Object:
		return value, true
	case map[string]string:
		var list schema.Object
		for _, name := range slices.Sorted(maps.Keys(value)) {
			list = list.With(name, value[name])
		}
		return list, true
	}
	return nil, false
}

// writeYAML writes a value that stands behind a name, or at the beginning.
func writeYAML(b *strings.Builder, indent string, value any) {
	if text, is := value.(string); is {
		b.WriteString(" " + strconv.Quote(text) + "\n")
		return
	}
	b.WriteString("\n")
	list, _ := value.([]any)
	for _, item := range list {
		var inner strings.Builder
		writeYAML(&inner, indent+"  ", item)
		b.WriteString(indent + "- " + strings.TrimPrefix(inner.String(), "\n"+indent+"  "))
	}
	members, _ := membersOf(value)
	for _, m := range members {
		b.WriteString(indent + m.Name + ":")
		writeYAML(b, indent+"  ", m.Value)
	}
}

// itemNames are the elements of lists in XML, as the WSDL has them.
var itemNames = map[string]string{"onsigners": "member", "offsigners": "member",
	"intermediateAirports": "intermediateAirport"}

func writeXML(b *strings.Builder, indent, name string, value any) {
	b.WriteString(indent + "<" + name + ">")
	if text, is := value.(string); is {
		b.WriteString(escaped(text))
		indent = ""
	} else {
		b.WriteString("\n")
	}
	if list, is := value.([]any); is {
		for _, item := range list {
			writeXML(b, indent+"  ", itemNames[name], item)
		}
	}
	members, _ := membersOf(value)
	for _, m := range members {
		if _, entries := value.(map[string]string); entries {
			m.Name, m.Value = "entry", schema.Object{{Name: "name", Value: m.Name}, {Name: "value", Value: m.Value}}
		}
		writeXML(b, indent+"  ", m.Name, m.Value)
	}
	b.WriteString(indent + "</" + name + ">\n")
}

// writeCSV writes a record as a row below the names of its columns; a crew change as a row for each member.
func (o operation) writeCSV(b *strings.Builder, record schema.Object) {
	rows := []schema.Object{leaves("", record)}
	if o.flow == gangway.CrewChangesFlow {
		rows = rowsOfMembers(record)
	}
	var names []string
	for _, row := range rows {
		for _, m := range row {
			if !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	w := csv.NewWriter(b)
	_ = w.Write(names) // a builder takes everything
	for _, row := range rows {
		cells := make([]string, len(names))
		for i, name := range names {
			cells[i], _ = row.Of(name).(string)
		}
		_ = w.Write(cells)
	}
	w.Flush()
}

// rowsOfMembers are the members of a crew change, each with what is the crew change's own.
func rowsOfMembers(change schema.Object) (rows []schema.Object) {
	for _, side := range []string{"onsigners", "offsigners"} {
		members, _ := change.Of(side).([]any)
		for _, member := range members {
			var row schema.Object
			for _, m := range change {
				if _, own := m.Value.(string); own {
					row = append(row, m)
				}
			}
			row = row.With("side", strings.TrimSuffix(side, "signers"))
			for _, m := range leaves("", member) {
				if change.Of(m.Name) != nil {
					m.Name = "member." + m.Name
				}
				row = append(row, m)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// leaves are the texts in a value, each by its path.
func leaves(path string, value any) (list schema.Object) {
	if text, is := value.(string); is {
		return schema.Object{{Name: path, Value: text}}
	}
	inner := func(name string, value any) {
		list = append(list, leaves(strings.TrimPrefix(path+"."+name, "."), value)...)
	}
	items, _ := value.([]any)
	for i, item := range items {
		inner(strconv.Itoa(i), item)
	}
	members, _ := membersOf(value)
	for _, m := range members {
		inner(m.Name, m.Value)
	}
	return list
}

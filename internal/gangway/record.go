package gangway

import (
	"cmp"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Member is one member of a record as the interface has it. The program knows a member by its line in the table of
// the record: these lines read, check, write, describe and show records.
type Member struct {
	Name    string   // in JSON: "last_name", "requestId"
	Camel   string   // of a traveller's member: its name in a travel request, where that is not Name in camelCase
	Also    []string // other names under which it is read
	Form    Form
	Needed  Demand
	Most    int    // characters of a text, or items of a list; 0: as usual
	Filled  bool   // an empty text is a mistake: a sender who does not know the value leaves it out
	Own     bool   // it identifies one person, so that erasure looks for it in what others typed
	Unasked bool   // no form asks for it, so that it stays as the customer sent it
	Words   string // what people call it: "passport number"
	About   string // a sentence for integrators
	Sample  any
	Members Members // of an object, or of each item of a list

	Field string // as problems name it, within its section: "LastName"; made from Name
	in    string // its field in Go, where that has another name
	index []int  // of that field; nil for an object whose members stand in the same struct
}

// Members are those of a record or of an object in it, in the order in which they are written.
type Members []Member

// A Demand says which records need a member. Each demands what those before it do.
type Demand int

const (
	Optional   Demand = iota // no record needs it
	Everywhere               // also what a customer's system is asked for: people fill in the rest
	Ticketing                // what is printed on tickets
	Complete                 // all that the traveller record marks as required
)

// By reports whether a record that demands so much needs the member.
func (m *Member) By(demand Demand) bool { return m.Needed != Optional && m.Needed <= demand }

// In returns the value of the member in a struct.
func (m *Member) In(v reflect.Value) reflect.Value {
	if m.index == nil {
		return v
	}
	return v.FieldByIndex(m.index)
}

// Text returns the text that the member has in a record, which is a pointer to a struct.
func (m *Member) Text(record any) string { return m.In(reflect.ValueOf(record).Elem()).String() }

// Named returns the member with a name; nil if there is none.
func (list Members) Named(name string) *Member {
	for i := range list {
		m := &list[i]
		if m.Name == name {
			return m
		}
		for _, other := range m.Also {
			if other == name {
				return m
			}
		}
	}
	return nil
}

// within returns the list with the places of its members in a struct. A member stands in the field that has its name,
// however that is spelled.
func (list Members) within(of reflect.Type) Members {
	found := make(Members, len(list))
	for i, m := range list {
		m.Field = FieldName(m.Name)
		at, there := fieldOf(of, m)
		switch {
		case there:
			m.index = at.Index
			for of := at.Type; m.Members != nil; of = of.Elem() {
				if of.Kind() == reflect.Struct {
					m.Members = m.Members.within(of)
					break
				}
			}
		case m.Form == Object:
			m.Members = m.Members.within(of)
		default:
			panic("no field for " + m.Name + " in " + of.String())
		}
		found[i] = m
	}
	return found
}

// fieldOf returns the field of a struct that a member stands in.
func fieldOf(of reflect.Type, m Member) (field reflect.StructField, there bool) {
	path := cmp.Or(m.in, m.Name)
	var index []int
	for name := range strings.SplitSeq(path, ".") {
		name = strings.ReplaceAll(name, "_", "")
		if field, there = of.FieldByNameFunc(func(s string) bool { return strings.EqualFold(s, name) }); !there {
			return field, false
		}
		index, of = append(index, field.Index...), field.Type
	}
	field.Index = index
	return field, true
}

// FieldName writes a member's name as problems do: last_name and lastName become LastName.
func FieldName(name string) string {
	var b strings.Builder
	for word := range strings.SplitSeq(name, "_") {
		first, size := utf8.DecodeRuneInString(word)
		if size > 0 {
			b.WriteRune(unicode.ToUpper(first))
		}
		b.WriteString(word[size:])
	}
	return b.String()
}

// each calls visit for every member of v, at any depth, that is neither an object nor a list. v stands at at.
func (list Members) each(v reflect.Value, at ProblemPath, visit func(m *Member, at ProblemPath, value reflect.Value)) {
	for i := range list {
		m := &list[i]
		switch value := m.In(v); m.Form {
		case Object:
			if value = reflect.Indirect(value); value.IsValid() {
				m.Members.each(value, at.Inside(m.Field, 0), visit)
			}
		case List:
			for n := range value.Len() {
				m.Members.each(value.Index(n), at.Inside(m.Field, n+1), visit)
			}
		default:
			visit(m, at, value)
		}
	}
}

// check notes in p what is missing or wrong in a record, which is a pointer to a struct and stands at at.
func (of Record) check(record any, p *Problems, at ProblemPath, today Today) {
	of.Members.each(reflect.ValueOf(record).Elem(), at, func(m *Member, at ProblemPath, value reflect.Value) {
		switch {
		case m.Form == FreeText, m.Form == Entries:
		case at.Item > 0 && len(p.Fields) > 0 && p.Has(at.Field("")):
			// The item is no object, which was pointed out when it was read.
		case m.Form == DayAtPort:
			for i := range m.Members {
				part := m.Members[i]
				if part.Field = m.Field; part.Form == AirportCode {
					part.Field += ".Port"
				}
				part.keep(p, at, part.In(value).String(), today, of.Demand)
			}
		default:
			m.keep(p, at, value.String(), today, of.Demand)
		}
	})
}

// CheckLetters notes in p which names of a record lost letters before they came here, and calls twice for each whose
// letters seem to have been encoded twice. It is for records that were read from a document whose letters may be
// misread.
//
// Decided: docs/choices.md, "Documents".
func (of Record) CheckLetters(record any, p *Problems, at ProblemPath, twice func(path, name string)) {
	of.Members.each(reflect.ValueOf(record).Elem(), at, func(m *Member, at ProblemPath, value reflect.Value) {
		switch {
		case m.Form != PersonName && m.Form != ShipName:
		case strings.Contains(value.String(), "\ufffd"):
			p.Add(at.Field(m.Field), "The %s field has letters that could not be read (U+FFFD).", m.Field)
		case EncodedTwice(value.String()):
			twice(at.Field(m.Field), value.String())
		}
	})
}

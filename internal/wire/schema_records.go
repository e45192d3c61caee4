package wire

import (
	"slices"
	"strings"

	"gangway/internal/gangway"
	"gangway/internal/schema"
)

// objectOf returns the schema of an object with the members of list, of which a record demands so many.
func objectOf(about string, list gangway.Members, demand gangway.Demand) schema.Schema {
	s := schema.Schema{Type: "object", Description: about}
	for i := range list {
		m := &list[i]
		one := schemaOf(m, demand)
		if m.By(demand) {
			s.Required = append(s.Required, m.Name)
		} else {
			one = one.OrNull()
		}
		one.Description = m.About
		if m.Sample != nil {
			one.Examples = []any{m.Sample}
		}
		s.Properties = append(s.Properties, schema.Property{Name: m.Name, Schema: one})
		for i, name := range m.Also {
			other := schemaOf(m, demand).OrNull()
			if other.Description = "The same as " + m.Name + ": send one of them."; i == 0 {
				other.Deprecated = true
				s.Properties = append(s.Properties, schema.Property{Name: name, Schema: other})
			} else { // which clients that are made of the schema could not tell from the other
				s.PatternProperties = append(s.PatternProperties,
					schema.Property{Name: "^" + name + "$", Schema: other})
			}
		}
	}
	return s
}

// formNames are the schemas of forms that need nothing of the member.
var formNames = map[gangway.Form]string{gangway.CountryCode: "Country", gangway.AirportCode: "Airport",
	gangway.GenderCode: "Gender", gangway.Day: "Date", gangway.BirthDay: "BirthDate", gangway.FreeText: "FreeText"}

// schemaOf returns the schema of a member that is there.
func schemaOf(m *gangway.Member, demand gangway.Demand) schema.Schema {
	if name := formNames[m.Form]; name != "" {
		return schema.To(name)
	}
	switch m.Form {
	case gangway.DayAtPort:
		return schema.Schema{AnyOf: []schema.Schema{schema.To("Date"), objectOf("", m.Members, demand)}}
	case gangway.Entries:
		return entriesOf(m)
	case gangway.Object:
		return objectOf("", m.Members, demand)
	case gangway.List:
		items := objectOf("", m.Members, demand)
		if strings.HasSuffix(m.Name, "signers") {
			items = schema.To("CrewMember")
			if demand == gangway.Everywhere {
				items = schema.To("CrewMemberAnswer")
			}
		}
		return schema.Schema{Type: "array", Items: &items, MaxItems: m.Most}
	}
	form := "Text"
	if m.By(demand) {
		form = "FilledText"
	}
	if m.Most == 0 {
		return schema.To(form)
	}
	shorter := *forms().Of(form)
	shorter.MaxLength, shorter.Description = m.Most, ""
	return shorter
}

// entriesOf returns the schema of texts under any names. Those of a travel request have times of departure among them.
func entriesOf(m *gangway.Member) schema.Schema {
	if m.Name != "additionalInfo" {
		return schema.To("Entries")
	}
	time := schema.Schema{Type: "string", Pattern: "^(([01][0-9]|2[0-3]):[0-5][0-9])?$"}.OrNull()
	time.Description = "When the flight of that leg should leave: HH:MM, at the airport."
	s := *forms().Of("Entries")
	s.Description = ""
	s.PatternProperties = schema.Properties{{Name: "^[A-Z]{3}-[A-Z]{3}_departure_time$", Schema: time}}
	return s
}

func travellerSchema(about string, of gangway.Record) schema.Schema {
	return objectOf(about, of.Members, of.Demand)
}

// travelRequestSchema is of a record that asks for a flight or a hotel: for one of the two says something.
func travelRequestSchema(about string, of gangway.Record) schema.Schema {
	s := objectOf(about, of.Members, of.Demand)
	for _, name := range []string{"flight", "hotel"} {
		inside := schema.Schema{Type: "object"}
		for _, m := range of.Members.Named(name).Members {
			says := schema.Schema{Type: "string", Pattern: `\S`}
			if m.Form == gangway.List {
				says = some
			}
			inside.AnyOf = append(inside.AnyOf, has(m.Name, says))
		}
		s.AnyOf = append(s.AnyOf, has(name, inside))
	}
	return s
}

// travelRequestAnswerSchema is of what systems answer, which may have what identifies a request at its top.
//
// Spec: Travel request record.
func travelRequestAnswerSchema() schema.Schema {
	s := travelRequestSchema("A travel request, as your system may tell of it when it is asked: with externalInfo, or "+
		"with its members at the top.", gangway.FedRequest)
	external := gangway.FedRequest.Members.Named("externalInfo").Members
	for _, p := range objectOf("", external, gangway.Everywhere).Properties {
		one := p.NotNull()
		one.Description, one.Examples = "", nil
		one = one.OrNull()
		one.Description, one.Examples = p.Description, p.Examples
		s.Properties = append(s.Properties, schema.Property{Name: p.Name, Schema: one})
	}
	s.Required = []string{"traveler"}
	return s
}

// crewChangeSchema is of a crew change of somebody.
func crewChangeSchema(of gangway.Record) schema.Schema {
	s := objectOf("A vessel and a date, with those who join and those who leave. Other members are kept and ignored.",
		of.Members, of.Demand)
	s.AnyOf = []schema.Schema{has("onsigners", some), has("offsigners", some)}
	return s
}

// crewChangeAnswerSchema is of what systems answer that were asked for a date, which their records need not repeat.
func crewChangeAnswerSchema() schema.Schema {
	list := slices.Clone(gangway.FedChange.Members)
	list.Named("change_date").Needed = gangway.Optional
	return crewChangeSchema(gangway.Record{Members: list, Demand: gangway.Everywhere})
}

func crewMemberSchema(of gangway.Record) schema.Schema {
	return objectOf("A traveller who joins or leaves a vessel.", of.Members.Named("onsigners").Members, of.Demand)
}

// some is a list with something in it.
var some = schema.Schema{Type: "array", MinItems: 1, Items: &schema.Schema{}}

// has says that a member is there, and what it is.
func has(name string, of schema.Schema) schema.Schema {
	return schema.Schema{Required: []string{name}, Properties: schema.Properties{{Name: name, Schema: of}}}
}

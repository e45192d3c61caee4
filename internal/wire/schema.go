package wire

import (
	"fmt"
	"slices"

	"gangway/internal/gangway"
	"gangway/internal/schema"
)

// Schemas returns the schemas of all records, and of the forms that their members have, in reading order.
//
// They are made from the rules that records are checked by, from the limits that records are read with, and from the
// types that bookings are written from. They say what to send; what is taken besides (blanks around a text, codes in
// lower case, empty text for what is not known) is said in words.
func Schemas() schema.Properties {
	return slices.Concat(schema.Properties{
		{Name: "Traveller", Schema: travellerSchema()},
		{Name: "TravelRequest", Schema: travelRequestSchema(gangway.RequestTraveller)},
		{Name: "CrewChange", Schema: crewChangeSchema(gangway.CrewChangeRules, "CrewMember")},
		{Name: "CrewMember", Schema: crewMemberSchema(gangway.CrewTraveller)},
		{Name: "Booking", Schema: bookingSchema()},
		{Name: "TravellerAnswer", Schema: travellerAnswerSchema()},
		{Name: "TravelRequestAnswer", Schema: travelRequestAnswerSchema()},
		{Name: "CrewChangeAnswer", Schema: crewChangeSchema(crewChangeAnswerRules(), "CrewMemberAnswer")},
		{Name: "CrewMemberAnswer", Schema: crewMemberSchema(gangway.FedCrewTraveller)},
	}, forms())
}

// What no short text may have: control characters, and what gangway.Misleading forbids.
const unprintable = "\x00-\x1f\x7f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"

// unseen is what cannot be seen of the other characters, for the usual engines of regular expressions, which
// do not know Unicode's properties all alike.
const unseen = `\s` + "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u2065\u206a-\u206f\u2800" +
	"\u3164\ufe00-\ufe0f\ufeff\uffa0"

// forms returns the schemas of the forms that members of records have.
func forms() schema.Properties {
	return schema.Properties{
		{Name: "FilledText", Schema: schema.Schema{Type: "string", MaxLength: gangway.MostText,
			Description: limited("A text with at least one character that can be seen and without control characters",
				gangway.MostText),
			Pattern: "^[^" + unprintable + "]*[^" + unseen + unprintable + "][^" + unprintable + "]*$"}},
		{Name: "Text", Schema: schema.Schema{Type: "string", MaxLength: gangway.MostText,
			Description: limited("A text without control "+
				"characters", gangway.MostText), Pattern: "^[^" + unprintable + "]*$"}},
		{Name: "FreeText", Schema: schema.Schema{Type: "string", MaxLength: freeText,
			Description: limited("Any text", freeText)}},
		{Name: "Date", Schema: schema.Schema{Type: "string", Format: "date",
			Description: "A calendar date written YYYY-MM-DD, without a time."}},
		{Name: "BirthDate", Schema: schema.Schema{Type: "string", Format: "date",
			Pattern:     "^(19|[2-9][0-9])",
			Description: "A calendar date written YYYY-MM-DD, not before 1900 and not in the future."}},
		{Name: "Country", Schema: schema.Schema{Type: "string", Enum: texts(gangway.Countries()),
			Description: "An assigned country code of two letters (ISO 3166-1 alpha-2)."}},
		{Name: "Airport", Schema: schema.Schema{Type: "string", Pattern: "^[A-Z]{3}$",
			Description: "An airport code of three letters (IATA)."}},
		{Name: "Gender", Schema: schema.Schema{Type: "string", Enum: []string{"M", "F"}, Description: "M or F."}},
		{Name: "Entries", Schema: schema.Schema{Type: "object", MaxProperties: entries,
			PropertyNames:        &schema.Schema{MaxLength: entryName},
			AdditionalProperties: pointer(schema.To("FreeText").OrNull()),
			Description: fmt.Sprintf("Texts under names of your own: at most %d, with names of at most %d characters.",
				entries, entryName)}},
	}
}

func limited(what string, characters int) string {
	return fmt.Sprintf("%s, of at most %d characters.", what, characters)
}

// formOf returns the schema of a field that keeps a rule.
func formOf(rule gangway.Rule) schema.Schema {
	switch rule.Form {
	case gangway.CountryCode:
		return schema.To("Country")
	case gangway.AirportCode:
		return schema.To("Airport")
	case gangway.GenderCode:
		return schema.To("Gender")
	case gangway.Day:
		return schema.To("Date")
	case gangway.BirthDay:
		return schema.To("BirthDate")
	}
	form := "Text"
	if rule.Required {
		form = "FilledText"
	}
	if rule.Most == 0 {
		return schema.To(form)
	}
	shorter := *forms().Of(form)
	shorter.MaxLength, shorter.Description = rule.Most, ""
	return shorter
}

// A told is what people are told of a member. Its form is that of the rule for it, unless it is given.
type told struct {
	name, about string
	example     any
	form        schema.Schema // of members that no rule is about
	also        bool          // it is another name of a member, and not the one to use
	required    bool          // of members that no rule is about
}

// objectOf returns the schema of an object with members that keep rules.
func objectOf(about string, rules []gangway.Rule, list []told) schema.Schema {
	s := schema.Schema{Type: "object", Description: about}
	for _, m := range list {
		form, required := m.form, m.required
		of := func(r gangway.Rule) bool { return r.Field == pascal(m.name) }
		if i := slices.IndexFunc(rules, of); i >= 0 && !m.also {
			form, required = formOf(rules[i]), rules[i].Required
		}
		if required {
			s.Required = append(s.Required, m.name)
		} else {
			form = form.OrNull()
		}
		form.Description, form.Deprecated = m.about, m.also
		if m.example != nil {
			form.Examples = []any{m.example}
		}
		s.Properties = append(s.Properties, schema.Property{Name: m.name, Schema: form})
	}
	return s
}

func pointer[T any](v T) *T { return &v }

// texts returns words of a list as they are written.
func texts[T ~string](list []T) (written []string) {
	for _, word := range list {
		written = append(written, string(word))
	}
	return written
}

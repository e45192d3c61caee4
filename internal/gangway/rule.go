package gangway

import "unicode/utf8"

// A Form is how a field of a record is written.
type Form int

const (
	ShortText   Form = iota // names, identifiers, addresses: nothing that cannot be printed, and not too long
	CountryCode             // two letters that are assigned (ISO 3166-1 alpha-2)
	AirportCode             // three letters (IATA)
	GenderCode              // M or F
	Day                     // a calendar date, YYYY-MM-DD
	BirthDay                // a Day since 1900 that is not to come
)

// A Rule is what a kind of record demands of one of its fields. Check keeps the rules, and the description of the
// interface is made from them.
type Rule struct {
	Field    string // as problems name it, within its section: "LastName"
	Form     Form
	Required bool
	Most     int // characters, where a ShortText may have fewer than others
}

// MostText is the longest ShortText, in characters. The interface sets no limit, but a longer text could not be
// indexed by a database. Free text (remarks, additional entries) may be longer.
//
// Decided: docs/choices.md, "Made while building".
const MostText = 255

// Limit returns how many characters a ShortText may have.
func (r Rule) Limit() int {
	if r.Most > 0 {
		return r.Most
	}
	return MostText
}

// keep notes in p which of rules the values break, which are in the order of the rules. Codes are
// expected in upper case already.
func keep(p *Problems, at ProblemPath, today Today, rules []Rule, values ...string) {
	for i, value := range values {
		rules[i].keep(p, at, value, today)
	}
}

func (r *Rule) keep(p *Problems, at ProblemPath, value string, today Today) {
	if r.Form == ShortText {
		r.keepText(p, at, value)
		return
	}
	if value == "" {
		if r.Required {
			noteMissing(p, at, r.Field)
		}
		return
	}
	if wrong := r.Form.wrong(value, today); wrong != "" {
		p.Add(at.Field(r.Field), "The %s field %s.", r.Field, wrong)
	}
}

func (r *Rule) keepText(p *Problems, at ProblemPath, value string) {
	switch most := r.Limit(); {
	case r.Required && !hasVisibleText(value):
		noteMissing(p, at, r.Field)
	case len(value) > most && utf8.RuneCountInString(value) > most:
		p.Add(at.Field(r.Field), "The %s field must have at most %d characters.", r.Field, most)
	}
	if Unprintable(value) {
		p.Add(at.Field(r.Field), "The %s field must not have control characters in it.", r.Field)
	}
}

// wrong returns what is wrong with a value, as the end of a sentence; empty when nothing is wrong.
func (f Form) wrong(value string, today Today) string {
	switch f {
	case BirthDay:
		return today.Birth(Date(value))
	case Day:
		if !Date(value).Valid() {
			return "must be a calendar date written YYYY-MM-DD"
		}
	case CountryCode:
		if !Country(value).Assigned() {
			return "must be a country code of two letters (ISO 3166-1 alpha-2)"
		}
	case AirportCode:
		if !Airport(value).WellFormed() {
			return "must be an airport code of three letters (IATA)"
		}
	case GenderCode:
		if value != "M" && value != "F" {
			return "must be M or F"
		}
	}
	return ""
}

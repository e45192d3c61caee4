package gangway

import "unicode/utf8"

// A Form is how a member of a record is written.
type Form int

const (
	ShortText   Form = iota // identifiers: nothing that cannot be printed, and not too long
	PersonName              // a ShortText, which hand-offs reduce to letters and spaces
	ShipName                // a ShortText
	EmailText               // a ShortText that should be an e-mail address
	PhoneText               // a ShortText that should be a phone number
	CountryCode             // two letters that are assigned (ISO 3166-1 alpha-2)
	AirportCode             // three letters (IATA)
	GenderCode              // M or F
	Day                     // a calendar date, YYYY-MM-DD
	BirthDay                // a Day since 1900 that is not to come
	FreeText                // any text: remarks
	DayAtPort               // a Day, or an object with that and an AirportCode
	Entries                 // texts under any names
	Object
	List // of objects
)

// IsText reports whether the member is written as a text.
func (m *Member) IsText() bool { return m != nil && m.Form <= FreeText }

// MostText is the longest ShortText, in characters. The interface sets no limit, but a longer text could not be
// indexed by a database. Free text (remarks, additional entries) may be longer.
//
// Decided: docs/choices.md, "Made while building".
const MostText = 255

// Limit returns how many characters a ShortText may have.
func (m *Member) Limit() int {
	if m.Most > 0 {
		return m.Most
	}
	return MostText
}

// keep notes in p what a value breaks of the rule for a member. Codes are expected in upper case already.
func (m *Member) keep(p *Problems, at ProblemPath, value string, today Today, demand Demand) {
	if m.Form <= PhoneText {
		m.keepText(p, at, value, demand)
		return
	}
	if value == "" {
		if m.By(demand) {
			noteMissing(p, at, m.Field)
		}
		return
	}
	if wrong := m.Form.wrong(value, today); wrong != "" {
		p.Add(at.Field(m.Field), "The %s field %s.", m.Field, wrong)
	}
}

func (m *Member) keepText(p *Problems, at ProblemPath, value string, demand Demand) {
	switch most := m.Limit(); {
	case m.By(demand) && !hasVisibleText(value):
		noteMissing(p, at, m.Field)
	case len(value) > most && utf8.RuneCountInString(value) > most:
		p.Add(at.Field(m.Field), "The %s field must have at most %d characters.", m.Field, most)
	}
	if Unprintable(value) {
		p.Add(at.Field(m.Field), "The %s field must not have control characters in it.", m.Field)
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

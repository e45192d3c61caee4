package gangway

import (
	"encoding/json"
	"reflect"
)

// An Airport is an IATA airport code, three capital letters.
type Airport string

// A Place is where a journey may begin or end: an IATA code of an airport or of
// a city with several, or the UN/LOCODE of a sea port, five characters.
type Place string

// A Country is an assigned ISO 3166-1 alpha-2 code, two capital letters.
type Country string

// A Traveller is a person who flies, as the customer's system knows them.
//
// Spec: Traveller record.
type Traveller struct {
	ID          string  `json:"id,omitempty"` // the customer's own identifier
	LastName    string  `json:"last_name"`
	FirstName   string  `json:"first_name"`
	DOB         Date    `json:"dob,omitempty"`
	Nationality Country `json:"nationality,omitempty"`
	Gender      string  `json:"gender,omitempty"` // "M" or "F"
	DocCountry  Country `json:"doc_country,omitempty"`
	DocNumber   string  `json:"doc_number,omitempty"`
	DocExpire   Date    `json:"doc_expire,omitempty"`
	HomeAirport Airport `json:"home_airport,omitempty"`
	Email       string  `json:"email,omitempty"`
	Phone       string  `json:"phone,omitempty"`
	// as a person has typed it for the ticket; empty if nobody had to
	OnTicket TicketName `json:"on_ticket,omitzero"`
	// entered for a booking; the interface has no field for it
	FrequentFlyer FrequentFlyer `json:"frequent_flyer,omitzero"`
	// members that the interface does not name, stored unchanged
	Extra json.RawMessage `json:"extra,omitempty"`
}

// FoldedName returns the name by which bookings of t are found: folded, the surname first.
func (t Traveller) FoldedName() string { return Fold(t.LastName + " " + t.FirstName) }

// Key returns what identifies t when the same traveller is sent again: the id,
// or else the passport. It is empty if there is neither. The passport number is
// compared exactly as it was sent, and is stored that way.
//
// Decided: docs/choices.md, "Uploads".
func (t Traveller) Key() string {
	if t.ID != "" {
		return "id:" + t.ID
	}
	if t.DocNumber == "" {
		return ""
	}
	return "doc:" + string(t.DocCountry) + ":" + t.DocNumber
}

// RecordKey is Key for a record that is kept: one without id and passport, as
// feeds may bring it, is known by its names and its birth date.
//
// Decided: docs/choices.md, "Records taken in each for itself".
func (t Traveller) RecordKey() string {
	if key := t.Key(); key != "" {
		return key
	}
	return "name:" + t.FoldedName() + ":" + string(t.DOB)
}

// KeepUnasked returns t, as a person has typed it, with the values of known that
// forms do not ask for, and with its unnamed members.
func (t Traveller) KeepUnasked(known Traveller) Traveller {
	for i := range UploadedTraveller.Members {
		if m := &UploadedTraveller.Members[i]; m.Unasked {
			m.In(reflect.ValueOf(&t).Elem()).SetString(m.Text(&known))
		}
	}
	t.Extra = known.Extra
	return t
}

// Person is Key, but independent of how the passport number was typed: a booking's
// passenger has it from a form, while the record may have blanks in it.
func (t Traveller) Person() string {
	t.DocNumber = FoldDocument(t.DocNumber)
	return t.Key()
}

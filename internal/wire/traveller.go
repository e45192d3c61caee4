package wire

import (
	"iter"

	"gangway/internal/gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// Travellers reads values as traveller records, one by one. Each record and its
// Reading are valid until the next is read.
//
// Spec: Traveller record.
func Travellers(values iter.Seq2[int, jsontext.Value]) iter.Seq2[*gangway.Traveller, *Reading] {
	return records(values, func(r *reader, t *gangway.Traveller) (there bool, err error) {
		there, err = r.object("", func(name string) error {
			known, err := r.travellerMember(name, t)
			if !known {
				return r.keepUnknown(name)
			}
			return err
		})
		t.Extra = r.takeUnknown()
		return there, err
	})
}

// travellerMember reads one member of a snake_case traveller record into t.
// It reports false, and reads nothing, for a name that the record does not have.
func (r *reader) travellerMember(name string, t *gangway.Traveller) (known bool, err error) {
	switch name {
	case "id":
		return true, r.text("Id", &t.ID)
	case "last_name":
		return true, r.text("LastName", &t.LastName)
	case "first_name":
		return true, r.text("FirstName", &t.FirstName)
	case "dob":
		return true, r.date("Dob", &t.DOB)
	case "nationality":
		return true, readCode(r, "Nationality", &t.Nationality)
	case "gender":
		return true, r.text("Gender", &t.Gender)
	case "doc_country":
		return true, readCode(r, "DocCountry", &t.DocCountry)
	case "doc_number":
		return true, r.text("DocNumber", &t.DocNumber)
	case "doc_expire":
		return true, r.date("DocExpire", &t.DocExpire)
	case "home_airport":
		return true, readCode(r, "HomeAirport", &t.HomeAirport)
	case "email":
		return true, r.text("Email", &t.Email)
	case "phone":
		return true, r.text("Phone", &t.Phone)
	}
	return false, nil
}

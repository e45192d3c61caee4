package wire

import (
	"gangway"

	"github.com/go-json-experiment/json/jsontext"
)

// ReadTravellers reads a JSON array of traveller records and checks each. Its
// error is a *gangway.ProblemsError where records are wrong, ErrTooMany beyond
// limit records, and otherwise says where the document is malformed.
//
// Spec: Traveller record.
func ReadTravellers(dec *jsontext.Decoder, limit int, today gangway.Today) ([]gangway.Traveller, error) {
	return records(dec, limit, today, "traveller", func(r *reader) (gangway.Traveller, error) {
		var t gangway.Traveller
		there, err := r.object("", func(name string) error {
			known, err := r.travellerMember(name, &t)
			if !known {
				return r.keep(name)
			}
			return err
		})
		if there {
			t.Extra = r.kept()
			t.Check(&r.problems, r.at, gangway.UploadedTraveller, r.today)
		}
		return t, err
	}, nil)
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
		return true, code(r, "Nationality", &t.Nationality)
	case "gender":
		return true, r.text("Gender", &t.Gender)
	case "doc_country":
		return true, code(r, "DocCountry", &t.DocCountry)
	case "doc_number":
		return true, r.text("DocNumber", &t.DocNumber)
	case "doc_expire":
		return true, r.date("DocExpire", &t.DocExpire)
	case "home_airport":
		return true, code(r, "HomeAirport", &t.HomeAirport)
	case "email":
		return true, r.text("Email", &t.Email)
	case "phone":
		return true, r.text("Phone", &t.Phone)
	}
	return false, nil
}

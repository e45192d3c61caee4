package wire

import (
	"cmp"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gangway"
)

// handoffMembers is how many people one hand-off may name.
//
// Decided: docs/choices.md, "Hand-off".
const handoffMembers = 200

// A Handoff is what a customer's browser application handed over.
type Handoff struct {
	Change gangway.CrewChange `json:"change"`
	// Warnings say in sentences what was missing or malformed of each member:
	// the on-signers first, then the off-signers.
	Warnings [][]string `json:"warnings"`
}

// ReadHandoff reads the form of a hand-off. It refuses nothing for a bad
// field: what cannot be used is left out and told in a warning. Its error is
// Invalid for a form with more than 200 members, or that is no UTF-8.
//
// Spec: A6, fields of the form.
func ReadHandoff(form url.Values) (Handoff, error) {
	var h Handoff
	members := map[string]map[int]formMember{"onsigners": {}, "offsigners": {}}
	for name, values := range form {
		if len(values) == 0 || !utf8.ValidString(name) || !utf8.ValidString(values[0]) {
			return h, gangway.Errorf(gangway.Invalid, "the form must be UTF-8")
		}
		value := strings.TrimSpace(values[0])
		switch name {
		case "vessel":
			h.Change.Vessel = value
			continue
		case "flag":
			if c := gangway.Country(strings.ToUpper(value)); c.Assigned() {
				h.Change.Flag = c
			}
			continue
		case "change_airport":
			if a := gangway.Airport(strings.ToUpper(value)); a.WellFormed() {
				h.Change.ChangeAirport = a
			}
			continue
		}
		parts := strings.Split(strings.TrimSuffix(strings.ReplaceAll(name, "][", "["), "]"), "[")
		side, ok := members[parts[0]]
		if !ok || len(parts) < 3 || len(parts[1]) > 6 {
			continue
		}
		i, err := strconv.Atoi(parts[1])
		if err != nil || i < 0 {
			continue
		}
		m := side[i]
		if m.fields == nil {
			m = formMember{fields: map[string]string{}, custom: map[string]string{}}
			side[i] = m
		}
		if parts[2] == "custom_fields" && len(parts) == 4 {
			m.custom[parts[3]] = value
		} else if len(parts) == 3 {
			m.fields[parts[2]] = value
		}
	}
	if n := len(members["onsigners"]) + len(members["offsigners"]); n > handoffMembers {
		return h, gangway.Errorf(gangway.Invalid, "the form has %d members; at most %d are taken", n, handoffMembers)
	}
	h.read(members["onsigners"], &h.Change.OnSigners)
	h.read(members["offsigners"], &h.Change.OffSigners)
	return h, nil
}

// A formMember is one member's part of the form.
type formMember struct{ fields, custom map[string]string }

func (h *Handoff) read(side map[int]formMember, to *[]gangway.CrewMember) {
	for _, i := range slices.SortedFunc(maps.Keys(side), cmp.Compare[int]) {
		m, warnings := side[i].member()
		*to = append(*to, m)
		h.Warnings = append(h.Warnings, warnings)
	}
}

// member reads one member. What is malformed is left out, so that nobody books with it.
func (f formMember) member() (m gangway.CrewMember, warnings []string) {
	warn := func(format string, args ...any) { warnings = append(warnings, fmt.Sprintf(format, args...)) }
	get := func(field, words string, good func(string) bool, want string) string {
		v := f.fields[field]
		switch {
		case v == "":
			warn("The %s is missing.", words)
		case !good(v):
			warn("The %s was %q; it must be %s.", words, v, want)
			return ""
		}
		return v
	}
	upper := func(field string) { f.fields[field] = strings.ToUpper(f.fields[field]) }
	for _, field := range []string{"nationality", "doc_country", "home_airport", "gender"} {
		upper(field)
	}
	date := func(v string) bool { return gangway.Date(v).Valid() }
	country := func(v string) bool { return gangway.Country(v).Assigned() }
	const dateForm, countryForm = "a date written YYYY-MM-DD", "a country code of two letters"

	f.fields["last_name"], f.fields["first_name"] = lettersOnly(f.fields["last_name"]), lettersOnly(f.fields["first_name"])
	there := func(string) bool { return true }
	m.LastName = get("last_name", "last name", there, "")
	m.FirstName = get("first_name", "first name", there, "")
	m.DOB = gangway.Date(get("dob", "date of birth", date, dateForm))
	m.Nationality = gangway.Country(get("nationality", "nationality", country, countryForm))
	m.Gender = get("gender", "gender", func(v string) bool { return v == "M" || v == "F" }, "M or F")
	m.DocCountry = gangway.Country(get("doc_country", "passport's country", country, countryForm))
	m.DocNumber = get("doc_number", "passport number", func(v string) bool { return utf8.RuneCountInString(v) <= 20 }, "at most 20 characters")
	m.DocExpire = gangway.Date(get("doc_expire", "passport's expiry", date, dateForm))
	m.HomeAirport = gangway.Airport(get("home_airport", "home airport", func(v string) bool { return gangway.Airport(v).WellFormed() }, "an airport code of three letters"))
	m.Email, m.Phone, m.ID = f.fields["email"], f.fields["phone"], f.fields["id"]
	if v := f.fields["depart"]; v != "" {
		m.Depart.Date = gangway.Date(get("depart", "departure date", date, dateForm))
	}
	if f.fields["arrive"] != "" || m.Depart.Date == "" {
		m.Arrive.Date = gangway.Date(get("arrive", "date at the crew change airport", date, dateForm))
	}
	if len(f.custom) > 0 {
		m.CustomFields = f.custom
	}
	return m, warnings
}

// lettersOnly reduces a name to letters and single spaces, as the hand-off states names.
func lettersOnly(name string) string {
	kept := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsLetter(r), unicode.Is(unicode.Mn, r):
			return r
		}
		return -1
	}, name)
	return strings.Join(strings.Fields(kept), " ")
}

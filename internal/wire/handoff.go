package wire

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gangway"
)

// handoffMembers is how many people one hand-off brings at most.
//
// Decided: docs/choices.md, "Hand-off".
const handoffMembers = 200

// A Handoff is what a customer's browser application posted: a crew change,
// and beside it what was missing or malformed, in words for the person who is
// to fill it in by hand.
type Handoff struct {
	Change     gangway.CrewChange `json:"change"`
	Warnings   []string           `json:"warnings,omitempty"`   // about vessel, flag and airport
	OnSigners  [][]string         `json:"onsigners,omitempty"`  // one list for each on-signer, often empty
	OffSigners [][]string         `json:"offsigners,omitempty"` // one list for each off-signer
}

// ReadHandoff reads the form of a hand-off. A field that is missing or
// malformed is left empty and warned about; it never refuses the form. A form
// without any member is read too: Change.Size tells. Its only error is Invalid,
// for more than 200 members.
//
// Spec: Start a search from the customer's browser application, fields.
func ReadHandoff(form url.Values) (Handoff, error) {
	onSigners, offSigners := map[int]*member{}, map[int]*member{}
	for _, key := range slices.Sorted(maps.Keys(form)) {
		list, rest, ok := strings.Cut(key, "[")
		if !ok || len(form[key]) == 0 {
			continue
		}
		switch value := clean(form[key][0]); list {
		case "onsigners":
			put(onSigners, rest, value)
		case "offsigners":
			put(offSigners, rest, value)
		}
	}
	if len(onSigners)+len(offSigners) > handoffMembers {
		return Handoff{}, gangway.Errorf(gangway.Invalid, "a hand-off brings at most %d crew members; this one has %d", handoffMembers, len(onSigners)+len(offSigners))
	}
	var h Handoff
	f := fields{values: map[string]string{}}
	for _, name := range []string{"vessel", "flag", "change_airport", "change_date"} {
		f.values[name] = clean(form.Get(name))
	}
	h.Change.Vessel = f.text("vessel", "vessel", true)
	h.Change.Flag = f.country("flag", "flag", true)
	h.Change.ChangeAirport = f.airport("change_airport", "airport of the crew change", true)
	h.Change.ChangeDate = f.date("change_date", "date of the crew change", false)
	h.Warnings = f.warnings
	h.Change.OnSigners, h.OnSigners = members(onSigners, gangway.OnSigner)
	h.Change.OffSigners, h.OffSigners = members(offSigners, gangway.OffSigner)
	return h, nil
}

// A member is one crew member as the form has her: text by field name.
type member struct{ values, custom map[string]string }

// put files value under the member and field that rest names: what follows
// "onsigners[", as in "0][last_name]" or "0][custom_fields][Cost centre]". What
// is not of this form is nobody's field.
func put(list map[int]*member, rest, value string) {
	index, field, ok := strings.Cut(strings.TrimSuffix(rest, "]"), "][")
	i, err := strconv.Atoi(index)
	if !ok || err != nil || i < 0 || !strings.HasSuffix(rest, "]") {
		return
	}
	m := list[i]
	if m == nil {
		m = &member{values: map[string]string{}, custom: map[string]string{}}
		list[i] = m
	}
	if name, custom := strings.CutPrefix(field, "custom_fields]["); custom {
		if value != "" {
			m.custom[clean(name)] = value
		}
		return
	}
	m.values[field] = value
}

// members turns the form's members into crew members, by their index.
func members(list map[int]*member, side gangway.Side) (crew []gangway.CrewMember, warnings [][]string) {
	for _, i := range slices.Sorted(maps.Keys(list)) {
		f := fields{values: list[i].values}
		m := gangway.CrewMember{Traveller: f.traveller()}
		m.Arrive.Date = f.date("arrive", "arrival date", side == gangway.OnSigner)
		m.Depart.Date = f.date("depart", "departure date", false)
		if side == gangway.OffSigner && f.values["arrive"] == "" && f.values["depart"] == "" {
			f.warn("the departure date is missing")
		}
		if len(list[i].custom) > 0 {
			m.CustomFields = list[i].custom
		}
		crew, warnings = append(crew, m), append(warnings, f.warnings)
	}
	return crew, warnings
}

// fields reads a form's fields and collects what is to be said about them.
type fields struct {
	values   map[string]string
	warnings []string
}

func (f *fields) warn(format string, args ...any) {
	f.warnings = append(f.warnings, fmt.Sprintf(format, args...))
}

func (f *fields) traveller() gangway.Traveller {
	t := gangway.Traveller{
		ID:          f.values["id"],
		LastName:    f.name("last_name", "last name"),
		FirstName:   f.name("first_name", "first name"),
		DOB:         f.birth(),
		Nationality: f.country("nationality", "nationality", true),
		DocCountry:  f.country("doc_country", "passport's country", true),
		DocNumber:   f.text("doc_number", "passport number", true),
		DocExpire:   f.date("doc_expire", "passport's expiry date", true),
		HomeAirport: f.airport("home_airport", "home airport", true),
		Email:       f.values["email"],
		Phone:       f.values["phone"],
	}
	switch gender := strings.ToUpper(f.text("gender", "gender", true)); gender {
	case "M", "F", "":
		t.Gender = gender
	default:
		f.warn("the gender %q is neither M nor F", gender)
	}
	return t
}

// text reads a field as it is. what is its name for people.
func (f *fields) text(name, what string, required bool) string {
	v := f.values[name]
	if v == "" && required {
		f.warn("the %s is missing", what)
	}
	return v
}

// name reads a person's name, reduced to letters and spaces: apostrophes, dots,
// commas and all else that is no letter is taken out.
//
// Spec: Limits, traveller names.
func (f *fields) name(name, what string) string {
	v := lettersOnly(f.values[name])
	if v == "" {
		f.warn("the %s is missing", what)
	}
	return v
}

func (f *fields) date(name, what string, required bool) gangway.Date {
	v := gangway.Date(f.text(name, what, required))
	if v != "" && !v.Valid() {
		f.warn("the %s %q is no date written YYYY-MM-DD", what, string(v))
		return ""
	}
	return v
}

// birth reads the date of birth. Whether it is in the future shows when the
// passenger is booked.
func (f *fields) birth() gangway.Date {
	v := f.date("dob", "date of birth", true)
	if words := (gangway.Today{}).Birth(v); v != "" && words != "" {
		f.warn("the date of birth %q %s", string(v), words)
		return ""
	}
	return v
}

func (f *fields) country(name, what string, required bool) gangway.Country {
	v := gangway.Country(strings.ToUpper(f.text(name, what, required)))
	if v != "" && !v.Assigned() {
		f.warn("the %s %q is no country code", what, string(v))
		return ""
	}
	return v
}

func (f *fields) airport(name, what string, required bool) gangway.Airport {
	v := gangway.Airport(strings.ToUpper(f.text(name, what, required)))
	if v != "" && !v.WellFormed() {
		f.warn("the %s %q is no airport code", what, string(v))
		return ""
	}
	return v
}

func lettersOnly(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case unicode.IsLetter(r), unicode.IsMark(r): // a mark belongs to the letter before it
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteByte(' ')
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// clean takes out of a form's value what no field can hold.
func clean(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "")))
}

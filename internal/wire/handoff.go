package wire

import (
	"fmt"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"gangway/internal/gangway"
)

// handoffMembers is the most people that one hand-off may have.
//
// Decided: docs/choices.md, "Hand-off".
const handoffMembers = 200

// A Handoff is what a customer's browser application posted: a crew change, with
// sentences about what is missing or malformed, for the person who completes it
// by hand.
type Handoff struct {
	Change     gangway.CrewChange `json:"change"`
	Notes      []string           `json:"notes,omitempty"`      // about the hand-off as a whole, for all who read it
	Warnings   []string           `json:"warnings,omitempty"`   // about vessel, flag and airport
	OnSigners  [][]string         `json:"onsigners,omitempty"`  // one list for each on-signer, often empty
	OffSigners [][]string         `json:"offsigners,omitempty"` // one list for each off-signer

	// Environment is the one that the hand-off asks for; empty if it names none.
	Environment gangway.Environment `json:"environment,omitempty"`
}

// ReadHandoff reads the form of a hand-off. A field that is missing or malformed
// is left empty, with a warning; it never refuses the form. A form without members
// is read too: see Change.Size. Dates before today are pointed out. The only error
// is Invalid, for more than 200 members.
//
// Spec: Start a search from the customer's browser application, fields.
func ReadHandoff(form url.Values, today gangway.Today) (Handoff, error) {
	onSigners, offSigners := map[int]*member{}, map[int]*member{}
	var h Handoff
	h.notePlain(form)
	for _, key := range slices.Sorted(maps.Keys(form)) {
		list, rest, ok := strings.Cut(key, "[")
		if !ok || len(form[key]) == 0 {
			continue
		}
		switch value := h.cut(key, clean(form[key][0])); list {
		case "onsigners":
			putMemberField(onSigners, rest, value)
		case "offsigners":
			putMemberField(offSigners, rest, value)
		}
	}
	if len(onSigners)+len(offSigners) > handoffMembers {
		return Handoff{}, gangway.Errorf(gangway.Invalid, "a hand-off brings at most %d crew members; this one has %d",
			handoffMembers, len(onSigners)+len(offSigners))
	}
	h.readEnvironment(clean(form.Get("environment")))
	f := fields{values: map[string]string{}, today: today}
	for _, name := range []string{"vessel", "flag", "change_airport", "change_date", "travel_request_id"} {
		f.values[name] = h.cut(name, clean(form.Get(name)))
	}
	h.Change.Vessel = f.text("vessel", "vessel", true)
	h.Change.Flag = f.country("flag", "flag", true)
	h.Change.ChangeAirport = f.airport("change_airport", "airport of the crew change", true)
	h.Change.ChangeDate = f.day("change_date", "date of the crew change", false)
	h.Change.TravelRequestID = f.reference()
	h.Warnings = f.warnings
	h.Change.OnSigners, h.OnSigners = members(onSigners, gangway.OnSigner, today)
	h.Change.OffSigners, h.OffSigners = members(offSigners, gangway.OffSigner, today)
	return h, nil
}

// notePlain points out that invisible characters were removed that would make
// a page show other text than the field contains.
func (h *Handoff) notePlain(form url.Values) {
	var where []string
	for _, key := range slices.Sorted(maps.Keys(form)) {
		if len(form[key]) > 0 && strings.ContainsFunc(form[key][0], gangway.Misleading) {
			where = append(where, fmt.Sprintf("“%.60s”", clean(key)))
		}
	}
	if len(where) == 0 {
		return
	}
	if more := len(where) - 5; more > 0 {
		where = append(where[:5], fmt.Sprintf("%d more", more))
	}
	h.Notes = append(h.Notes, fmt.Sprintf("Your system sent invisible characters that change how text looks in %s; "+
		"they were removed. Please check these fields.", strings.Join(where, ", ")))
}

// handoffText is the most characters that a field of a hand-off may have.
const handoffText = 2000

// cut shortens a value that is longer than any real one, and points that out for
// the first few.
func (h *Handoff) cut(key, value string) string {
	if !isLongerThan(value, handoffText) {
		return value
	}
	if len(h.Notes) < 10 {
		h.Notes = append(h.Notes, fmt.Sprintf("Your system sent more than %d characters in “%.60s”; the rest "+
			"was left out.", handoffText, clean(key)))
	}
	return fmt.Sprintf("%.*s", handoffText, value)
}

// readEnvironment reads the environment that a hand-off asks for. An unknown one is
// pointed out and ignored; the form is not refused for it.
func (h *Handoff) readEnvironment(name string) {
	switch e := gangway.Environment(strings.ToLower(name)); e {
	case gangway.Production, gangway.Development, "":
		h.Environment = e
	default:
		h.Notes = append(h.Notes,
			fmt.Sprintf("Your system asks for the environment “%.40s”; use production or development.", name))
	}
}

// A member is one crew member as the form has it: text by field name.
type member struct{ values, custom map[string]string }

// putMemberField files value under the member and field that rest names. rest follows
// "onsigners[", as in "0][last_name]" or "0][custom_fields][Cost centre]"; anything
// else is ignored.
func putMemberField(list map[int]*member, rest, value string) {
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
			m.custom[fmt.Sprintf("%.*s", entryName, clean(name))] = value
		}
		return
	}
	m.values[field] = value
}

// members turns the form's members into crew members, ordered by index.
func members(list map[int]*member, side gangway.Side,
	today gangway.Today) (crew []gangway.CrewMember, warnings [][]string) {
	for _, i := range slices.Sorted(maps.Keys(list)) {
		f := fields{values: list[i].values, today: today}
		var m gangway.CrewMember
		f.traveller(&m)
		m.Arrive.Date = f.day("arrive", "arrival date", side == gangway.OnSigner)
		m.Depart.Date = f.day("depart", "departure date", false)
		if side == gangway.OffSigner && f.values["arrive"] == "" && f.values["depart"] == "" {
			f.warn("the departure date is missing")
		}
		if len(list[i].custom) > 0 {
			m.CustomFields = list[i].custom
		}
		if rank := list[i].rank(); rank != "" {
			m.Metadata = map[string]string{"rank": rank}
		}
		crew, warnings = append(crew, m), append(warnings, f.warnings)
	}
	return crew, warnings
}

// rank is the member's rank: a field of its own, or a custom field of that name, since the
// interface has no other place for one.
func (m member) rank() string {
	rank := m.values["rank"]
	for _, name := range slices.Sorted(maps.Keys(m.custom)) {
		if rank == "" && strings.EqualFold(name, "rank") {
			rank = m.custom[name]
		}
	}
	return fmt.Sprintf("%.*s", gangway.MostText, rank)
}

// reference reads the identifier that the crew change has in uploads. One that is too long for an
// upload cannot be one of them.
func (f *fields) reference() string {
	v := f.text("travel_request_id", "reference of the crew change", false)
	if isLongerThan(v, gangway.MostText) {
		f.warn("the reference of the crew change has more than %d characters", gangway.MostText)
		return ""
	}
	return v
}

// fields reads one member's fields and collects warnings about them.
type fields struct {
	values   map[string]string
	today    gangway.Today
	warnings []string
}

func (f *fields) warn(format string, args ...any) {
	f.warnings = append(f.warnings, fmt.Sprintf(format, args...))
}

// traveller reads the fields of a person. A malformed date or code is left empty; other text is kept, for a person to
// see what was meant.
func (f *fields) traveller(to *gangway.CrewMember) {
	list := gangway.UploadedChange.Members.Named("onsigners").Members
	for i := range list {
		if m := &list[i]; m.Words != "" {
			m.In(reflect.ValueOf(to).Elem()).SetString(f.person(m))
		}
	}
}

func (f *fields) person(m *gangway.Member) string {
	if m.Form == gangway.PersonName {
		return f.name(m.Name, m.Words)
	}
	required := m.By(gangway.Complete)
	switch m.Form {
	case gangway.CountryCode:
		return string(f.country(m.Name, m.Words, required))
	case gangway.AirportCode:
		return string(f.airport(m.Name, m.Words, required))
	case gangway.Day:
		return string(f.date(m.Name, m.Words, required))
	case gangway.BirthDay:
		return string(f.birth(m.Name, m.Words))
	}
	v := f.text(m.Name, m.Words, required)
	switch {
	case v == "":
	case m.Form == gangway.GenderCode:
		if v = strings.ToUpper(v); v != "M" && v != "F" {
			f.warn("the %s %q is neither M nor F", m.Words, v)
			return ""
		}
	case m.Form == gangway.EmailText && !gangway.EmailAddress(v),
		m.Form == gangway.PhoneText && !gangway.PhoneNumber(v):
		f.warn("the %s %q is not valid", m.Words, v)
	case m.Most > 0 && isLongerThan(v, m.Most):
		f.warn("the %s has %d characters; a passport's has at most %d", m.Words, utf8.RuneCountInString(v), m.Most)
	}
	return v
}

// text reads a field as it is; what is its name in warnings.
func (f *fields) text(name, what string, required bool) string {
	v := f.values[name]
	if v == "" && required {
		f.warn("the %s is missing", what)
	}
	return v
}

func (f *fields) birth(name, what string) gangway.Date {
	v := f.date(name, what, true)
	if v == "" {
		return ""
	}
	if wrong := f.today.Birth(v); wrong != "" {
		f.warn("the %s %q %s", what, string(v), wrong)
		return ""
	}
	return v
}

// day reads a date that should be today or later.
func (f *fields) day(name, what string, required bool) gangway.Date {
	v := f.date(name, what, required)
	if f.today.Over(v) {
		f.warn("the %s %s is in the past", what, v)
	}
	return v
}

func (f *fields) date(name, what string, required bool) gangway.Date {
	v := gangway.Date(f.text(name, what, required))
	if v != "" && !v.Valid() {
		f.warn("the %s %q is not a date written YYYY-MM-DD", what, string(v))
		return ""
	}
	return v
}

func (f *fields) country(name, what string, required bool) gangway.Country {
	v := gangway.Country(strings.ToUpper(f.text(name, what, required)))
	if v != "" && !v.Assigned() {
		f.warn("the %s %q is not a country code", what, string(v))
		return ""
	}
	return v
}

func (f *fields) airport(name, what string, required bool) gangway.Airport {
	v := gangway.Airport(strings.ToUpper(f.text(name, what, required)))
	if v != "" && !v.WellFormed() {
		f.warn("the %s %q is not an airport code", what, string(v))
		return ""
	}
	return v
}

// clean removes from a form's value what no field can hold.
func clean(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), gangway.Misleading(r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, string(utf8.RuneError))))
}

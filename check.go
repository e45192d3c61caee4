package gangway

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// TravellerRules says what one kind of record requires of its traveller.
type TravellerRules struct {
	Complete     bool   // all that the traveller record marks as required, not only names and gender
	NamesOnly    bool   // not even the gender: people fill in the rest
	DocNumberMax int    // characters
	DocExpire    string // the name of the passport's expiry on the wire
}

// The rules by kind of record.
//
// Spec: Traveller record, Travel request record, Crew change record; decided: docs/choices.md, "Uploads".
var (
	UploadedTraveller = TravellerRules{Complete: true, DocNumberMax: 9, DocExpire: "DocExpire"}
	RequestTraveller  = TravellerRules{DocNumberMax: 20, DocExpire: "DocExpireDate"}
	CrewTraveller     = TravellerRules{Complete: true, DocNumberMax: 20, DocExpire: "DocExpire"}
)

// The rules for what customers' systems are asked for: where data is missing, it is entered by hand.
//
// Spec: What the service does; decided: docs/choices.md, "Records taken in each for itself".
var (
	FedTraveller        = TravellerRules{NamesOnly: true, DocNumberMax: 9, DocExpire: "DocExpire"}
	fedRequestTraveller = TravellerRules{NamesOnly: true, DocNumberMax: 20, DocExpire: "DocExpireDate"}
	fedCrewTraveller    = TravellerRules{NamesOnly: true, DocNumberMax: 20, DocExpire: "DocExpire"}
)

// Check notes in p what is missing or wrong in t, which stands at at. Codes
// are expected in upper case already.
func (t Traveller) Check(p *Problems, at ProblemPath, rules TravellerRules, today Today) {
	checkText(p, at, "Id", t.ID, false)
	checkText(p, at, "LastName", t.LastName, true)
	checkText(p, at, "FirstName", t.FirstName, true)
	checkText(p, at, "Email", t.Email, false)
	checkText(p, at, "Phone", t.Phone, false)
	switch t.Gender {
	case "M", "F":
	case "":
		if !rules.NamesOnly {
			noteMissing(p, at, "Gender")
		}
	default:
		p.Add(at.Field("Gender"), "The Gender field must be M or F.")
	}
	switch words := today.Birth(t.DOB); {
	case t.DOB == "" && rules.Complete:
		noteMissing(p, at, "Dob")
	case t.DOB != "" && words != "":
		p.Add(at.Field("Dob"), "The Dob field %s.", words)
	}
	checkCountry(p, at, "Nationality", t.Nationality, rules.Complete)
	checkCountry(p, at, "DocCountry", t.DocCountry, rules.Complete)
	checkText(p, at, "DocNumber", t.DocNumber, rules.Complete)
	if len(t.DocNumber) > rules.DocNumberMax && utf8.RuneCountInString(t.DocNumber) > rules.DocNumberMax {
		p.Add(at.Field("DocNumber"), "The DocNumber field must have at most %d characters.", rules.DocNumberMax)
	}
	checkDate(p, at, rules.DocExpire, t.DocExpire, rules.Complete)
	checkAirport(p, at, "HomeAirport", t.HomeAirport, rules.Complete)
}

// Check notes in p what is missing or wrong in r, record number record of an upload.
func (r TravelRequest) Check(p *Problems, record int, today Today) {
	r.check(p, record, RequestTraveller, today)
}

// CheckFed is Check for a record that the customer's system was asked for.
func (r TravelRequest) CheckFed(p *Problems, record int, today Today) {
	r.check(p, record, fedRequestTraveller, today)
}

func (r TravelRequest) check(p *Problems, record int, rules TravellerRules, today Today) {
	at := ProblemPath{Record: record, Section: "ExternalInfo"}
	checkText(p, at, "RequestId", r.RequestID, true)
	checkText(p, at, "SubRequestId", r.SubRequestID, false)
	for key, value := range r.AdditionalInfo {
		if !departureTime(key) || value == "" {
			continue
		}
		if _, ok := MinuteOfDay(value); !ok {
			p.Add(at.Field("AdditionalInfo."+key), "The time must be written HH:MM.")
		}
	}
	r.Traveller.Check(p, ProblemPath{Record: record, Section: "Traveler"}, rules, today)
	if r.asksNothing() && !p.Has(ProblemPath{Record: record}.Field("Flight")) &&
		!p.Has(ProblemPath{Record: record}.Field("Hotel")) {
		p.Add(ProblemPath{Record: record}.Field("Flight"), "Either the Flight or the Hotel field is required.")
	}
	if r.Flight != nil {
		r.Flight.check(p, record)
	}
	if h := r.Hotel; h != nil {
		at := ProblemPath{Record: record, Section: "Hotel"}
		checkDate(p, at, "CheckIn", h.CheckIn, false)
		checkDate(p, at, "CheckOut", h.CheckOut, false)
		if h.CheckIn.Valid() && h.CheckOut.Valid() && h.CheckOut <= h.CheckIn {
			p.Add(at.Field("CheckOut"), "The CheckOut field must be after CheckIn.")
		}
	}
	if v := r.Vehicle; v != nil {
		at := ProblemPath{Record: record, Section: "Details.Vehicle"}
		checkText(p, at, "Name", v.Name, false)
		checkCountry(p, at, "Flag", v.Flag, false)
	}
}

// asksNothing reports whether r has neither a flight nor a hotel. If it has one,
// people fill in by hand what it leaves open.
func (r TravelRequest) asksNothing() bool {
	flight := r.Flight != nil && (r.Flight.Origin != "" || r.Flight.Destination != "" || r.Flight.Date != "" ||
		len(r.Flight.Via) > 0)
	return !flight && (r.Hotel == nil || *r.Hotel == HotelNeed{})
}

func (f FlightNeed) check(p *Problems, record int) {
	at := ProblemPath{Record: record, Section: "Flight"}
	checkAirport(p, at, "Origin", f.Origin, false)
	checkAirport(p, at, "Destination", f.Destination, false)
	checkDate(p, at, "Date", f.Date, false)
	for i, v := range f.Via {
		at := ProblemPath{Record: record, Section: "Flight.IntermediateAirports", Item: i + 1}
		checkAirport(p, at, "Airport", v.Airport, false)
		checkDate(p, at, "Date", v.Date, false)
	}
}

// Check notes in p what is missing or wrong in c, record number record of an upload.
func (c CrewChange) Check(p *Problems, record int, today Today) {
	c.check(p, record, CrewTraveller, today)
}

// CheckFed is Check for a record that the customer's system was asked for.
func (c CrewChange) CheckFed(p *Problems, record int, today Today) {
	c.check(p, record, fedCrewTraveller, today)
}

func (c CrewChange) check(p *Problems, record int, rules TravellerRules, today Today) {
	at := ProblemPath{Record: record}
	checkText(p, at, "Vessel", c.Vessel, true)
	checkText(p, at, "TravelRequestId", c.TravelRequestID, false)
	checkCountry(p, at, "Flag", c.Flag, false)
	checkDate(p, at, "ChangeDate", c.ChangeDate, true)
	if c.Size() == 0 && !p.Has(at.Field("Onsigners")) && !p.Has(at.Field("Offsigners")) {
		p.Add(at.Field("Onsigners"), "At least one member in Onsigners or Offsigners is required.")
	}
	for i, m := range c.OnSigners {
		m.check(p, ProblemPath{Record: record, Section: "Onsigners", Item: i + 1}, rules, today)
	}
	for i, m := range c.OffSigners {
		m.check(p, ProblemPath{Record: record, Section: "Offsigners", Item: i + 1}, rules, today)
	}
}

func (m CrewMember) check(p *Problems, at ProblemPath, rules TravellerRules, today Today) {
	if len(p.Fields) > 0 && p.Has(at.Field("")) {
		return // no record at all
	}
	m.Traveller.Check(p, at, rules, today)
	checkDate(p, at, "Arrive", m.Arrive.Date, false)
	checkAirport(p, at, "Arrive.Port", m.Arrive.Airport, false)
	checkDate(p, at, "Depart", m.Depart.Date, false)
	checkAirport(p, at, "Depart.Port", m.Depart.Airport, false)
	checkDate(p, at, "ChangeDate", m.ChangeDate, false)
}

// noteMissing notes that a field is required, unless there is a problem with it already.
func noteMissing(p *Problems, at ProblemPath, field string) {
	if path := at.Field(field); !p.Has(path) {
		p.Add(path, "The %s field is required.", field)
	}
}

// maxText is the longest name, identifier or address, in characters. The
// interface sets no limit, but a longer text could not be indexed by a
// database. Free text (remarks, additional entries) may be longer.
//
// Decided: docs/choices.md, "Made while building".
const maxText = 255

func checkText(p *Problems, at ProblemPath, field, value string, required bool) {
	switch {
	case required && !hasVisibleText(value):
		noteMissing(p, at, field)
	case len(value) > maxText && utf8.RuneCountInString(value) > maxText:
		p.Add(at.Field(field), "The %s field must have at most %d characters.", field, maxText)
	}
	if Unprintable(value) {
		p.Add(at.Field(field), "The %s field must not have control characters in it.", field)
	}
}

// hasVisibleText reports whether anything in s can be seen: a name of blanks and
// characters without width looks like none on every page.
func hasVisibleText(s string) bool {
	if s != "" && s[0] > ' ' && s[0] < 0x7f { // as nearly all text starts
		return true
	}
	return strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.In(r, unicode.Other_Default_Ignorable_Code_Point,
			unicode.Mn) && r != '\u2800'
	})
}

func checkDate(p *Problems, at ProblemPath, field string, d Date, required bool) {
	switch {
	case d == "" && required:
		noteMissing(p, at, field)
	case d != "" && !d.Valid():
		p.Add(at.Field(field), "The %s field must be a calendar date written YYYY-MM-DD.", field)
	}
}

func checkCountry(p *Problems, at ProblemPath, field string, c Country, required bool) {
	switch {
	case c == "" && required:
		noteMissing(p, at, field)
	case c != "" && !c.Assigned():
		p.Add(at.Field(field), "The %s field must be a country code of two letters (ISO 3166-1 alpha-2).", field)
	}
}

func checkAirport(p *Problems, at ProblemPath, field string, a Airport, required bool) {
	switch {
	case a == "" && required:
		noteMissing(p, at, field)
	case a != "" && !a.WellFormed():
		p.Add(at.Field(field), "The %s field must be an airport code of three letters (IATA).", field)
	}
}

// WellFormed reports whether a is three capital letters. Package world knows
// whether such an airport exists.
func (a Airport) WellFormed() bool {
	if len(a) != 3 {
		return false
	}
	for i := range len(a) {
		if a[i] < 'A' || a[i] > 'Z' {
			return false
		}
	}
	return true
}

// departureTime reports whether key asks for a time of departure, as in
// "MNL-DXB_departure_time".
func departureTime(key string) bool {
	leg, ok := strings.CutSuffix(key, "_departure_time")
	return ok && len(leg) == 7 && leg[3] == '-' && Airport(leg[:3]).WellFormed() && Airport(leg[4:]).WellFormed()
}

package gangway

import (
	"regexp"
	"strings"
	"unicode"
)

// TravellerRules says what one kind of record demands of its traveller.
type TravellerRules struct {
	DocNumberMax int    // characters
	DocExpire    string // the name of the passport's expiry on the wire
	Fields       []Rule
	fed          bool // people can fill in what is left out
}

// demands is which fields of a traveller are required: each step those of the steps before it, too.
type demands int

const (
	names    demands = iota // people fill in the rest
	gender                  // what is printed on a ticket
	complete                // all that the traveller record marks as required
)

func travellerRules(of demands, docNumberMax int, docExpire string) TravellerRules {
	return TravellerRules{docNumberMax, docExpire, []Rule{
		{Field: "Id", Form: ShortText},
		{Field: "LastName", Form: ShortText, Required: true},
		{Field: "FirstName", Form: ShortText, Required: true},
		{Field: "Dob", Form: BirthDay, Required: of >= complete},
		{Field: "Nationality", Form: CountryCode, Required: of >= complete},
		{Field: "Gender", Form: GenderCode, Required: of >= gender},
		{Field: "DocCountry", Form: CountryCode, Required: of >= complete},
		{Field: "DocNumber", Form: ShortText, Required: of >= complete, Most: docNumberMax},
		{Field: docExpire, Form: Day, Required: of >= complete},
		{Field: "HomeAirport", Form: AirportCode, Required: of >= complete},
		{Field: "Email", Form: ShortText},
		{Field: "Phone", Form: ShortText},
	}, of == names}
}

// The rules by kind of record.
//
// Spec: Traveller record, Travel request record, Crew change record; decided: docs/choices.md, "Uploads".
var (
	UploadedTraveller = travellerRules(complete, 9, "DocExpire")
	RequestTraveller  = travellerRules(gender, 20, "DocExpireDate")
	CrewTraveller     = travellerRules(complete, 20, "DocExpire")
)

// The rules for what customers' systems are asked for: where data is missing, it is entered by hand.
//
// Spec: What the service does; decided: docs/choices.md, "Records taken in each for itself".
var (
	FedTraveller        = travellerRules(names, 9, "DocExpire")
	FedRequestTraveller = travellerRules(names, 20, "DocExpireDate")
	FedCrewTraveller    = travellerRules(names, 20, "DocExpire")
)

// The rules for the other fields of records, by section.
//
// Spec: Travel request record, Crew change record; decided: docs/choices.md, "Uploads".
var (
	ExternalInfoRules = []Rule{
		{Field: "RequestId", Form: ShortText, Required: true}, {Field: "SubRequestId", Form: ShortText}}
	FlightRules = []Rule{
		{Field: "Origin", Form: AirportCode}, {Field: "Destination", Form: AirportCode}, {Field: "Date", Form: Day}}
	StopRules    = []Rule{{Field: "Airport", Form: AirportCode}, {Field: "Date", Form: Day}}
	HotelRules   = []Rule{{Field: "CheckIn", Form: Day}, {Field: "CheckOut", Form: Day}}
	VehicleRules = []Rule{{Field: "Name", Form: ShortText}, {Field: "Flag", Form: CountryCode}}

	CrewChangeRules = []Rule{
		{Field: "Vessel", Form: ShortText, Required: true}, {Field: "TravelRequestId", Form: ShortText},
		{Field: "Flag", Form: CountryCode}, {Field: "ChangeDate", Form: Day, Required: true}}
	// of a member, besides those of its traveller
	CrewMemberRules = []Rule{
		{Field: "Arrive", Form: Day}, {Field: "Arrive.Port", Form: AirportCode},
		{Field: "Depart", Form: Day}, {Field: "Depart.Port", Form: AirportCode}, {Field: "ChangeDate", Form: Day}}
)

// Check notes in p what is missing or wrong in t, which stands at at. Codes
// are expected in upper case already.
func (t Traveller) Check(p *Problems, at ProblemPath, rules TravellerRules, today Today) {
	keep(p, at, today, rules.Fields, t.ID, t.LastName, t.FirstName, string(t.DOB), string(t.Nationality), t.Gender,
		string(t.DocCountry), t.DocNumber, string(t.DocExpire), string(t.HomeAirport), t.Email, t.Phone)
	if rules.fed {
		t.checkDamage(p, at, rules.DocExpire, today)
	}
}

// spreadsheetNumber is how spreadsheets write a long number: its last figures are lost.
var spreadsheetNumber = regexp.MustCompile(`^[0-9]([.,][0-9]+[eE]\+?|[eE]\+)[0-9]+$`)

// checkDamage notes in p what was damaged, or taken from another column, before it came here.
//
// Decided: docs/choices.md, "Uploads" and "Records taken in each for itself".
func (t Traveller) checkDamage(p *Problems, at ProblemPath, docExpire string, today Today) {
	for i, number := range [...]string{t.DocNumber, t.Phone} {
		if field := [...]string{"DocNumber", "Phone"}[i]; spreadsheetNumber.MatchString(number) {
			p.Add(at.Field(field), "The %s field was rounded by a spreadsheet: have it written as text.", field)
		}
	}
	switch {
	case !t.DocExpire.Valid():
	case t.DOB.Valid() && !isYearsAfter(t.DocExpire, t.DOB) && t.DocExpire < t.DOB.AddMonths(12):
		p.Add(at.Field(docExpire), "The %s field is before the first birthday.", docExpire)
	case today.Latest != "" && t.DocExpire > today.Latest.AddMonths(12*25): // no country's is valid for so long
		p.Add(at.Field(docExpire), "The %s field is more than 25 years away.", docExpire)
	}
}

// Check notes in p what is missing or wrong in r, record number record of an upload.
func (r TravelRequest) Check(p *Problems, record int, today Today) {
	r.check(p, record, RequestTraveller, today)
}

// CheckFed is Check for a record that the customer's system was asked for.
func (r TravelRequest) CheckFed(p *Problems, record int, today Today) {
	r.check(p, record, FedRequestTraveller, today)
}

func (r TravelRequest) check(p *Problems, record int, rules TravellerRules, today Today) {
	at := ProblemPath{Record: record, Section: "ExternalInfo"}
	keep(p, at, today, ExternalInfoRules, r.RequestID, r.SubRequestID)
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
		r.Flight.check(p, record, today)
	}
	if h := r.Hotel; h != nil {
		at := ProblemPath{Record: record, Section: "Hotel"}
		keep(p, at, today, HotelRules, string(h.CheckIn), string(h.CheckOut))
		if h.CheckIn.Valid() && h.CheckOut.Valid() && h.CheckOut <= h.CheckIn {
			p.Add(at.Field("CheckOut"), "The CheckOut field must be after CheckIn.")
		}
	}
	if v := r.Vehicle; v != nil {
		at := ProblemPath{Record: record, Section: "Details.Vehicle"}
		keep(p, at, today, VehicleRules, v.Name, string(v.Flag))
	}
}

// asksNothing reports whether r has neither a flight nor a hotel. If it has one,
// people fill in by hand what it leaves open.
func (r TravelRequest) asksNothing() bool {
	flight := r.Flight != nil && (r.Flight.Origin != "" || r.Flight.Destination != "" || r.Flight.Date != "" ||
		len(r.Flight.Via) > 0)
	return !flight && (r.Hotel == nil || *r.Hotel == HotelNeed{})
}

func (f FlightNeed) check(p *Problems, record int, today Today) {
	at := ProblemPath{Record: record, Section: "Flight"}
	keep(p, at, today, FlightRules, string(f.Origin), string(f.Destination), string(f.Date))
	for i, v := range f.Via {
		at := ProblemPath{Record: record, Section: "Flight.IntermediateAirports", Item: i + 1}
		keep(p, at, today, StopRules, string(v.Airport), string(v.Date))
	}
}

// Check notes in p what is missing or wrong in c, record number record of an upload.
func (c CrewChange) Check(p *Problems, record int, today Today) {
	c.check(p, record, CrewTraveller, today)
}

// CheckFed is Check for a record that the customer's system was asked for.
func (c CrewChange) CheckFed(p *Problems, record int, today Today) {
	c.check(p, record, FedCrewTraveller, today)
}

func (c CrewChange) check(p *Problems, record int, rules TravellerRules, today Today) {
	at := ProblemPath{Record: record}
	keep(p, at, today, CrewChangeRules, c.Vessel, c.TravelRequestID, string(c.Flag), string(c.ChangeDate))
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
	keep(p, at, today, CrewMemberRules, string(m.Arrive.Date), string(m.Arrive.Airport), string(m.Depart.Date),
		string(m.Depart.Airport), string(m.ChangeDate))
}

// CheckLetters notes in p which names of t lost letters before they came here, and calls twice for each whose letters
// seem to have been encoded twice. It is for records that were read from a document whose letters may be misread.
//
// Decided: docs/choices.md, "Documents".
func (t *Traveller) CheckLetters(p *Problems, at ProblemPath, twice func(path, name string)) {
	checkLetters(p, at, "LastName", t.LastName, twice)
	checkLetters(p, at, "FirstName", t.FirstName, twice)
}

func checkLetters(p *Problems, at ProblemPath, field, name string, twice func(path, name string)) {
	switch {
	case strings.Contains(name, "\ufffd"):
		p.Add(at.Field(field), "The %s field has letters that could not be read (U+FFFD).", field)
	case EncodedTwice(name):
		twice(at.Field(field), name)
	}
}

// CheckLetters is Traveller.CheckLetters for the traveller of r.
func (r *TravelRequest) CheckLetters(p *Problems, at ProblemPath, twice func(path, name string)) {
	at.Section = "Traveler"
	r.Traveller.CheckLetters(p, at, twice)
}

// CheckLetters is Traveller.CheckLetters for the vessel and each member of c.
func (c *CrewChange) CheckLetters(p *Problems, at ProblemPath, twice func(path, name string)) {
	checkLetters(p, at, "Vessel", c.Vessel, twice)
	for i := range c.OnSigners {
		at.Section, at.Item = "Onsigners", i+1
		c.OnSigners[i].CheckLetters(p, at, twice)
	}
	for i := range c.OffSigners {
		at.Section, at.Item = "Offsigners", i+1
		c.OffSigners[i].CheckLetters(p, at, twice)
	}
}

// noteMissing notes that a field is required, unless there is a problem with it already.
func noteMissing(p *Problems, at ProblemPath, field string) {
	if path := at.Field(field); !p.Has(path) {
		p.Add(path, "The %s field is required.", field)
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

package gangway

import (
	"regexp"
	"strings"
	"unicode"
)

// Check notes in p what is missing or wrong in t, whose path is at. Codes are expected in upper case already.
func (t *Traveller) Check(p *Problems, at ProblemPath, of Record, today Today) {
	of.check(t, p, at, today)
	if of.Demand == Everywhere {
		t.checkDamage(p, at, "DocExpire", today)
	}
}

// spreadsheetNumber is how spreadsheets write a long number: its last figures are lost.
var spreadsheetNumber = regexp.MustCompile(`^[0-9]([.,][0-9]+[eE]\+?|[eE]\+)[0-9]+$`)

// checkDamage notes in p what was damaged, or taken from another column, before it came here.
//
// Decided: docs/choices.md, "Uploads" and "Records taken in each for itself".
func (t *Traveller) checkDamage(p *Problems, at ProblemPath, docExpire string, today Today) {
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

// Check notes in p what is missing or wrong in r, whose path is at.
func (r *TravelRequest) Check(p *Problems, at ProblemPath, of Record, today Today) {
	of.check(r, p, at, today)
	for key, value := range r.AdditionalInfo {
		if !departureTime(key) || value == "" {
			continue
		}
		if _, ok := MinuteOfDay(value); !ok {
			p.Add(at.Inside("ExternalInfo", 0).Field("AdditionalInfo."+key), "The time must be written HH:MM.")
		}
	}
	if of.Demand == Everywhere {
		r.Traveller.checkDamage(p, at.Inside("Traveler", 0), "DocExpireDate", today)
	}
	if r.asksNothing() && !p.Has(at.Field("Flight")) && !p.Has(at.Field("Hotel")) {
		p.Add(at.Field("Flight"), "Either the Flight or the Hotel field is required.")
	}
	if h := r.Hotel; h != nil && h.CheckIn.Valid() && h.CheckOut.Valid() && h.CheckOut <= h.CheckIn {
		p.Add(at.Inside("Hotel", 0).Field("CheckOut"), "The CheckOut field must be after CheckIn.")
	}
}

// asksNothing reports whether r has neither a flight nor a hotel. If it has one,
// people fill in by hand what it leaves open.
func (r *TravelRequest) asksNothing() bool {
	flight := r.Flight != nil && (r.Flight.Origin != "" || r.Flight.Destination != "" || r.Flight.Date != "" ||
		len(r.Flight.Via) > 0)
	return !flight && (r.Hotel == nil || *r.Hotel == HotelNeed{})
}

// Check notes in p what is missing or wrong in c, whose path is at.
func (c *CrewChange) Check(p *Problems, at ProblemPath, of Record, today Today) {
	of.check(c, p, at, today)
	if c.Size() == 0 && !p.Has(at.Field("Onsigners")) && !p.Has(at.Field("Offsigners")) {
		p.Add(at.Field("Onsigners"), "At least one member in Onsigners or Offsigners is required.")
	}
	if of.Demand != Everywhere {
		return
	}
	for i := range c.OnSigners {
		c.OnSigners[i].checkDamage(p, at.Inside("Onsigners", i+1), "DocExpire", today)
	}
	for i := range c.OffSigners {
		c.OffSigners[i].checkDamage(p, at.Inside("Offsigners", i+1), "DocExpire", today)
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

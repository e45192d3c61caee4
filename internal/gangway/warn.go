package gangway

import (
	"cmp"
	"strconv"
	"strings"
)

// A WarningContext is what warnings about a record depend on besides the record itself.
type WarningContext struct {
	Today Today
	Known func(Airport) bool // whether some airport or city has this code
}

// Warn notes in w what is accepted but will cause trouble when t, at the path at,
// is booked. expiry is what the record calls the passport's expiry; travel is the last day on which t travels, empty if
// it is not known.
//
// Decided: docs/choices.md, "Uploads".
func (t *Traveller) Warn(w *Problems, at ProblemPath, expiry string, travel Date, o WarningContext) {
	t.checkDamage(w, at, expiry, o.Today) // an upload is stored as it was sent
	if words := t.PassportEnds(travel, o.Today.Earliest); words != "" && !w.Has(at.Field(expiry)) {
		w.Add(at.Field(expiry), "The %s field: the passport %s.", expiry, words)
	}
	warnAirport(w, at, "HomeAirport", t.HomeAirport, o)
	t.warnNames(w, at)
	if t.Email != "" && !EmailAddress(t.Email) {
		w.Add(at.Field("Email"), "The Email field is not an e-mail address.")
	}
	if t.Phone != "" && !PhoneNumber(t.Phone) && !w.Has(at.Field("Phone")) {
		w.Add(at.Field("Phone"), "The Phone field is not a phone number, as in +63 917 555 0101.")
	}
}

// PassportEnds says, as the end of a sentence about the passport, that it has
// expired, or expires before travel or within six months of it, which many
// countries do not accept; empty when there is nothing to say. travel is the
// last day of travel; if it is empty or over, today counts instead.
func (t *Traveller) PassportEnds(travel, today Date) string {
	of := "travel"
	if travel < today {
		travel, of = today, "today"
	}
	switch {
	case t.DocExpire == "", isYearsAfter(t.DocExpire, travel):
		return ""
	case t.DocExpire < today:
		return "has expired"
	case t.DocExpire < travel:
		return "ends before travel"
	case t.DocExpire < travel.AddMonths(6):
		return "ends within six months of " + of + ", which many countries do not accept"
	}
	return ""
}

// isYearsAfter reports whether d is at least a year after other, judging by the years alone: nearly
// all passports end so much later that the calendar need not be consulted.
func isYearsAfter(d, other Date) bool {
	return len(d) == 10 && len(other) == 10 && digits(d[:4]) >= digits(other[:4])+2
}

// Warn notes in w what is accepted but will cause trouble when r, which stands at at, is booked.
func (r *TravelRequest) Warn(w *Problems, at ProblemPath, o WarningContext) {
	r.Traveller.Warn(w, at.Inside("Traveler", 0), "DocExpireDate", r.LastDay(), o)
	if r.Flight != nil {
		r.Flight.warn(w, at.Inside("Flight", 0), o)
	}
	if h := r.Hotel; h != nil {
		at := at.Inside("Hotel", 0)
		if h.CheckIn == "" {
			w.Add(at.Field("CheckIn"), "The CheckIn field is missing: the hotel is listed under “no date yet” until "+
				"it comes.")
		}
		if h.CheckOut == "" {
			w.Add(at.Field("CheckOut"), "The CheckOut field is missing: it is not known how many nights are wanted.")
		}
		warnOver(w, at, "CheckIn", h.CheckIn, o)
		warnOver(w, at, "CheckOut", h.CheckOut, o)
	}
}

// LastDay returns the last day of r that is known; empty when none is.
func (r *TravelRequest) LastDay() (last Date) {
	if r.Flight != nil {
		last = r.Flight.Date
		for _, v := range r.Flight.Via {
			last = max(last, v.Date)
		}
	}
	if r.Hotel != nil && last == "" {
		last = max(r.Hotel.CheckIn, r.Hotel.CheckOut)
	}
	return last
}

func (f *FlightNeed) warn(w *Problems, at ProblemPath, o WarningContext) {
	warnAirport(w, at, "Origin", f.Origin, o)
	warnAirport(w, at, "Destination", f.Destination, o)
	f.warnEnds(w, at)
	if f.Date == "" {
		w.Add(at.Field("Date"), "The Date field is missing: the flight is listed under “no date yet” until it comes.")
	}
	if f.Reading() == Unordered {
		w.Add(at.Field("Date"), "The dates of the flights are not in order: they are neither those of the "+
			"flights from each airport nor those of the flights to it.")
	}
	warnOver(w, at, "Date", f.Date, o)
	for i, v := range f.Via {
		at := at.Inside("IntermediateAirports", i+1)
		warnAirport(w, at, "Airport", v.Airport, o)
		if v.Date == "" {
			w.Add(at.Field("Date"), "The Date field is missing: the day of this flight is filled in by hand.")
		}
		warnOver(w, at, "Date", v.Date, o)
	}
}

// warnEnds warns of a first or last airport that is missing or hard to believe.
func (f *FlightNeed) warnEnds(w *Problems, at ProblemPath) {
	if f.Origin == "" {
		w.Add(at.Field("Origin"), "The Origin field is missing: where the flight begins is filled in by hand.")
	}
	if f.Destination == "" {
		w.Add(at.Field("Destination"), "The Destination field is missing: where the flight ends is filled in by hand.")
	}
	if f.Destination != "" && f.Destination == f.Origin {
		w.Add(at.Field("Destination"), "The Destination field is the same as Origin.")
	}
}

// Warn notes in w what is accepted but will cause trouble when the members of c, which stands
// at at, are booked.
func (c *CrewChange) Warn(w *Problems, at ProblemPath, o WarningContext) {
	warnOver(w, at, "ChangeDate", c.ChangeDate, o)
	for i := range c.OnSigners {
		c.OnSigners[i].warn(w, at.Inside("Onsigners", i+1), c.ChangeDate, OnSigner, o)
	}
	for i := range c.OffSigners {
		c.OffSigners[i].warn(w, at.Inside("Offsigners", i+1), c.ChangeDate, OffSigner, o)
	}
	c.warnTwice(w, at)
}

func (m *CrewMember) warn(w *Problems, at ProblemPath, change Date, side Side, o WarningContext) {
	travel := cmp.Or(m.Call(side).Date, m.ChangeDate, change)
	m.Traveller.Warn(w, at, "DocExpire", travel, o)
	warnOver(w, at, "Arrive", m.Arrive.Date, o)
	warnAirport(w, at, "Arrive.Port", m.Arrive.Airport, o)
	warnOver(w, at, "Depart", m.Depart.Date, o)
	warnAirport(w, at, "Depart.Port", m.Depart.Airport, o)
	warnOver(w, at, "ChangeDate", m.ChangeDate, o)
	change = cmp.Or(m.ChangeDate, change)
	warnFar(w, at, "Arrive", m.Arrive.Date, change, o)
	warnFar(w, at, "Depart", m.Depart.Date, change, o)
}

func warnOver(w *Problems, at ProblemPath, field string, d Date, o WarningContext) {
	if o.Today.Over(d) {
		w.Add(at.Field(field), "The %s field is in the past.", field)
	}
}

func warnAirport(w *Problems, at ProblemPath, field string, a Airport, o WarningContext) {
	if a != "" && o.Known != nil && !o.Known(a) {
		w.Add(at.Field(field), "The %s field has a code that no airport or city has.", field)
	}
}

// mostTicketLetters is how many letters of a last name, or of first names, the
// common reservation systems accept. Some suppliers accept fewer.
const mostTicketLetters = 29

// warnNames warns of names that cannot be printed on a ticket until a person
// has typed them in other letters, or shorter.
func (t *Traveller) warnNames(w *Problems, at ProblemPath) {
	short := len(t.LastName) <= mostTicketLetters && len(t.FirstName) <= mostTicketLetters
	if short && ticketLetters(t.LastName) && ticketLetters(t.FirstName) {
		return
	}
	for _, p := range t.TicketProblems(mostTicketLetters) {
		field := "LastName"
		if p.Field == "first_name" {
			field = "FirstName"
		}
		if p.Letters > 0 {
			w.Add(at.Field(field), "The %s field has %d letters on a ticket, where at most %d fit: it is shortened "+
				"by hand.", field, p.Letters, p.Longest)
			continue
		}
		w.Add(at.Field(field), "The %s field cannot be written in the letters of a ticket, A to Z.", field)
	}
}

// ticketLetters reports whether name consists of the characters that nearly all
// names consist of, so that no table is needed to transliterate it.
func ticketLetters(name string) bool {
	letters := 0
	for i := range len(name) {
		switch c := name[i] | 0x20; {
		case c >= 'a' && c <= 'z':
			letters++
		case name[i] != ' ' && name[i] != '-' && name[i] != '\'':
			return false
		}
	}
	return letters > 0
}

// EmailAddress reports whether s can be an address that mail is sent to: one @
// with something before it and a domain after it, and no blanks.
func EmailAddress(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at > 64 || strings.IndexByte(s, '@') != at {
		return false
	}
	for i := range len(s) {
		if noAddress[s[i]] {
			return false
		}
	}
	local, domain := s[:at], s[at+1:]
	return dotted(local) && dotted(domain) && strings.IndexByte(domain, '.') > 0
}

// noAddress lists what no address contains unless it is quoted, which nobody does.
var noAddress = func() (none [256]bool) {
	for c := range ' ' + 1 {
		none[c] = true
	}
	for _, c := range "<>()[],;:\\\"\x7f" {
		none[c] = true
	}
	return none
}()

// dotted reports whether no part of s between dots is empty.
func dotted(s string) bool {
	return s != "" && s[0] != '.' && s[len(s)-1] != '.' && !strings.Contains(s, "..")
}

// IDAt returns the customer's identifier of the record at a path of an upload.
func (t Traveller) IDAt(string) string { return t.ID }

// IDAt returns the customer's identifier of the record at a path of an upload.
func (r TravelRequest) IDAt(string) string {
	if r.SubRequestID == "" {
		return r.RequestID
	}
	return r.RequestID + "/" + r.SubRequestID
}

// IDAt returns the customer's identifier of the record at a path of an upload:
// of the member that the field belongs to, or else of the crew change.
func (c CrewChange) IDAt(path string) string {
	_, field, _ := strings.Cut(path, "].")
	members := c.OnSigners
	rest, ok := strings.CutPrefix(field, "Onsigners[")
	if !ok {
		members = c.OffSigners
		rest, ok = strings.CutPrefix(field, "Offsigners[")
	}
	index, _, _ := strings.Cut(rest, "]")
	if i, err := strconv.Atoi(index); ok && err == nil && i < len(members) {
		return members[i].ID
	}
	return c.TravelRequestID
}

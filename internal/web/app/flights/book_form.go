package flights

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
	"gangway/internal/world"
)

// A BookForm is the text in the fields of the Book page, exactly as typed, and what
// is wrong with it.
type BookForm struct {
	Name       string // the surname, perhaps with more, as typed
	Traveller  string // key of the stored traveller who was picked, or fromRequest
	Request    string // travel request that the form was filled in from
	SubRequest string
	Hand       TypedDetails
	ByHand     bool // the traveller's details are typed by hand
	HidesDoc   bool // only the end of the passport number in Hand is shown
	Legs       []BookLeg
	When       string // "depart", or "arrive" to be there by Time on the date
	Time       string
	Fare       string
	Vessel     string
	Flag       string

	Wrong   map[string]string   // by field: a sentence
	Choices map[string][]Choice // by field: what may have been meant

	Understood []string // how places were read that nobody picked from a list
}

// fromRequest takes the place of a key for a traveller who is known only from the
// travel request.
const fromRequest = "request"

// TypedDetails holds a traveller's details as they were typed.
type TypedDetails struct {
	LastName, FirstName, DOB, Gender, Nationality, DocCountry, DocNumber, DocExpire, Email, Phone string
	// asked for on the page of a hold only
	FrequentFlyer string
	// where the ticket is to have another name
	TicketLast, TicketFirst string
}

// A BookLeg is one flight of the form.
type BookLeg struct{ From, To, Date string }

// A Choice is one of several things that may have been meant.
type Choice struct {
	Value string // for the button: the field and what to write into it
	Words string
	About string
}

// readDates reads the dates, with their years, where they can be read.
func (h *TypedDetails) readDates() {
	for _, typed := range []*string{&h.DOB, &h.DocExpire} {
		if d, err := gangway.ReadDate(*typed, "", gangway.Dated); err == nil {
			*typed = string(d)
		}
	}
}

// ReadBookForm reads the form, posted or from a query.
func (room *Room) ReadBookForm(r *http.Request) BookForm {
	r.ParseForm() // a form that cannot be read is empty, and each field says what it needs
	v := func(name string) string { return strings.TrimSpace(r.Form.Get(name)) }
	f := BookForm{
		Name: v("name"), Traveller: v("traveller"), Request: v("request"), SubRequest: v("sub"),
		Hand: TypedDetails{
			LastName: v("last_name"), FirstName: v("first_name"), DOB: v("dob"), Gender: v("gender"),
			Nationality: v("nationality"),
			DocCountry:  v("doc_country"), DocNumber: v("doc_number"), DocExpire: v("doc_expire"), Email: v("email"),
			Phone:      v("phone"),
			TicketLast: v("ticket_last"), TicketFirst: v("ticket_first"),
		},
		When: v("when"), Time: v("time"), Fare: v("fare"), Vessel: v("vessel"), Flag: strings.ToUpper(v("flag")),
		Wrong: map[string]string{}, Choices: map[string][]Choice{},
	}
	if f.Hand.LastName != "" || f.Hand.FirstName != "" {
		f.ByHand, f.Traveller, f.Name = true, "", f.Hand.LastName+", "+f.Hand.FirstName
	}
	f.Hand.readDates()
	if clock, ok := gangway.ReadClock(f.Time); ok {
		f.Time = clock
	}
	for i := range max(1, min(len(r.Form["to"]), 8)) {
		at := func(name string) string {
			if i < len(r.Form[name]) {
				return strings.TrimSpace(r.Form[name][i])
			}
			return ""
		}
		day := shell.DayOf(at("date"), room.Date(r), gangway.Next)
		if day.Wrong != "" {
			f.Wrong["date"+strconv.Itoa(i)] = day.Wrong
		}
		f.Legs = append(f.Legs, BookLeg{at("from"), at("to"), cmp.Or(string(day.Date), day.Typed)})
	}
	if f.When != "arrive" {
		f.When = "depart"
	}
	return f
}

// prefilled is the form that the query fills in. A travel request or a stored
// traveller fills what it can; fields named in the query win.
func (room *Room) prefilled(r *http.Request, in store.Scoped) (BookForm, error) {
	f := room.ReadBookForm(r)
	for i := range f.Legs {
		f.Legs[i].From, f.Legs[i].To = labelledPlace(f.Legs[i].From), labelledPlace(f.Legs[i].To)
	}
	if f.Request != "" {
		q, err := in.TravelRequest(r.Context(), f.Request, f.SubRequest)
		if err != nil {
			return f, err
		}
		f.Fill(book.SearchForRequest(q.TravelRequest, "", room.Now()))
		f.Traveller = fromRequest
		f.startAtHome(q.Traveller)
		return f, nil
	}
	if f.Traveller == "" {
		return f, nil
	}
	t, err := TravellerBy(r.Context(), in, f.Traveller)
	if err != nil {
		return f, err
	}
	f.pick(r.Context(), t)
	return f, nil
}

// labelledPlace adds the name to a code that comes without one, as in a link.
func labelledPlace(text string) string {
	if p, ok := world.PlaceOf(text); ok {
		return PlaceLabel(placeCode(text, p))
	}
	return text
}

// Fill writes a search for one traveller into the form.
func (f *BookForm) Fill(s gangway.Search) {
	m := s.Members[0]
	f.Name = m.Traveller.LastName + ", " + m.Traveller.FirstName
	f.Vessel, f.Flag, f.Fare = s.Vessel, string(s.Flag), string(m.FareType)
	if len(m.Legs) == 0 {
		return
	}
	f.Legs = nil
	for _, l := range m.Legs {
		f.Legs = append(f.Legs, BookLeg{PlaceLabel(l.Origin), PlaceLabel(l.Destination), string(legDate(l))})
		if l.ArriveOn != "" {
			f.When, f.Time = "arrive", l.ArriveBy
		}
	}
}

// pick writes a stored traveller into the form.
func (f *BookForm) pick(ctx context.Context, t gangway.Traveller) {
	f.Traveller, f.Name = TravellerRef(ctx, t), t.LastName+", "+t.FirstName
	f.startAtHome(t)
}

// startAtHome fills in the traveller's home airport where no origin was typed.
func (f *BookForm) startAtHome(t gangway.Traveller) {
	if f.Legs[0].From == "" && t.HomeAirport != "" && f.Wrong["from0"] == "" {
		f.Legs[0].From = PlaceLabel(gangway.Place(t.HomeAirport))
	}
}

// Step carries out a button that only changes the form, and reports whether one was
// pressed.
func (f *BookForm) Step(step, chosen string) bool {
	if field, value, ok := strings.Cut(chosen, " "); ok {
		name, n := field, 0
		if i := strings.IndexAny(field, "0123456789"); i > 0 {
			name = field[:i]
			n, _ = strconv.Atoi(field[i:])
		}
		switch {
		case name == "traveller":
			f.Traveller = value
		case name == "from" && n < len(f.Legs):
			f.Legs[n].From = value
		case name == "to" && n < len(f.Legs):
			f.Legs[n].To = value
		}
		return true
	}
	switch last := len(f.Legs) - 1; step {
	case "add":
		f.Legs = append(f.Legs, BookLeg{From: f.Legs[last].To})
	case "remove":
		f.Legs = f.Legs[:max(1, last)]
	default:
		return false
	}
	return true
}

// traveller returns the traveller that the form is about, as far as it says.
func (f *BookForm) traveller(ctx context.Context, in store.Scoped) (gangway.Traveller, error) {
	switch {
	case f.ByHand:
		return f.Hand.Traveller(), nil
	case f.Traveller == fromRequest && f.Request != "":
		q, err := in.TravelRequest(ctx, f.Request, f.SubRequest)
		return q.Traveller, err
	case f.Traveller != "":
		return TravellerBy(ctx, in, f.Traveller)
	}
	return gangway.Traveller{}, nil
}

// Traveller is the traveller whose details were typed.
func (h TypedDetails) Traveller() gangway.Traveller {
	member, _ := gangway.ParseFrequentFlyer(h.FrequentFlyer) // its field says what is wrong with it
	return gangway.Traveller{
		LastName: h.LastName, FirstName: h.FirstName, DOB: gangway.Date(h.DOB), Gender: h.Gender,
		Nationality: gangway.Country(strings.ToUpper(h.Nationality)),
		DocCountry:  gangway.Country(strings.ToUpper(h.DocCountry)),
		DocNumber:   strings.ToUpper(h.DocNumber), DocExpire: gangway.Date(h.DocExpire), Email: h.Email, Phone: h.Phone,
		FrequentFlyer: member,
		OnTicket:      gangway.TicketName{Last: strings.ToUpper(h.TicketLast), First: strings.ToUpper(h.TicketFirst)},
	}
}

// travelDate returns the date of the last flight, which a passport must outlast, or nothing where it is no date.
func (f *BookForm) travelDate() gangway.Date {
	if d := gangway.Date(f.Legs[len(f.Legs)-1].Date); d.Valid() {
		return d
	}
	return ""
}

// searchOf turns the form into a search for one traveller. Fields that it cannot read
// are noted in f.Wrong; an error means that the store did not answer.
func (room *Room) searchOf(ctx context.Context, f *BookForm, in store.Scoped) (gangway.Search, error) {
	s := gangway.Search{Vessel: f.Vessel, Flag: gangway.Country(f.Flag)}
	m := gangway.SearchMember{FareType: gangway.FareType(f.Fare)}
	if f.Request != "" {
		q, err := in.TravelRequest(ctx, f.Request, f.SubRequest)
		if err != nil && gangway.KindOf(err) != gangway.NotFound {
			return s, err
		}
		if err == nil {
			m = book.SearchForRequest(q.TravelRequest, "", s.CreatedAt).Members[0]
			m.FareType = gangway.FareType(f.Fare)
		}
	}
	var err error
	if m.Traveller, err = room.whoFlies(ctx, f, in); err != nil {
		return s, err
	}
	m.Legs = f.ReadLegs()
	f.checkFare()
	s.Members = []gangway.SearchMember{m}
	return s, nil
}

// whoFlies returns the traveller. Where the form has only a name, it looks the traveller
// up, also in the customer's system.
func (room *Room) whoFlies(ctx context.Context, f *BookForm, in store.Scoped) (gangway.Traveller, error) {
	if f.ByHand {
		return f.ReadByHand(), nil
	}
	t, err := f.traveller(ctx, in)
	if gangway.KindOf(err) == gangway.NotFound {
		f.Traveller = ""
		f.Wrong["name"] = "This traveller is no longer on record. Choose again, or type the details by hand."
		return t, nil
	}
	if err != nil || f.Traveller != "" {
		return t, err
	}
	if strings.Trim(f.Name, ", ") == "" {
		f.Wrong["name"] = "Who flies? Type the start of a name, or the details by hand."
		return t, nil
	}
	asking, err := room.askTravellers(ctx, in, f.Name, false)
	if err != nil {
		return t, err
	}
	found, err := book.Suggest(ctx, in, f.Name, 12)
	if err != nil {
		return t, err
	}
	if len(found) == 0 {
		f.Wrong["name"] = "Nobody by this name was received. Type the details by hand."
		if asking.Line != "" {
			f.Wrong["name"] = asking.Silence + ", and nobody by this name was received before. " +
				"Type the details by hand."
		}
		return t, nil
	}
	f.Wrong["name"] = "Several match: choose one"
	about, err := AboutAll(ctx, in, found, gangway.DateOf(room.Clock(ctx).UTC()))
	if err != nil {
		return t, err
	}
	for i, t := range found {
		f.Choices["name"] = append(f.Choices["name"], Choice{"traveller " + TravellerRef(ctx, t), t.LastName + ", " +
			t.FirstName, about[i]})
	}
	return t, nil
}

// ReadByHand returns the traveller whose details were typed by hand.
func (f *BookForm) ReadByHand() gangway.Traveller {
	t := f.Hand.Traveller()
	want := func(field string, ok bool, sentence string) {
		if !ok {
			f.Wrong[field] = sentence
		}
	}
	known := func(c gangway.Country) bool { return c == "" || c.Assigned() }
	want("last_name", isWrittenName(t.LastName), "Letters and spaces, as in the passport.")
	want("first_name", isWrittenName(t.FirstName), "Letters and spaces, as in the passport.")
	for field, date := range map[string]gangway.Date{"dob": t.DOB, "doc_expire": t.DocExpire} {
		if day := shell.DayOf(string(date), "", gangway.Dated); day.Wrong != "" {
			f.Wrong[field] = day.Wrong
		}
	}
	want("dob", t.DOB == "" || !t.DOB.Valid() || (gangway.Today{}).Birth(t.DOB) == "", "A date, as in 12 mar 1985.")
	want("gender", t.Gender == "" || t.Gender == "M" || t.Gender == "F", "M or F, as in the passport.")
	want("nationality", known(t.Nationality), "Two letters, as in PH.")
	want("doc_country", known(t.DocCountry), "Two letters, as in PH.")
	want("doc_number", len(t.DocNumber) <= 20, "At most 20 characters.")
	want("doc_number", t.DocNumber == "" || gangway.PassportNumber(t.DocNumber), "Letters and digits, as in P1234567A.")
	want("doc_number", !masked(t.DocNumber), retype)
	want("email", t.Email == "" || gangway.EmailAddress(t.Email), "An address, as in ana@example.com.")
	want("phone", t.Phone == "" || gangway.PhoneNumber(t.Phone), "With the country’s code, as in +63 917 555 0101.")
	return t
}

// isWrittenName reports whether name is written as names are, in any script.
func isWrittenName(name string) bool {
	return strings.ContainsFunc(name, unicode.IsLetter) && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(" -.'’", r)
	})
}

// ReadLegs reads the flights that the form asks for.
func (f *BookForm) ReadLegs() []gangway.Leg {
	var legs []gangway.Leg
	last := gangway.Date("")
	for i := range f.Legs {
		l, n := &f.Legs[i], strconv.Itoa(i)
		leg := gangway.Leg{Origin: f.Place("from"+n, &l.From), Destination: f.Place("to"+n, &l.To)}
		date := gangway.Date(l.Date)
		switch {
		case !date.Valid():
			f.Wrong["date"+n] = cmp.Or(f.Wrong["date"+n], "Which day?")
		case date < last:
			f.Wrong["date"+n] = "This is before the flight above."
		}
		if book.SamePlace(leg.Origin, leg.Destination) {
			f.Wrong["to"+n] = "This is where the flight starts."
		}
		leg.Date, last = date, date
		legs = append(legs, leg)
	}
	if end := &legs[len(legs)-1]; f.When == "arrive" {
		end.ArriveOn, end.Date = end.Date, ""
		end.ArriveBy = f.Time
		if _, ok := gangway.MinuteOfDay(f.Time); !ok && f.Time != "" {
			f.Wrong["time"] = "A time, as in 18:00."
		}
	}
	return legs
}

func (f *BookForm) checkFare() {
	known := []string{"", string(gangway.Marine), string(gangway.Public)}
	switch {
	case !slices.Contains(known, f.Fare):
		f.Fare = ""
	case f.Fare == string(gangway.Marine) && f.Vessel == "":
		f.Wrong["vessel"] = "Marine fares need the vessel."
	}
	if f.Fare == string(gangway.Marine) && f.Flag == "" {
		f.Wrong["flag"] = "Marine fares need the flag."
	} else if f.Flag != "" && !gangway.Country(f.Flag).Assigned() {
		f.Wrong["flag"] = "Two letters, as in PA."
	}
}

// Place reads a field that names an airport, a city or a port. Where it may mean
// several, the form offers them.
func (f *BookForm) Place(field string, text *string) gangway.Place {
	if *text == "" {
		f.Wrong[field] = "Which airport, city or port?"
		return ""
	}
	if p, ok := world.PlaceOf(FirstWord(*text)); ok && PlaceLabel(placeCode(FirstWord(*text), p)) == *text {
		return placeCode(FirstWord(*text), p)
	}
	if p, ok := world.TypedCode(*text); ok {
		code := placeCode(*text, p)
		*text = PlaceLabel(code)
		return code
	}
	found, clear := findPlaces(f.end(field), *text, 8)
	switch {
	case len(found) == 0:
		f.Wrong[field] = "No airport, city or port is called this."
		return ""
	case clear:
		f.Understood = append(f.Understood, found[0].Name+" — understood from “"+*text+"”")
		*text = found[0].Label
		return found[0].Code
	}
	f.Wrong[field] = "Several match: choose one"
	for _, p := range found {
		f.Choices[field] = append(f.Choices[field], Choice{field + " " + p.Label, p.Label, p.About})
	}
	return ""
}

// end is the end of the journey that a field asks for.
func (f *BookForm) end(field string) world.End {
	n, err := strconv.Atoi(strings.TrimPrefix(field, "to"))
	if err != nil || n >= len(f.Legs) {
		return fieldEnd(field, "")
	}
	return fieldEnd("to", f.Legs[n].From)
}

// fieldEnd is the end that the field of a name asks for, beside what its field "from" says.
func fieldEnd(field, from string) world.End {
	switch {
	case strings.HasPrefix(field, "from"):
		return world.HomeEnd
	case field == "to":
		return world.DestinationFrom(FirstWord(from))
	}
	return world.ShipEnd
}

// findFlag fills in the flag of a vessel that has a crew change. Without a flag there are no marine fares, which the
// next page then says.
func (f *BookForm) findFlag(ctx context.Context, in store.Scoped) error {
	if f.Vessel == "" || f.Flag != "" {
		return nil
	}
	keys, err := in.CrewChangesOf(ctx, gangway.Fold(f.Vessel), "", 1)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		f.Understood = append(f.Understood, "No marine fares: the flag of "+f.Vessel+" is not known")
		return nil
	}
	c, err := in.CrewChange(ctx, keys[0])
	if err == nil {
		f.Flag = string(c.Flag)
		f.Understood = append(f.Understood, "Flag "+f.Flag+", as in the crew change of "+c.Vessel)
	}
	return err
}

// Tell has the next page say how places were read.
func (f *BookForm) Tell(ctx context.Context, room *shell.Shell) {
	if len(f.Understood) > 0 {
		room.Sessions.SetFlash(ctx, strings.Join(f.Understood, " · "))
	}
}

// FirstWord is the code at the start of a label in a field.
func FirstWord(text string) string {
	word, _, _ := strings.Cut(text, " ")
	return word
}

package bookings

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
	"gangway/internal/world"
)

// An entryPage is the form for a booking made elsewhere: by phone, or by another agency. With a
// Locator it is the form for the flights that such a booking was changed to.
type entryPage struct {
	entryForm
	Booking  string // the identifier of the new booking, as forms carry it, or of the changed one
	Locator  string
	Currency string // of a change
	Ticketed bool   // of a change: there are tickets, so the change may cost something
	Twice    []flights.TwiceRow
	Airlines []world.Airline
}

// An entryForm is what was typed into the fields.
type entryForm struct {
	Passenger                                 flights.PassengerForm
	Known, Traveller                          string // the name searched for, and the key of the traveller picked
	Flights                                   []entryFlight
	Agency, PNRs, Tickets, TicketBy           string
	Total, Taxes, Fees, Due                   string
	FareType, Cancellations, Changes, Baggage string
	Vessel, Flag, Side, Request, Sub          string
	Sure                                      string // similar bookings that this is not one of

	Wrong map[string]string
	today gangway.Date
}

// An entryFlight is a row of the itinerary.
type entryFlight struct{ Number, From, To, Departs, Arrives, Cabin, Wrong string }

// entryRows is how many flights the form has room for at first, and mostEntryRows at most.
const (
	entryRows     = 3
	mostEntryRows = 12
)

// Enter shows the empty form.
func (room *Room) Enter(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	f := entryForm{Passenger: flights.PassengerOf(gangway.Traveller{}, 0), Flights: make([]entryFlight, entryRows),
		FareType: string(gangway.Public), Wrong: map[string]string{}}
	return room.showEntry(w, r, entryPage{entryForm: f, Booking: room.flights.Forms(r.Context(), in,
		gangway.Search{}).Fresh(flights.EntryPlace)}, http.StatusOK)
}

func (room *Room) showEntry(w http.ResponseWriter, r *http.Request, p entryPage, status int) error {
	p.Airlines = world.Airlines()
	title, answer := "Enter a booking", "Made by phone or by another agency: it is delivered and reported like any "+
		"other"
	if p.Locator != "" {
		title, answer = "Change "+p.Locator, "Enter the flights that it was changed to, and what that cost"
	}
	if n := len(p.Wrong); n > 0 {
		answer = shell.Plural(n, "field", "fields") + " to correct; nothing was entered"
	}
	return room.Show(w, r, shell.Page{Template: "entry", Section: "bookings", Title: title, Answer: answer,
		Status: status, Data: p})
}

// readEntryForm reads the form as typed.
func (room *Room) readEntryForm(r *http.Request) entryForm {
	r.ParseForm() // an unreadable form counts as empty, and the fields say so
	v := func(name string) string { return strings.TrimSpace(r.PostForm.Get(name)) }
	f := entryForm{
		Known: v("known"), Traveller: v("traveller"),
		Agency: v("agency"), PNRs: v("pnrs"), Tickets: v("tickets"), TicketBy: v("ticket_by"), Total: v("total"),
		Taxes: v("taxes"), Fees: v("fees"), Due: v("due"),
		FareType: v("fare_type"), Cancellations: v("cancellations"), Changes: v("changes"), Baggage: v("baggage"),
		Vessel: v("vessel"), Flag: strings.ToUpper(v("flag")), Side: v("side"), Request: v("request"),
		Sub: v("sub_request"), Sure: v("sure"),
		Wrong: map[string]string{}, today: room.Date(r),
	}
	rows := min(max(len(r.PostForm["number"]), 1), mostEntryRows)
	column := func(name string, i int) string {
		if values := r.PostForm[name]; i < len(values) {
			return strings.TrimSpace(values[i])
		}
		return ""
	}
	for i := range rows {
		f.Flights = append(f.Flights, entryFlight{
			Number: column("number", i), From: column("from", i), To: column("to", i),
			Departs: column("departs", i), Arrives: column("arrives", i), Cabin: column("cabin", i),
		})
	}
	return f
}

// EnterBooking enters a booking.
func (room *Room) EnterBooking(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	f := room.readEntryForm(r)
	f.Passenger = flights.ReadPassenger(r, gangway.Traveller{}, "", 0, room.Today(r.Context()))
	p := entryPage{entryForm: f, Booking: r.PostFormValue("id")}
	if r.PostFormValue("step") == "more" {
		p.Flights = append(p.Flights, make([]entryFlight, min(2, mostEntryRows-len(p.Flights)))...)
		p.Passenger.Wrong = map[string]string{}
		return room.showEntry(w, r, p, http.StatusOK)
	}
	forms := room.flights.Forms(r.Context(), in, gangway.Search{})
	id, err := room.flights.BookingID(r.Context(), in, forms, flights.EntryPlace, p.Booking)
	if err != nil {
		return err
	}
	if id == "" {
		p.Booking, p.Wrong["form"] = forms.Fresh(flights.EntryPlace), flights.StaleForm
		return room.showEntry(w, r, p, http.StatusConflict)
	}
	e := p.entry()
	if p.Flag != "" && !gangway.Country(p.Flag).Assigned() {
		p.Wrong["flag"] = "Two letters, as in PA."
	}
	if len(p.Wrong) > 0 || len(p.Passenger.Wrong) > 0 {
		maps.Copy(p.Wrong, p.Passenger.Wrong)
		return room.showEntry(w, r, p, http.StatusUnprocessableEntity)
	}
	who, err := p.who(r, in)
	if err != nil {
		return err
	}
	v, _ := shell.VisitorOf(r.Context())
	b, err := room.desk.Enter(r.Context(), in, v.User, book.EntryAsk{
		ID: id, Passenger: who, Vessel: p.Vessel, Flag: gangway.Country(p.Flag), Side: gangway.Side(p.Side),
		RequestID: p.Request, SubID: p.Sub, Entry: e, Others: strings.Fields(p.Sure),
	})
	if twice := new(book.TwiceError); errors.As(err, &twice) {
		p.Twice = flights.TwiceRows(twice.Bookings)
		return room.showEntry(w, r, p, http.StatusConflict)
	}
	if err != nil {
		return room.entryRefused(w, r, p, err)
	}
	room.Sessions.SetFlash(r.Context(), "Entered as "+b.Locator+".")
	return room.Redirect(w, r, "/bookings/"+url.PathEscape(b.ID))
}

// who returns the passenger. If the name is still that of the traveller who was picked, the passenger
// keeps the customer's identifiers, and the passport that the customer sent unless one was typed.
func (p *entryPage) who(r *http.Request, in store.Scoped) (gangway.Traveller, error) {
	who := p.Passenger.Traveller()
	if p.Traveller == "" {
		return who, nil
	}
	known, err := flights.TravellerBy(r.Context(), in, p.Traveller)
	if gangway.KindOf(err) == gangway.NotFound || err == nil && gangway.Fold(known.LastName) !=
		gangway.Fold(who.LastName) {
		return who, nil
	}
	who = who.KeepUnasked(known)
	if who.DocNumber == "" {
		who.DocCountry, who.DocNumber, who.DocExpire = known.DocCountry, known.DocNumber, known.DocExpire
	}
	return who, err
}

// entryRefused shows the form again and says why it was refused.
func (room *Room) entryRefused(w http.ResponseWriter, r *http.Request, p entryPage, err error) error {
	switch gangway.KindOf(err) {
	case gangway.Invalid, gangway.Conflict:
		p.Wrong["form"] = shell.SentenceOf(err)
		return room.showEntry(w, r, p, http.StatusUnprocessableEntity)
	}
	return err
}

// entry reads the form and notes what is wrong with it.
func (f *entryForm) entry() flight.Entry {
	e := flight.Entry{Agency: f.Agency, PNRs: fieldWords(strings.ToUpper(f.PNRs)), Tickets: ticketNumbers(f.Tickets),
		Itinerary: f.itinerary()}
	var err error
	if e.Price.Total, err = gangway.ParseMoney(f.Total); err != nil {
		f.Wrong["total"] = "What it cost, as in 482.00 USD."
	}
	taxes, fees := f.part("taxes", f.Taxes, e.Price.Total), f.part("fees", f.Fees, e.Price.Total)
	if taxes.Minor+fees.Minor > e.Price.Total.Minor && err == nil {
		f.Wrong["fees"] = "Taxes and fee together are more than the total."
	}
	e.Price = gangway.PriceOf(e.Price.Total.Sub(taxes).Sub(fees), taxes, fees)
	for _, t := range e.Tickets {
		if len(t) != 13 || strings.Trim(t, "0123456789") != "" {
			f.Wrong["tickets"] = "Ticket numbers have 13 digits, as in 074-2412345678."
		}
	}
	if f.TicketBy != "" && len(e.Tickets) == 0 {
		at, err := gangway.ReadMoment(f.TicketBy, f.today, gangway.Next, time.UTC)
		if err != nil {
			f.Wrong["ticket_by"] = shell.SentenceOf(err)
		} else {
			e.TicketBy, f.TicketBy = at, at.Format(shell.MomentTyped)
		}
	}
	e.Terms = f.terms()
	e.Baggage = f.baggage(e.Itinerary)
	return e
}

// part reads an amount that is part of a total. An empty field means none.
func (f *entryForm) part(field, typed string, total gangway.Money) gangway.Money {
	none := gangway.Money{Currency: total.Currency}
	if typed == "" || total.Currency == "" {
		return none
	}
	m, err := gangway.ParseMoney(withCurrency(typed, total.Currency))
	if err != nil || m.Currency != total.Currency || m.Minor < 0 || m.Minor > total.Minor {
		f.Wrong[field] = "How much of the total is " + field + ", in the same currency."
		return none
	}
	return m
}

func withCurrency(amount, currency string) string {
	if strings.Contains(amount, " ") {
		return amount
	}
	return amount + " " + currency
}

func fieldWords(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return r == ',' || r == ';' || r == ' ' || r == '\n' || r == '\r' || r == '\t'
	})
}

// ticketNumbers reads ticket numbers as people write them: 074-2412345678, 074 2412345678 or
// 0742412345678, separated by commas or lines, or by nothing, as each has 13 digits.
func ticketNumbers(s string) []string {
	var list []string
	for _, part := range strings.FieldsFunc(s, func(r rune) bool {
		return r == ',' || r == ';' || r == '\n' || r == '\r'
	}) {
		digits := strings.NewReplacer("-", "", " ", "", "\t", "").Replace(part)
		for len(digits) > 13 && len(digits)%13 == 0 {
			list, digits = append(list, digits[:13]), digits[13:]
		}
		if digits != "" {
			list = append(list, digits)
		}
	}
	return list
}

// flightNumber is an airline's code and a number, as in "SQ 917".
var flightNumber = regexp.MustCompile(`^([A-Z0-9]{2}) ?0*([0-9]{1,4})$`)

// newLegAfter is how long a stay must be for the next flight to be a leg of its own.
const newLegAfter = 24 * time.Hour

// itinerary reads the rows that are not empty.
func (f *entryForm) itinerary() gangway.Itinerary {
	var it gangway.Itinerary
	for i := range f.Flights {
		row := &f.Flights[i]
		if *row == (entryFlight{Cabin: row.Cabin}) {
			continue
		}
		s, wrong := row.segment(f.today)
		if row.Wrong = wrong; wrong != "" {
			f.Wrong["flights"] = "Correct the flights that are marked."
			continue
		}
		if n := len(it.Segments); n > 0 {
			before := it.Segments[n-1]
			if s.Leg = before.Leg; s.Departure.Sub(before.Arrival) >= newLegAfter {
				s.Leg++
			}
			if s.Departure.Before(before.Arrival) {
				row.Wrong = "It leaves before the flight above lands."
				f.Wrong["flights"] = "Correct the flights that are marked."
			}
		}
		it.Segments = append(it.Segments, s)
	}
	if len(it.Segments) == 0 && f.Wrong["flights"] == "" {
		f.Wrong["flights"] = "Enter at least one flight."
	}
	return it
}

// segment reads a row, or says what is wrong with it. Its times are then written as they were understood.
func (row *entryFlight) segment(today gangway.Date) (gangway.Segment, string) {
	number := flightNumber.FindStringSubmatch(strings.ToUpper(row.Number))
	if number == nil {
		return gangway.Segment{}, "A flight number is an airline and a number, as in SQ 917."
	}
	from, ok := world.AirportOf(flights.FirstWord(row.From))
	if !ok {
		return gangway.Segment{}, "From which airport? Three letters, as in MNL."
	}
	to, ok := world.AirportOf(flights.FirstWord(row.To))
	if !ok {
		return gangway.Segment{}, "To which airport? Three letters, as in SIN."
	}
	departs, err := gangway.ReadMoment(row.Departs, today, gangway.Next, from.Location())
	if err != nil {
		return gangway.Segment{}, "When does it leave, by the clock there? " + shell.SentenceOf(err)
	}
	arrives, err := gangway.ReadMoment(row.Arrives, today, gangway.Next, to.Location())
	if err != nil {
		return gangway.Segment{}, "When does it land, by the clock there? " + shell.SentenceOf(err)
	}
	row.Departs, row.Arrives = departs.Format(shell.MomentTyped), arrives.Format(shell.MomentTyped)
	switch {
	case from.IATA == to.IATA:
		return gangway.Segment{}, "It ends where it begins."
	case !arrives.After(departs):
		return gangway.Segment{}, "It lands before it leaves. Both are by the clock of their airport."
	case arrives.Sub(departs) > newLegAfter:
		return gangway.Segment{}, "No flight takes longer than a day."
	}
	cabin := cmp.Or(gangway.Cabin(row.Cabin), gangway.Economy)
	return gangway.Segment{
		Carrier: number[1], FlightNumber: number[1] + number[2], Origin: gangway.Airport(from.IATA),
		Destination: gangway.Airport(to.IATA),
		Departure:   departs, Arrival: arrives, Cabin: cabin,
	}, ""
}

// terms reads the rules. The strictest rule applies where none was chosen.
func (f *entryForm) terms() gangway.Terms {
	t := gangway.Terms{FareType: gangway.Public, Cancellations: gangway.NonRefundable, Changes: gangway.NoChange}
	if f.FareType == string(gangway.Marine) {
		t.FareType = gangway.Marine
	}
	switch c := gangway.CancelRule(f.Cancellations); c {
	case gangway.Refundable, gangway.PaidCancel:
		t.Cancellations = c
	}
	switch c := gangway.ChangeRule(f.Changes); c {
	case gangway.FreeChange, gangway.PaidChange:
		t.Changes = c
	}
	return t
}

// pieces and kilograms are how people write baggage: "2 x 23", "40 kg".
var (
	pieces    = regexp.MustCompile(`^([0-9]) ?(?:[x×] ?([0-9]{1,2}))?( ?kg)?$`)
	kilograms = regexp.MustCompile(`^([1-9][0-9]) ?kg$`)
)

// baggage reads the checked baggage, which is the same on each leg.
func (f *entryForm) baggage(it gangway.Itinerary) []gangway.Allowance {
	if f.Baggage == "" {
		return nil
	}
	var included gangway.Allowance
	if m := pieces.FindStringSubmatch(strings.ToLower(f.Baggage)); m != nil {
		included.Pieces, _ = strconv.Atoi(m[1])
		included.WeightKg, _ = strconv.Atoi(m[2])
	} else if m := kilograms.FindStringSubmatch(strings.ToLower(f.Baggage)); m != nil {
		included.Pieces, included.ByWeight = 1, true
		included.WeightKg, _ = strconv.Atoi(m[1])
	} else {
		f.Wrong["baggage"] = "Pieces and the weight of each, as in 2 x 23, or what all may weigh, as in 40 kg."
		return nil
	}
	var list []gangway.Allowance
	for _, leg := range it.Legs() {
		included.Origin, included.Destination = leg[0].Origin, leg[len(leg)-1].Destination
		list = append(list, included)
	}
	return list
}

// An enterTicketsPage asks for the ticket numbers of a booking made elsewhere.
type enterTicketsPage struct {
	bookingCard
	Wrong, Typed string
}

func (room *Room) showEnterTickets(w http.ResponseWriter, r *http.Request, _ store.Scoped, b gangway.Booking,
	wrong string, status int) error {
	p := enterTicketsPage{newBookingCard(b), wrong, r.PostFormValue("tickets")}
	return room.Show(w, r, shell.Page{Template: "entry_tickets", Section: "bookings", Stripe: flights.StripeOf(b),
		Title: "Tickets of " + b.Locator, Answer: "Enter the numbers when the agency has issued them", Status: status,
		Data: p})
}

// EnterTickets adds ticket numbers to a booking made elsewhere.
func (room *Room) EnterTickets(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	_, err := room.desk.EnterTickets(r.Context(), in, by, id,
		ticketNumbers(r.PostFormValue("tickets")))
	return room.acted(w, r, in, err, "The tickets are entered.", room.showEnterTickets)
}

// EnterRefund records what was refunded for a booking made elsewhere.
func (room *Room) EnterRefund(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	b, err := in.Booking(r.Context(), id)
	if err != nil {
		return err
	}
	amount, err := gangway.ParseMoney(withCurrency(strings.TrimSpace(r.PostFormValue("refund")),
		b.Price.Total.Currency))
	if err == nil {
		_, err = room.desk.EnterRefund(r.Context(), in, by, id, amount)
	}
	return room.acted(w, r, in, err, "The refund is entered.", room.showBooking)
}

// changeEntry shows the form for the flights that a booking made elsewhere was changed to.
func (room *Room) changeEntry(w http.ResponseWriter, r *http.Request, _ store.Scoped, b gangway.Booking) error {
	f := entryForm{
		Passenger: flights.PassengerOf(b.Passenger, 0), FareType: string(b.Terms.FareType),
		Cancellations: string(b.Terms.Cancellations), Changes: string(b.Terms.Changes),
		Total: b.Price.Flights().Decimal() + " " + b.Price.Total.Currency, Taxes: b.Price.Taxes.Decimal(),
		PNRs: strings.Join(b.PNRs, " "), Wrong: map[string]string{},
	}
	for _, s := range b.Itinerary.Segments {
		f.Flights = append(f.Flights, entryFlight{
			Number: flights.FlightName(s), From: string(s.Origin), To: string(s.Destination), Cabin: string(s.Cabin),
			Departs: s.Departure.Format(shell.MomentTyped), Arrives: s.Arrival.Format(shell.MomentTyped),
		})
	}
	f.Flights = append(f.Flights, entryFlight{})
	return room.showEntry(w, r, entryPage{entryForm: f, Booking: b.ID, Locator: b.Locator,
		Currency: b.Price.Total.Currency, Ticketed: b.Ticketed()}, http.StatusOK)
}

// EnterChange enters the flights that a booking was changed to.
func (room *Room) EnterChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	b, err := in.Booking(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	f := room.readEntryForm(r)
	f.Passenger = flights.PassengerOf(b.Passenger, 0)
	p := entryPage{entryForm: f, Booking: b.ID, Locator: b.Locator, Currency: b.Price.Total.Currency,
		Ticketed: b.Ticketed()}
	if r.PostFormValue("step") == "more" {
		p.Flights = append(p.Flights, make([]entryFlight, min(2, mostEntryRows-len(p.Flights)))...)
		return room.showEntry(w, r, p, http.StatusOK)
	}
	e := p.entry()
	e.Due = gangway.Money{Currency: p.Currency}
	if p.Ticketed {
		if e.Due, err = gangway.ParseMoney(withCurrency(p.Due, p.Currency)); err != nil || e.Due.Currency !=
			p.Currency {
			p.Wrong["due"] = "What was paid for the change in all, in " + p.Currency +
				": 0 for nothing, with a minus when money came back."
		}
	}
	if len(p.Wrong) > 0 {
		return room.showEntry(w, r, p, http.StatusUnprocessableEntity)
	}
	by, id := asker(r)
	if b, err = room.desk.EnterChange(r.Context(), in, by, id, e); err != nil {
		return room.entryRefused(w, r, p, err)
	}
	room.Sessions.SetFlash(r.Context(), "The change is entered.")
	return room.Redirect(w, r, "/bookings/"+url.PathEscape(b.ID))
}

package bookings

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A bookingPage is everything about one booking, and what can be done with it now.
type bookingPage struct {
	gangway.Booking
	Who, About string
	Person     string // the traveller's page; empty: they are not on record
	Ticket     string // the name on the ticket, if it differs
	Wrong      string // a sentence: why something was not done
	Waiting    string // what the airline was asked for and has not answered yet: the kind of the intent
	WaitsFor   string // who asked
	Can        bookingActions
	Terms      []flights.Sentence
	Segments   []flights.SegmentRow
	Bags       []bagRow
	Money      bookingMoney
	Method     string
	Elsewhere  bool // it was booked elsewhere and entered here
	Notice     *gangway.Notice
	SeenToBy   string // the name of whoever dealt with it
	PriceUntil time.Time
	Next       string // a sentence: what happens automatically
	Passport   string // a sentence: that it expires before the last flight or soon after
	NoChange   bool   // the fare forbids changes, although the state would allow them
	Misfit     string // how it does not fit today's plan; empty if it does or there is none
	Stand      flights.Stand
	Purpose    []fact
	Book       bookkeeping
	Search     string
	Change     *changeQuote
	History    []historyRow
	Outlets    bool   // there are some
	Cut        bool   // of the deliveries only the first are shown
	Ahead      string // how far the account's clock is ahead of real time; empty: it is not
	Delivers   bool   // the reader may look at what was sent

	Pair pairWords
	By   *gangway.Booking // that takes its place, or did

	Ending      store.SeenEnding
	EndingWords string
}

// bookingActions are the actions that the booking's state and the reader's role allow.
type bookingActions struct{ Own, Issue, Cancel, Change, Decide, Confirm, Choose, Again bool }

// A bagRow is the baggage of one flight.
type bagRow struct {
	From, To gangway.Airport
	Words    string
	URL      string
}

// A fact is a line of the table that says what the booking is for.
type fact struct {
	Name, Value string
	Was         string // what it was booked for, where the plan has changed since
	Code        bool
	Page        string // about it; empty: there is none
}

// A historyRow is an action and where it was delivered.
type historyRow struct {
	gangway.Action
	Stood     gangway.Booking // its states then
	Still     bool            // a person has left the flights as they were
	Money     string          // in words: what was paid or refunded with it
	Who       string
	Delivered actionDeliveries
}

// Booking shows one booking, or that it is being made.
func (room *Room) Booking(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	b, err := in.Booking(r.Context(), r.PathValue("id"))
	if gangway.KindOf(err) == gangway.NotFound {
		return room.beingBooked(w, r, in)
	}
	if err != nil {
		return err
	}
	return room.showBooking(w, r, in, b, "", http.StatusOK)
}

// showBooking shows b. wrong says why something was not done with it.
func (room *Room) showBooking(w http.ResponseWriter, r *http.Request, in store.Scoped, b gangway.Booking, wrong string,
	status int) error {
	v, _ := shell.VisitorOf(r.Context())
	intent, open, err := in.OpenIntent(r.Context(), b.ID)
	if err != nil {
		return err
	}
	now := in.Now(room.Now())
	p := bookingPage{
		Delivers: v.User.Role.May(gangway.ToAdminister),
		Booking:  b, Who: b.Passenger.LastName + ", " + b.Passenger.FirstName,
		About: flights.About(b.Passenger), Ticket: flights.TicketWords(b.Passenger),
		Wrong: wrong, Segments: flights.SegmentsOf(b.Itinerary, b.Purpose.Between), Terms: bookingTerms(now, b),
		Money: newBookingMoney(b), Method: flights.EmissionsMethod(b.Emissions), PriceUntil: b.PriceGood(),
		Elsewhere: b.Supplier == flight.Elsewhere, Search: room.searchOf(in, b),
	}
	pages, err := flights.PersonPaths(r.Context(), in, b.Passenger)
	if err != nil {
		return err
	}
	p.Person = pages[b.Passenger.RecordKey()]
	p.Book, p.Passport = newBookkeeping(b, now), bookedPassport(b)
	for _, bag := range b.Baggage {
		p.Bags = append(p.Bags, bagRow{bag.Origin, bag.Destination, flights.Baggage([]gangway.Allowance{bag}).Short,
			bag.URL})
	}
	var plan gangway.Plan
	if b.Live() {
		plans, err := book.PlansOf(r.Context(), in, []gangway.Booking{b})
		if err != nil {
			return err
		}
		plan, p.Misfit, p.Stand = plans.Of(b), plans.Misfit(b), flights.StandBy(plans, b, now)
	}
	p.Purpose = purpose(b, plan, p.Stand.Words)
	if b.Change != nil {
		p.Change = newChangeQuote(b, *b.Change, plan)
		p.Change.AskedBy = room.NameOf(r.Context(), b.Change.AskedBy)
		if err := room.desk.MayConfirm(r.Context(), in, v.User, b); gangway.KindOf(err) == gangway.Denied {
			p.Change.Refused = shell.SentenceOf(err)
		} else if err != nil {
			return err
		}
		p.Change.VoidEnds = voidEnds(now, b)
	}
	if p.Attention != nil {
		p.SeenToBy = room.NameOf(r.Context(), p.Attention.HandledBy)
	}
	if b.Notice != nil && b.Notice.Declined && b.Live() {
		p.Notice = b.Notice
	}
	p.Next = flights.NextStep(now, b, p.Misfit)
	forbidden := b.ChangeForbidden() && !p.Elsewhere
	p.NoChange = forbidden && b.Can(gangway.AskChange)
	if open {
		p.Waiting, p.WaitsFor = intent.Kind, room.NameOf(r.Context(), intent.By)
	} else {
		p.Can = bookingActions{
			Issue: b.Can(gangway.Issue), Cancel: b.Can(gangway.Cancel), Change: b.Can(gangway.AskChange) && !forbidden,
			Confirm: b.Can(gangway.CompleteChange),
			Decide:  b.Can(gangway.Approve) && v.User.Role.CanApprove(), Choose: p.Next != "" && !p.Elsewhere,
			Again: b.MayHoldAgain(now) && !p.Elsewhere,
		}
	}
	p.Can.Own = p.Can.Decide && !b.MayBeApprovedBy(v.Person(), v.Account.Settings)
	if p.Pair, err = room.pairOf(r.Context(), in, b); err != nil {
		return err
	}
	if p.Pair.End != nil && p.Pair.End.ID == b.ID {
		p.Can.Issue = false // the desk refuses to pay for it beside a booking that fits
	}
	by, err := room.replacement(r.Context(), in, b)
	if err != nil {
		return err
	}
	if by != nil && (by.Live() || !b.Live()) {
		p.By = by
	}
	if p.Ending, err = in.EndingOf(r.Context(), b.ID); err != nil {
		return err
	}
	p.EndingWords = flights.EndingWords(p.Ending.Ending)
	if v.Account.Ahead > 0 {
		p.Ahead = v.Account.AheadWords()
	}
	if err = room.showHistory(r.Context(), in, b, &p); err != nil {
		return err
	}
	return room.Show(w, r, shell.Page{Template: "booking", Section: "bookings", Stripe: flights.StripeOf(b),
		Title: b.Locator + " · " + p.Who, Answer: bookingAnswer(now, b), Status: status, Data: p})
}

// bookingAnswer says in one line what the booking is and what happens next.
func bookingAnswer(now time.Time, b gangway.Booking) string {
	line := ""
	for i, code := range b.Itinerary.Route() {
		if i > 0 {
			line += " → "
		}
		line += string(code)
	}
	if n := len(b.Purpose.Between); n > 0 && len(b.Purpose.Between[n-1].To) != 3 {
		line += " → " + flights.PlaceIn(b.Purpose.Between[n-1].To)
	}
	line += " · leaves " + b.Itinerary.Departure().Format("Mon 2 Jan 15:04") + " · " + shell.Amount(b.Price.Total)
	ends := flights.EndsIn(now, b.NextDeadline(now))
	if b.PriceEnded(now) && !b.HoldEnded(now) {
		ends = "fare ended, " + ends
	}
	switch {
	case b.State == gangway.ApprovalRequired:
		line += " · to approve: " + ends
	case b.State == gangway.Confirmed && !b.TicketBy.IsZero():
		line += " · on hold: " + ends
	case b.State == gangway.ChangePending && b.Change != nil && b.Change.ByAirline:
		line += " · schedule change to answer"
	case b.State == gangway.RefundPending && b.Refund != nil && b.Refund.Unknown:
		line += " · refund not known yet"
	case b.State == gangway.RefundPending && b.Refund != nil:
		line += " · refund " + shell.Amount(b.Refund.Amount) + " to come"
	}
	return line
}

// bookingTerms lists the rules that apply to the booking now.
func bookingTerms(now time.Time, b gangway.Booking) []flights.Sentence {
	list := flights.Terms(b.Terms, b.Itinerary)
	switch {
	case b.Ticketed() && now.Before(b.VoidUntil):
		return append([]flights.Sentence{{Class: "good",
			Words: "Void free of charge", Until: b.VoidUntil}}, list...)
	case !b.Ticketed() && b.Live():
		return append(flights.HeldTerms(b, now), list...)
	}
	return list
}

// searchOf returns the search that a booking was made from. It is empty if the booking was entered
// by hand, or flew before the day from which searches are kept.
func (room *Room) searchOf(in store.Scoped, b gangway.Booking) string {
	if b.Supplier == flight.Elsewhere || gangway.DateOf(b.Itinerary.Departure()) < in.SearchesFrom(room.Now()) {
		return ""
	}
	return b.Purpose.Search
}

// purpose lists what b is for: by today's plan, with what it was booked for where that differs.
// short says in few words why the plan has no use for it.
func purpose(b gangway.Booking, plan gangway.Plan, short string) []fact {
	p := b.Purpose
	var list []fact
	add := func(name, value string, code bool) {
		if value != "" {
			list = append(list, fact{Name: name, Value: value, Code: code})
		}
	}
	replace := func(name, was, now string) {
		if add(name, was, false); was != "" && now != "" {
			list[len(list)-1].Value, list[len(list)-1].Was = now, was
		}
	}
	place, gone := planNow(b, plan), ""
	if plan.Unneeded != "" {
		gone = short
	}
	vessel := p.Vessel
	if p.Flag != "" {
		vessel = strings.TrimSpace(vessel + " (" + string(p.Flag) + ")")
	}
	add("Vessel", vessel, false)
	if p.Vessel != "" {
		list[0].Page = flights.VesselPath(p.Vessel)
	}
	if b.Agency != "" {
		add("Made", "entered by hand, booked at "+b.Agency, false)
	} else if b.Supplier == flight.Elsewhere {
		add("Made", "entered by hand", false)
	} else if b.Sample() {
		add("Made", "up, as a sample: nothing can be done with it", false)
	}
	if p.Port != "" {
		replace("Port", flights.PlaceLabel(p.Port), place)
		place = ""
	}
	if place != "" {
		place = strings.TrimSpace(string(p.Side) + " " + place)
	}
	replace("Crew change", strings.TrimSpace(string(p.Side)+" "+string(p.Airport)), cmp.Or(gone, place))
	if date := plan.ShipDay; p.Date.Valid() && date.Valid() && date != p.Date {
		replace("Date of the change", shell.DateInWords(p.Date), shell.DateInWords(date))
	} else if p.Date.Valid() {
		add("Date of the change", shell.DateInWords(p.Date), false)
	}
	if _, day := plan.Ship(); plan.Own && day.Valid() {
		add("Own day", book.WantedWords(plan.Side, day), false)
	}
	add("Travel request", strings.Trim(p.RequestID+"/"+p.SubRequestID, "/"), true)
	add("Crew change reference", p.TravelRequestID, true)
	add("Traveller's identifier", b.Passenger.ID, true)
	if member := b.Passenger.FrequentFlyer.String(); member != "" {
		add("Frequent flyer", member+", entered by "+cmp.Or(b.CreatedByName, b.CreatedBy)+" on "+
			b.CreatedAt.UTC().Format(shell.FullUTC), false)
	}
	for _, name := range sortedKeys(p.CustomFields) {
		add(name, p.CustomFields[name], false)
	}
	return list
}

// planNow names where the ship is now, if that is another place than b was booked for.
func planNow(b gangway.Booking, plan gangway.Plan) string {
	place := plan.AtShip()
	if place == "" || place == gangway.Place(b.Purpose.Airport) || place == b.Purpose.Port {
		return ""
	}
	return flights.PlaceLabel(place)
}

// showHistory has the page show what happened to a booking, newest first, with where each action was delivered.
func (room *Room) showHistory(ctx context.Context, in store.Scoped, b gangway.Booking, p *bookingPage) error {
	actions, err := in.History(ctx, b.ID)
	if err != nil {
		return err
	}
	delivered, outlets, cut, err := bookingDeliveries(ctx, in, b.ID, p.Delivers, room.Now())
	if err != nil {
		return err
	}
	p.Outlets, p.Cut = outlets, cut
	for i := len(actions) - 1; i >= 0; i-- {
		row := historyRow{Action: actions[i], Stood: gangway.Booking{State: actions[i].Name},
			Money: actionMoney(b, actions[i]), Who: "automatically",
			Delivered: delivered[actions[i].Seq]}
		if i > 0 {
			row.Stood.Previous = actions[i-1].Name
		}
		row.Still = row.Stood.Previous == gangway.ChangePending && book.KeptFlights(actions[i])
		if actions[i].By != gangway.System {
			row.Who = room.NameOf(ctx, actions[i].By)
		}
		p.History = append(p.History, row)
	}
	return nil
}

// bookedPassport warns about the passport of the passenger of a live booking.
func bookedPassport(b gangway.Booking) string {
	if !b.Live() || len(b.Itinerary.Segments) == 0 {
		return ""
	}
	return flights.Passport(b.Passenger, gangway.DateOf(b.Itinerary.Arrival()))
}

package bookings

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/flight"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A changePage looks for other flights for a booking.
type changePage struct {
	ID, Locator string
	Who         string
	Legs        []changeLeg
	Now         []flights.StripLeg
	Rules       []flights.Sentence // what changing costs
	Offers      []changeQuote
	Asked       bool
	Wrong       string
}

// A changeLeg is a leg of the booking and the day that is wanted for it.
type changeLeg struct {
	From, To gangway.Airport
	Between  string // the places in words
	Date     shell.Day
}

// A changeQuote is other flights and exactly what they cost on top.
type changeQuote struct {
	Offer    string
	Strip    []flights.StripLeg
	Spare    flights.SpareWords // compared with the plan
	Segments []flights.SegmentRow
	Bags     flights.Bags
	Terms    []flights.Sentence
	Penalty  gangway.Money
	Sum      []flights.QuoteLine // how the amount due is made up
	Due      gangway.Money
	Now, New gangway.Money // the price now, and with these flights
	DueWords string        // "USD 120.00 to pay"
	Button   string
	Expires  time.Time
	AskedBy  string
	Ticketed bool
	Airline  bool   // the airline made the change
	Why      string // the airline's reason
	Refused  string // a sentence: why the reader may not confirm it
	VoidEnds []flights.Sentence
}

func newChangeQuote(b gangway.Booking, c gangway.PendingChange, plan gangway.Plan) *changeQuote {
	ticketed := c.Was == gangway.Issued
	q := changeQuote{
		Offer: c.Offer, Strip: flights.StripOf(c.Itinerary, flights.ElseFlown(b, c.Itinerary)),
		Segments: flights.SegmentsOf(c.Itinerary, flights.ElseFlown(b, c.Itinerary)), Penalty: c.Penalty,
		Sum: changeSum(b.Price, c.NewPrice, c.Penalty, c.Due, ticketed), Now: b.Price.Total, New: c.NewPrice.Total,
		Due: c.Due, Expires: c.Expires, AskedBy: c.AskedBy, Ticketed: ticketed, Airline: c.ByAirline, Why: c.Why,
	}
	if len(c.Itinerary.Segments) > 0 {
		q.Spare = flights.SpareBeside(c.Itinerary, plan)
	}
	q.words()
	return &q
}

// voidEnds warns that a change ends the void period, in which cancelling new tickets costs nothing.
// It is empty once that period is over.
func voidEnds(now time.Time, b gangway.Booking) []flights.Sentence {
	if !now.Before(b.VoidUntil) {
		return nil
	}
	return []flights.Sentence{{Class: "watch", Words: "Void free of charge", Until: b.VoidUntil,
		After: "a change ends this"}}
}

// changeQuotes lists the change offers for a booking, cheapest first, with those that do not fit the
// plan after the others.
func changeQuotes(b gangway.Booking, offers []flight.ChangeOffer, plan gangway.Plan, f flights.Forms) []changeQuote {
	list := make([]changeQuote, 0, len(offers))
	for _, o := range offers {
		q := changeQuote{
			Offer: f.ChangeOffer(b.ID, o.ID), Strip: flights.StripOf(o.Itinerary, flights.ElseFlown(b, o.Itinerary)),
			Segments: flights.SegmentsOf(o.Itinerary, flights.ElseFlown(b, o.Itinerary)),
			Bags:     flights.Baggage(o.Baggage), Terms: flights.Terms(o.Terms, o.Itinerary),
			Penalty: o.Penalty, Sum: changeSum(b.Price, o.Price, o.Penalty, o.Due, b.Ticketed()), Now: b.Price.Total,
			New: o.Price.Total, Spare: flights.SpareBeside(o.Itinerary, plan),
			Due: o.Due, Expires: o.Expires, Ticketed: b.Ticketed(),
		}
		q.words()
		list = append(list, q)
	}
	slices.SortStableFunc(list, func(a, b changeQuote) int {
		switch {
		case a.Spare.Misfit() == b.Spare.Misfit():
			return cmp.Compare(a.New.Minor, b.New.Minor)
		case a.Spare.Misfit():
			return 1
		}
		return -1
	})
	return list
}

// words fills in the sentences about what is due. Before tickets are issued that is the whole new
// price, which is paid when they are.
func (q *changeQuote) words() {
	switch back, more := negated(q.Due), q.New.Sub(q.Now); {
	case !q.Ticketed:
		q.Button = "Change · " + shell.Amount(q.New) + " with the tickets"
		switch {
		case more.Minor > 0:
			q.DueWords = shell.Amount(more) + " more"
		case more.Minor < 0:
			q.DueWords = shell.Amount(negated(more)) + " less"
		default:
			q.DueWords = "same price"
		}
	case q.Due.Minor > 0:
		q.DueWords, q.Button = shell.Amount(q.Due)+" to pay", "Change · "+shell.Amount(q.Due)
	case q.Due.Minor < 0:
		q.DueWords, q.Button = shell.Amount(back)+" back", "Change · "+shell.Amount(back)+" back"
	default:
		q.DueWords, q.Button = "nothing to pay", "Change · "+shell.Amount(q.Due)
	}
}

// Change asks for other days and, once they are chosen, lists what the airline offers.
func (room *Room) Change(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return room.open(w, r, in, room.showChange)
}

func (room *Room) showChange(w http.ResponseWriter, r *http.Request, in store.Scoped, b gangway.Booking, wrong string,
	status int) error {
	if !b.Can(gangway.AskChange) {
		return room.notNow(w, r, in, b, gangway.AskChange)
	}
	if b.Supplier == flight.Elsewhere {
		return room.changeEntry(w, r, in, b)
	}
	if b.ChangeForbidden() {
		return room.showBooking(w, r, in, b, "The fare of booking "+b.Locator+
			" allows no change: cancel and book again.", http.StatusConflict)
	}
	p := changePage{ID: b.ID, Locator: b.Locator, Who: b.Passenger.LastName + ", " + b.Passenger.FirstName,
		Now: flights.StripOf(b.Itinerary, b.Purpose.Between), Rules: append(voidEnds(in.Now(room.Now()), b),
			flights.ChangeTerm(b.Terms, b.Itinerary)), Wrong: wrong}
	var asked []gangway.Leg
	complete := true
	for i, leg := range p.Now {
		l := changeLeg{From: leg.From, To: leg.To,
			Date: room.ReadDay(r, "date"+strconv.Itoa(i), gangway.Next)}
		p.Asked = p.Asked || l.Date.Date != "" || l.Date.Wrong != ""
		if complete = complete && l.Date.Wrong == ""; l.Date.Date == "" && l.Date.Wrong == "" {
			l.Date.Date = gangway.DateOf(leg.Departure)
		}
		l.Between = l.between(b, i)
		p.Legs = append(p.Legs, l)
		asked = append(asked, l.asked(b, i))
	}
	if p.Asked && complete {
		offers, err := room.desk.FindChanges(r.Context(), in, b.ID, asked)
		switch shell.KindOf(err) {
		case gangway.Conflict, gangway.Invalid, gangway.NotFound, gangway.Unavailable:
			p.Wrong = shell.SentenceOf(err)
		default:
			if err != nil {
				return err
			}
		}
		plan, err := book.PlanOf(r.Context(), in, b)
		if err != nil {
			return err
		}
		p.Offers = changeQuotes(b, offers, plan, room.flights.Forms(r.Context(), in, gangway.Search{}))
	}
	answer := p.Who + " · which day instead?"
	if p.Asked && p.Wrong == "" {
		answer = p.Who + " · " + shell.Plural(len(p.Offers), "option", "options") + " · nothing is changed yet"
	}
	return room.Show(w, r, shell.Page{Template: "change", Section: "bookings", Stripe: flights.StripeOf(b),
		Title: "Change " + b.Locator, Answer: answer, Status: status, Data: p})
}

// AskChange chooses other flights. The booking's page then shows their quote.
func (room *Room) AskChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	offer := room.flights.Forms(r.Context(), in, gangway.Search{}).FoundChange(id, r.PostFormValue("offer"))
	if offer == "" {
		return room.acted(w, r, in, gangway.Errorf(gangway.Conflict, flights.StaleChange), "", room.showChange)
	}
	_, err := room.desk.AskChange(r.Context(), in, by, id, offer)
	return room.acted(w, r, in, err, "Change chosen. Confirm or discard it.", room.showChange)
}

// ConfirmChange books the other flights.
func (room *Room) ConfirmChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	_, err := room.desk.ConfirmChange(r.Context(), in, by, id, r.PostFormValue("offer"))
	return room.acted(w, r, in, err, "Changed.", room.showBooking)
}

// GiveUpChange keeps the booking on its present flights.
func (room *Room) GiveUpChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	by, id := asker(r)
	_, err := room.desk.GiveUpChange(r.Context(), in, by, id, "")
	return room.acted(w, r, in, err, "Change discarded: the flights are as they were.", room.showBooking)
}

// asked returns the leg to look for instead of one of a booking: from and to any airport of the
// places it was booked for.
func (l changeLeg) asked(b gangway.Booking, i int) gangway.Leg {
	leg := gangway.Leg{Origin: gangway.Place(l.From), Destination: gangway.Place(l.To), Date: l.Date.Date}
	if places := b.Purpose.Between; i < len(places) {
		leg.Origin, leg.Destination = places[i].From, places[i].To
	}
	return leg
}

// between names both ends of a leg of a booking, for the label of its date field.
func (l changeLeg) between(b gangway.Booking, i int) string {
	leg := l.asked(b, i)
	return book.ShortPlace(leg.Origin) + " to " + book.ShortPlace(leg.Destination)
}

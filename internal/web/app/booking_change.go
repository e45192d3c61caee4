package app

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"gangway"
	"gangway/internal/book/flight"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A changePage looks for other flights for a booking.
type changePage struct {
	ID, Locator string
	Who         string
	Legs        []changeLeg
	Now         []stripLeg
	Rules       []sentence // what changing costs
	Offers      []changeQuote
	Asked       bool
	Wrong       string
}

// A changeLeg is a leg of the booking and the day that is wanted for it.
type changeLeg struct {
	From, To gangway.Airport
	Between  string // the places in words
	Date     gangway.Date
	Wrong    string
}

// A changeQuote is other flights and exactly what they cost on top.
type changeQuote struct {
	Offer    string
	Strip    []stripLeg
	Segments []segmentRow
	Bags     bags
	Terms    []sentence
	Penalty  gangway.Money
	Sum      []quoteLine // what makes what is due
	Due      gangway.Money
	Now, New gangway.Money // what it costs as it is, and with these flights
	DueWords string        // "USD 120.00 to pay"
	Button   string
	Expires  time.Time
	AskedBy  string
	Ticketed bool
	Airline  bool   // the airline has made the change by itself
	Why      string // what it said
	Refused  string // why the reader may not confirm it, a sentence
	VoidEnds []sentence
}

func newChangeQuote(b gangway.Booking, c gangway.PendingChange) *changeQuote {
	ticketed := c.Was == gangway.Issued
	q := changeQuote{
		Offer: c.Offer, Strip: stripOf(c.Itinerary, elseFlown(b, c.Itinerary)), Segments: segmentsOf(c.Itinerary, elseFlown(b, c.Itinerary)), Penalty: c.Penalty,
		Sum: changeSum(b.Price, c.NewPrice, c.Penalty, c.Due, ticketed), Now: b.Price.Total, New: c.NewPrice.Total,
		Due: c.Due, Expires: c.Expires, AskedBy: c.AskedBy, Ticketed: ticketed, Airline: c.ByAirline, Why: c.Why,
	}
	q.words()
	return &q
}

// voidEnds says that a change takes away what new tickets have: that for a
// while cancelling them costs nothing. It has nothing to say once that is over.
func (a *App) voidEnds(b gangway.Booking) []sentence {
	if !a.Now().Before(b.VoidUntil) {
		return nil
	}
	return []sentence{{Class: "watch", Words: "Cancelling costs nothing", Until: b.VoidUntil, After: "this ends with the change"}}
}

// changeQuotes shows change offers of a booking, the cheapest first.
func changeQuotes(b gangway.Booking, offers []flight.ChangeOffer, f forms) []changeQuote {
	list := make([]changeQuote, 0, len(offers))
	for _, o := range offers {
		q := changeQuote{
			Offer: f.changeOffer(b.ID, o.ID), Strip: stripOf(o.Itinerary, elseFlown(b, o.Itinerary)), Segments: segmentsOf(o.Itinerary, elseFlown(b, o.Itinerary)), Bags: baggage(o.Baggage), Terms: terms(o.Terms, o.Itinerary),
			Penalty: o.Penalty, Sum: changeSum(b.Price, o.NewPrice, o.Penalty, o.Due, b.Ticketed()), Now: b.Price.Total, New: o.NewPrice.Total,
			Due: o.Due, Expires: o.Expires, Ticketed: b.Ticketed(),
		}
		q.words()
		list = append(list, q)
	}
	slices.SortStableFunc(list, func(a, b changeQuote) int { return cmp.Compare(a.New.Minor, b.New.Minor) })
	return list
}

// words says what is due. Before tickets it is the whole new price, which is paid with them.
func (q *changeQuote) words() {
	switch back, more := minus(q.Due), q.New.Sub(q.Now); {
	case !q.Ticketed:
		q.Button = "Change; " + shell.Amount(q.New) + " to pay with the tickets"
		switch {
		case more.Minor > 0:
			q.DueWords = shell.Amount(more) + " more"
		case more.Minor < 0:
			q.DueWords = shell.Amount(minus(more)) + " less"
		default:
			q.DueWords = "the same price"
		}
	case q.Due.Minor > 0:
		q.DueWords, q.Button = shell.Amount(q.Due)+" to pay", "Change and pay "+shell.Amount(q.Due)
	case q.Due.Minor < 0:
		q.DueWords, q.Button = shell.Amount(back)+" comes back", "Change; "+shell.Amount(back)+" comes back"
	default:
		q.DueWords, q.Button = "nothing to pay", "Change; nothing to pay"
	}
}

// change shows the form for other days and, once they are chosen, what the airline offers.
func (a *App) change(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	b, err := in.Booking(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	return a.showChange(w, r, in, b, "", http.StatusOK)
}

func (a *App) showChange(w http.ResponseWriter, r *http.Request, in store.Scoped, b gangway.Booking, wrong string, status int) error {
	if !b.Can(gangway.AskChange) {
		return a.notNow(w, r, in, b, gangway.AskChange)
	}
	if b.Supplier == flight.Elsewhere {
		return a.changeEntry(w, r, in, b)
	}
	if b.ChangeForbidden() {
		return a.showBooking(w, r, in, b, "The fare of booking "+b.Locator+" allows no change: cancel it and book anew.", http.StatusConflict)
	}
	p := changePage{ID: b.ID, Locator: b.Locator, Who: b.Passenger.LastName + ", " + b.Passenger.FirstName, Now: stripOf(b.Itinerary, b.Purpose.Between), Rules: append(a.voidEnds(b), changeTerm(b.Terms, b.Itinerary)), Wrong: wrong}
	var asked []gangway.Leg
	complete := true
	for i, leg := range p.Now {
		l := changeLeg{From: leg.From, To: leg.To, Date: gangway.Date(strings.TrimSpace(r.FormValue("date" + strconv.Itoa(i))))}
		p.Asked = p.Asked || l.Date != ""
		if l.Date == "" {
			l.Date = gangway.DateOf(leg.Departure)
		} else if !l.Date.Valid() {
			l.Wrong, complete = "A day, as in 2026-12-01.", false
		}
		l.Between = l.between(b, i)
		p.Legs = append(p.Legs, l)
		asked = append(asked, l.asked(b, i))
	}
	if p.Asked && complete {
		offers, err := a.desk.FindChanges(r.Context(), in, b.ID, asked)
		switch shell.KindOf(err) {
		case gangway.Conflict, gangway.Invalid, gangway.NotFound, gangway.Unavailable:
			p.Wrong = shell.SentenceOf(err)
		default:
			if err != nil {
				return err
			}
		}
		p.Offers = changeQuotes(b, offers, a.forms(r.Context(), in, gangway.Search{}))
	}
	answer := "Which day instead? The price is shown before anything is changed"
	if p.Asked && p.Wrong == "" {
		answer = shell.Plural(len(p.Offers), "way", "ways") + " to change it; nothing is changed yet"
	}
	return a.Show(w, r, shell.Page{Template: "change", Section: "bookings", Booking: &b, Title: "Change " + b.Locator, Answer: answer, Status: status, Data: p})
}

// askChange chooses other flights, which the booking's page then quotes.
func (a *App) askChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	id := r.PathValue("id")
	offer := a.forms(r.Context(), in, gangway.Search{}).foundChange(id, r.PostFormValue("offer"))
	if offer == "" {
		return a.acted(w, r, in, gangway.Booking{}, gangway.Errorf(gangway.Conflict, staleChange), "", a.showChange)
	}
	b, err := a.desk.AskChange(r.Context(), in, v.User, id, offer)
	return a.acted(w, r, in, b, err, "Other flights are chosen. Confirm the change or give it up.", a.showChange)
}

// confirmChange books the other flights.
func (a *App) confirmChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	b, err := a.desk.ConfirmChange(r.Context(), in, v.User, r.PathValue("id"), r.PostFormValue("offer"))
	return a.acted(w, r, in, b, err, "Changed.", a.showBooking)
}

// giveUpChange leaves the booking on the flights it has.
func (a *App) giveUpChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	b, err := a.desk.GiveUpChange(r.Context(), in, v.User, r.PathValue("id"))
	return a.acted(w, r, in, b, err, "The change is given up: the flights are as they were.", a.showBooking)
}

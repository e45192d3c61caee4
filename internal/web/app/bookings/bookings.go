package bookings

import (
	"cmp"
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A bookingsPage is the table of bookings with its filters and its export. The address holds the
// filters, so that a link shows the same list.
type bookingsPage struct {
	Query    store.BookingQuery
	From, To shell.Day
	States   []stateChoice
	Rows     []bookingRow
	Before   url.Values // the query of the page before this one
	After    url.Values
	Cut      bool     // few of the bookings read match: later pages may have more
	More     []string // the names, of vessels or people, of which not all that match were searched
	Export   url.Values
	Narrowed bool
	Filtered bool // by one of the folded filters
	Me       string
	Sandbox  bool // bookings can be sent by themselves
}

// A stateChoice is a state to narrow down to.
type stateChoice struct {
	Value gangway.State
	Words string
	Count string
	On    bool
}

// A bookingRow is one booking of the table.
type bookingRow struct {
	gangway.Booking
	Who        string
	From, To   gangway.Airport
	Departure  time.Time
	Vessel     string
	Flag       gangway.Country
	Flights    string
	Stand      flights.Stand
	Mark       string // that it is simulated, or real, unlike what the stripe of the page says
	Price      gangway.Money
	Paid       gangway.Money // zero before there are tickets
	ChangeFees gangway.Money // part of what was paid
	Refund     string        // promised or paid, as a decimal; empty if unknown or not cancelled
	RefundCcy  string
	Booker     string           // who booked: the name if it is known, or the e-mail address
	Ends       gangway.Deadline // what ends next, while it waits
}

// Ending is the word beside the time that is left.
func (r bookingRow) Ending() string {
	return map[gangway.DeadlineKind]string{gangway.PriceEnds: "fare", gangway.SeatsEnd: "seats",
		gangway.AnswerEnds: "to answer", gangway.Leaves: "leaves"}[r.Ends.Kind]
}

// bookingsShown is how many rows a page has.
const bookingsShown = 50

// Bookings lists the bookings that match the filters.
func (room *Room) Bookings(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	q, now := r.URL.Query(), in.Now(room.Now())
	p := bookingsPage{Query: room.readBookingQuery(r), From: room.ReadDay(r, "from", gangway.Nearest),
		To: room.ReadDay(r, "to", gangway.Nearest), Me: v.User.Email,
		Sandbox: v.Account.AdmitsSandbox() == nil}
	p.Query.Limit, p.Query.At = bookingsShown, q.Get("at")
	if b, err := in.BookingByLocator(r.Context(), p.Query.Find); err == nil && len(q) == 1 {
		return room.Redirect(w, r, "/bookings/"+url.PathEscape(b.ID)) // a locator means that booking
	}
	found, err := in.BookingPage(r.Context(), p.Query)
	if err != nil {
		return err
	}
	counts, err := in.CountBookings(r.Context())
	if err != nil {
		return err
	}
	for _, state := range gangway.States {
		p.States = append(p.States, stateChoice{state, flights.StateWords(state), shell.Counted(counts[state]),
			state == p.Query.State})
	}
	simulated, err := room.flights.Simulated(r.Context(), in, v.Account)
	if err != nil {
		return err
	}
	plans, err := book.PlansOf(r.Context(), in, found.List)
	if err != nil {
		return err
	}
	for _, b := range found.List {
		row := newBookingRow(b)
		row.Ends, row.Stand = b.NextDeadline(now), flights.StandBy(plans, b, now)
		if v.Account.Environment == gangway.Production && row.Simulated != simulated {
			row.Mark = map[bool]string{true: "simulated: not real", false: "a real ticket"}[row.Simulated]
		}
		p.Rows = append(p.Rows, row)
	}
	p.page(q, found)
	answer, err := p.answer(r.Context(), in, counts)
	if err != nil {
		return err
	}
	return room.Show(w, r, shell.Page{Template: "bookings", Section: "bookings", Title: "Bookings", Answer: answer,
		Data: p})
}

// page fills in the links to other pages, and what the page says about results it does not show.
func (p *bookingsPage) page(q url.Values, found store.BookingPage) {
	turn := func(at string) url.Values {
		if at == "" {
			return nil
		}
		out := shell.CloneQuery(q)
		out.Set("at", at)
		return out
	}
	p.Before, p.After, p.Cut = turn(found.Before), turn(found.After), found.Cut
	for _, m := range []struct {
		more bool
		what string
	}{{found.MoreNames, "travellers"}, {found.MoreVessels, "vessels"}, {found.MoreBookers, "people who book"}} {
		if m.more {
			p.More = append(p.More, m.what)
		}
	}
	p.Export = shell.CloneQuery(q)
	p.Export.Del("at")
	for _, values := range p.Export {
		p.Narrowed = p.Narrowed || strings.Join(values, "") != ""
	}
	p.Filtered = p.Narrowed && (p.Query.Find == "" || len(p.Export) > 1)
}

// answer says how many bookings there are, if they were counted.
func (p bookingsPage) answer(ctx context.Context, in store.Scoped, counts map[gangway.State]int) (string, error) {
	n, known := len(p.Rows), p.Before == nil && p.After == nil
	if !known {
		all, counted, err := in.CountSelected(ctx, p.Query)
		if err != nil {
			return "", err
		}
		if counted {
			n, known = all, true
		}
	}
	switch {
	case p.Narrowed && !known && n == 0:
		return "No bookings found so far", nil
	case p.Narrowed && !known:
		return "More than " + shell.Number(len(p.Rows)) + " found", nil
	case p.Narrowed && n == 0:
		return "No bookings found", nil
	case p.Narrowed:
		return shell.CountedPlural(n, "booking found", "bookings found"), nil
	case n == 0:
		return "No bookings yet", nil
	}
	line := shell.CountedPlural(n, "booking", "bookings")
	for _, state := range gangway.States {
		waits := state == gangway.ApprovalRequired || state == gangway.Confirmed || state == gangway.ChangePending
		if counts[state] > 0 && waits {
			line += " · " + shell.Counted(counts[state]) + " " + flights.StateWords(state)
		}
	}
	return line, nil
}

// readBookingQuery reads the filters from the address. Values that are not valid are ignored.
func (room *Room) readBookingQuery(r *http.Request) store.BookingQuery {
	q := r.URL.Query()
	out := store.BookingQuery{
		Find: strings.TrimSpace(q.Get("find")), State: gangway.State(q.Get("state")),
		Vessel: strings.TrimSpace(q.Get("vessel")),
		From:   room.ReadDay(r, "from", gangway.Nearest).Date, To: room.ReadDay(r, "to", gangway.Nearest).Date,
		By: strings.TrimSpace(q.Get("by")),
	}
	if !slices.Contains(gangway.States, out.State) {
		out.State = ""
	}
	return out
}

func newBookingRow(b gangway.Booking) bookingRow {
	row := bookingRow{
		Booking: b, Who: b.Passenger.LastName + ", " + b.Passenger.FirstName, Departure: b.Itinerary.Departure(),
		Vessel: b.Purpose.Vessel, Flag: b.Purpose.Flag, Price: b.Price.Total, Paid: b.PaidSoFar(),
		ChangeFees: b.PaidFor(gangway.ForChange), Booker: cmp.Or(b.CreatedByName, b.CreatedBy),
	}
	if back, known := b.RefundTotal(); known {
		row.Refund, row.RefundCcy = back.Decimal(), back.Currency
	}
	if route := b.Itinerary.Route(); len(route) > 0 {
		row.From, row.To = route[0], route[len(route)-1]
	}
	numbers := gangway.Each(b.Itinerary.Segments, flights.FlightName)
	row.Flights = strings.Join(numbers, " · ")
	return row
}

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

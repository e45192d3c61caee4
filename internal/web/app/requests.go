package app

import (
	"context"
	"net/http"
	"net/url"

	"gangway"
	"gangway/internal/book"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A requestsPage lists what customers' systems have planned for a date, or for
// a week from it.
type requestsPage struct {
	On, Before, After gangway.Date
	Week              bool
	Vessel            string
	Undated           []requestRow // without a date yet, whatever On is
	MoreUndated       int          // that are not among them
	Rows              []requestRow
	Orphans           []besideRow // bookings for travel requests that were taken back
	More              int         // of them, how many are not shown
	Cut               bool        // there are more on these days than Rows
	BaseURL           string
}

// requestsShown is how many travel requests of some days a page has at most.
const requestsShown = 500

// undatedShown is how many records without a date a page has at most: they
// stand before those of the day, which must stay in sight.
const undatedShown = 50

// A requestRow is one travel request with a flight.
type requestRow struct {
	Key                     requestKey
	RequestID, SubRequestID string
	Traveller               string
	About                   string
	From, To                gangway.Airport
	Via                     []gangway.Airport
	Date                    gangway.Date
	Vessel                  string
	Flag                    gangway.Country
	Rank, Remarks           string
	Hotel                   bool
	Wrong                   string // with its dates, a sentence
	Booking                 string // id of the booking made for it
	Locator                 string
	State                   gangway.State
	Misfit                  string // in what the booking is not what is requested; empty: it fits
}

func (a *App) requests(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	q := r.URL.Query()
	p := requestsPage{On: gangway.Date(q.Get("date")), Week: q.Get("week") != "", Vessel: q.Get("vessel"), BaseURL: a.BaseURL}
	if !p.On.Valid() {
		p.On = gangway.DateOf(a.Now().UTC())
	}
	days := 1
	if p.Week {
		days = 7
	}
	p.Before, p.After = p.On.AddDays(-days), p.On.AddDays(days)
	rows, cut, err := a.requestRows(r.Context(), in, p.Vessel, p.On, p.On.AddDays(days-1))
	if err != nil {
		return err
	}
	if p.Undated, p.MoreUndated, err = a.undatedRows(r.Context(), in, p.Vessel, undatedShown); err != nil {
		return err
	}
	p.Rows, p.Cut = rows, cut
	booked, misfits := 0, 0
	for _, row := range rows {
		switch {
		case row.Misfit != "":
			misfits++
		case row.Booking != "":
			booked++
		}
	}
	last := p.On.AddDays(days - 1)
	if p.Orphans, p.More, err = orphans(r.Context(), in, p.On, last); err != nil {
		return err
	}
	return a.Show(w, r, shell.Page{Template: "requests", Section: "requests", Title: "Requests", Answer: requestsAnswer(p, booked, misfits), Data: p})
}

func requestsAnswer(p requestsPage, booked, misfits int) string {
	when := shell.DateInWords(p.On)
	if p.Week {
		when += " to " + shell.DateInWords(p.After.AddDays(-1))
	}
	answer := "Nothing is planned for " + when
	if len(p.Rows) > 0 {
		answer = shell.Number(booked) + " of " + shell.Number(len(p.Rows)) + " booked"
		if p.Cut {
			answer = shell.Number(booked) + " of the first " + shell.Number(len(p.Rows)) + " booked"
		}
		if misfits > 0 {
			answer += " as planned · " + shell.Number(misfits) + " " + shell.DoDoes(misfits) + " not fit"
		}
		answer += " · " + when
	}
	if n := len(p.Undated) + p.MoreUndated; n > 0 {
		answer += " · " + shell.Number(n) + " without a date yet"
	}
	if n := len(p.Orphans) + p.More; n > 0 {
		answer += " · " + orphanWords(n)
	}
	return answer
}

func orphanWords(n int) string {
	if n == 1 {
		return "1 booking for a travel request that was taken back"
	}
	return shell.Number(n) + " bookings for travel requests that were taken back"
}

// orphansShown is how many bookings without a request are named.
const orphansShown = 100

// orphans returns the live bookings that leave on some days for travel
// requests that are not there any more.
func orphans(ctx context.Context, in store.Scoped, from, to gangway.Date) (rows []besideRow, more int, err error) {
	list, total, err := in.BookingsWithoutRequest(ctx, from, to, orphansShown)
	for _, b := range list {
		rows = append(rows, beside(b, book.Misfit(gangway.Fit{Unneeded: gangway.TakenBack}, book.ARequest)))
	}
	return rows, total - len(rows), err
}

// requestRows returns the first travel requests with a flight from one date to
// another, and whether there are more.
func (a *App) requestRows(ctx context.Context, in store.Scoped, vessel string, from, to gangway.Date) (rows []requestRow, cut bool, err error) {
	list, err := in.TravelRequests(ctx, gangway.Fold(vessel), from, to, requestsShown+1)
	if err != nil {
		return nil, false, err
	}
	if cut = len(list) > requestsShown; cut {
		list = list[:requestsShown]
	}
	booked, err := bookedRequests(ctx, in, list)
	return rowsOf(list, booked), cut, err
}

// undatedRows returns up to limit travel requests whose flight has no date
// yet, those that nobody has booked first, and how many more there are.
func (a *App) undatedRows(ctx context.Context, in store.Scoped, vessel string, limit int) (rows []requestRow, more int, err error) {
	list, all, err := in.UndatedFlights(ctx, gangway.Fold(vessel), limit)
	if err != nil || all == 0 {
		return nil, 0, err
	}
	booked, err := bookedRequests(ctx, in, list)
	return rowsOf(list, booked), all - len(list), err
}

func rowsOf(list []store.StoredTravelRequest, booked map[requestKey]gangway.Booking) (rows []requestRow) {
	for _, q := range list {
		if q.Flight == nil {
			continue
		}
		row := requestRow{
			Key: requestKey{q.RequestID, q.SubRequestID}, RequestID: q.RequestID, SubRequestID: q.SubRequestID,
			Traveller: q.Traveller.LastName + ", " + q.Traveller.FirstName, About: about(q.Traveller),
			From: q.Flight.Origin, To: q.Flight.Destination, Date: q.Flight.Starts(),
			Rank: q.Rank, Remarks: q.Remarks, Hotel: q.Hotel != nil,
		}
		for _, v := range q.Flight.Via {
			row.Via = append(row.Via, v.Airport)
		}
		if q.Flight.Reading() == gangway.Unordered {
			row.Wrong = "The dates of the flights came in no order; the day of each is to be filled in."
		}
		if q.Vehicle != nil {
			row.Vessel, row.Flag = q.Vehicle.Name, q.Vehicle.Flag
		}
		if b, ok := booked[row.Key]; ok {
			row.Booking, row.Locator, row.State = b.ID, b.Locator, b.State
			row.Misfit = book.Misfit(book.RequestPlan(q.TravelRequest).Fit(b.Itinerary), book.ARequest)
		}
		rows = append(rows, row)
	}
	return rows
}

// A requestKey names a travel request. As text, in forms, it is a query, since
// customers' identifiers may hold anything.
type requestKey struct{ id, sub string }

// Values writes the key for an address.
func (k requestKey) Values() url.Values { return url.Values{"request": {k.id}, "sub": {k.sub}} }

// String writes the key for a form.
func (k requestKey) String() string { return k.Values().Encode() }

func readRequestKey(s string) requestKey {
	q, err := url.ParseQuery(s)
	if err != nil {
		return requestKey{}
	}
	return requestKey{q.Get("request"), q.Get("sub")}
}

// bookedRequests returns the bookings that stand for travel requests.
func bookedRequests(ctx context.Context, in store.Scoped, list []store.StoredTravelRequest) (map[requestKey]gangway.Booking, error) {
	ids := make([]string, len(list))
	for i, q := range list {
		ids[i] = q.RequestID
	}
	bookings, err := in.BookingsOfRequests(ctx, ids)
	return byRequest(bookings), err
}

// byRequest returns the live ones among bookings by the travel request that
// they stand for.
func byRequest(list []gangway.Booking) map[requestKey]gangway.Booking {
	booked := map[requestKey]gangway.Booking{}
	for _, b := range list {
		if b.Live() {
			booked[requestKey{b.Purpose.RequestID, b.Purpose.SubRequestID}] = b
		}
	}
	return booked
}

// searchRequest looks for the flights that travel requests ask for: one, or
// several chosen together, each with its own member of the search.
func (a *App) searchRequest(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	if err := r.ParseForm(); err != nil {
		return gangway.Errorf(gangway.Invalid, "the form cannot be read")
	}
	chosen := r.PostForm["request"]
	if one := r.PostFormValue("only"); one != "" {
		chosen = []string{one}
	}
	if len(chosen) == 0 {
		return gangway.Errorf(gangway.Invalid, "tick at least one travel request")
	}
	var s gangway.Search
	for i, name := range chosen {
		k := readRequestKey(name)
		q, err := in.TravelRequest(r.Context(), k.id, k.sub)
		if err != nil {
			return err
		}
		one := book.SearchForRequest(q.TravelRequest, v.User.Email, a.Now())
		if i == 0 {
			s = one
			continue
		}
		if gangway.Fold(s.Vessel) != gangway.Fold(one.Vessel) || s.Flag != one.Flag {
			return gangway.Errorf(gangway.Invalid, "requests for different vessels are searched one vessel at a time, since marine fares are sold for one vessel")
		}
		s.Members = append(s.Members, one.Members...)
	}
	if err := in.SaveSearch(r.Context(), s); err != nil {
		return err
	}
	return a.Redirect(w, r, "/searches/"+s.ID)
}

package inbox

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A requestsPage lists the travel requests for a date, or for the week that begins on it.
type requestsPage struct {
	Day               shell.Day // the field for the first day shown
	On, Before, After gangway.Date
	Days              string // how many are shown: a value of Spans
	Spans             []shell.Option
	When              string
	Vessel            string
	Undated           []flights.RequestRow // those without a date yet, whatever On is
	MoreUndated       int                  // how many more of those there are
	Rows              []flights.RequestRow
	Orphans           []flights.BesideRow // bookings for travel requests that were taken back
	More              int                 // how many more of those there are
	Cut               bool                // there are more on these days than Rows
	Opened            bool                // on the next day with requests, since today has none
	Next              flights.PlannedDay  // the next day with requests, where these days have none
	Asking            flights.Asking
	Uploads           flights.UploadLinks
	BaseURL           string
}

// undatedShown bounds the records without a date. They are listed before those of the day, which
// must stay in sight.
const undatedShown = 50

// spans are how many days the page can show.
var spans = []shell.Option{{Value: "1", Words: "1 day"}, {Value: "7", Words: "1 week"}, {Value: "28", Words: "4 weeks"}}

// At is the address of the same page from another day on.
func (p requestsPage) At(on gangway.Date) url.Values {
	return url.Values{"date": {string(on)}, "days": {p.Days}, "vessel": {p.Vessel}}
}

// daysShown returns the day whose travel requests the page shows, or the first of so many: the one
// picked, or today. Where none was picked and today has none, opened is the next day that has some.
func (room *Room) daysShown(r *http.Request, in store.Scoped) (on shell.Day, days int, opened bool, err error) {
	days, _ = strconv.Atoi(spans[max(0, slices.IndexFunc(spans, func(s shell.Option) bool {
		return s.Value == r.FormValue("days") || s.Value == "7" && r.FormValue("week") != ""
	}))].Value)
	if on = room.ReadDay(r, "date", gangway.Nearest); on.Date != "" {
		return on, days, false, nil
	}
	on.Date = room.Date(r)
	next, err := flights.NextPlanned(r.Context(), in, r.FormValue("vessel"), on.AddDays(-1))
	if next.Date < on.AddDays(days) || on.Wrong != "" {
		return on, days, false, err
	}
	return shell.Day{Date: next.Date}, days, true, nil
}

// RequestsQuestion is what the page asks customers' systems: the travel requests of
// the day or week that it shows.
//
// Spec: B3 Travel requests.
func (room *Room) RequestsQuestion(r *http.Request) flights.Question {
	picked := room.ReadDay(r, "date", gangway.Nearest)
	return flights.Question{
		Flow: gangway.TravelRequestsFlow, Picked: picked.Date != "", Query: r.URL.Query(),
		Ask: func(ctx context.Context, in store.Scoped) ([]gangway.FeedAnswer, error) {
			on, days, opened, err := room.daysShown(r, in)
			if err != nil {
				return nil, err
			}
			from := on.Date
			if opened {
				from = room.Date(r) // the system may have some on the days before
			}
			return room.flights.Desk().AskTravelRequests(ctx, in, from, on.AddDays(days-1))
		},
	}
}

// Requests lists the travel requests of a day or a week.
func (room *Room) Requests(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	q := r.URL.Query()
	on, days, opened, err := room.daysShown(r, in)
	if err != nil {
		return err
	}
	p := requestsPage{Day: on, On: on.Date, Days: strconv.Itoa(days), Spans: spans,
		Vessel: q.Get("vessel"), Opened: opened,
		Asking: flights.AskingOf(r.Context()), BaseURL: room.BaseURL}
	p.Before, p.After = p.On.AddDays(-days), p.On.AddDays(days)
	p.When = shell.DateInWords(p.On)
	if days > 1 {
		p.When += " to " + shell.DateInWords(p.After.AddDays(-1))
	}
	uploads, err := flights.UploadsOf(r.Context(), in, gangway.TravelRequestsFlow)
	if err != nil {
		return err
	}
	p.Uploads = uploads
	rows, cut, err := room.flights.RequestRows(r.Context(), in, p.Vessel, p.On, p.On.AddDays(days-1))
	if err != nil {
		return err
	}
	if p.Undated, p.MoreUndated, err = room.flights.UndatedRows(r.Context(), in, p.Vessel, undatedShown); err != nil {
		return err
	}
	p.Rows, p.Cut = rows, cut
	if len(rows) == 0 {
		if p.Next, err = flights.NextPlanned(r.Context(), in, p.Vessel, p.On.AddDays(days-1)); err != nil {
			return err
		}
	}
	booked, misfits := 0, []string{}
	for _, row := range rows {
		switch {
		case row.Stand.Why != "":
			misfits = append(misfits, row.Off)
		case row.Booking != "":
			booked++
		}
	}
	last := p.On.AddDays(days - 1)
	if p.Orphans, p.More, err = orphanedBookings(r.Context(), in, p.On, last); err != nil {
		return err
	}
	return room.Show(w, r, shell.Page{Template: "requests", Section: "requests", Title: "Requests",
		Answer: requestsAnswer(p, booked, misfits), Data: p})
}

func requestsAnswer(p requestsPage, booked int, misfits []string) string {
	answer := "No requests · " + p.When
	if len(p.Rows) > 0 {
		answer = shell.Number(booked) + " of " + shell.Number(len(p.Rows)) + " booked"
		if p.Cut {
			answer = shell.Number(booked) + " of the first " + shell.Number(len(p.Rows)) + " booked"
		}
		if len(misfits) > 0 {
			answer += " as planned · " + shell.Tally(misfits)
		}
		answer += " · " + p.When
		if p.Opened {
			answer += ", the next day with requests"
		}
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
		return "1 booking of a withdrawn request"
	}
	return shell.Number(n) + " bookings of withdrawn requests"
}

// orphansShown bounds the list of bookings without a request.
const orphansShown = 100

// orphanedBookings returns the live bookings that leave within some days and whose travel requests
// were taken back.
func orphanedBookings(ctx context.Context, in store.Scoped, from,
	to gangway.Date) (rows []flights.BesideRow, more int, err error) {
	list, total, err := in.BookingsWithoutRequest(ctx, from, to, orphansShown)
	for _, b := range list {
		rows = append(rows, flights.Beside(b, book.Misfit(gangway.Fit{Unneeded: gangway.TakenBack}, book.ARequest)))
	}
	return rows, total - len(rows), err
}

// SearchRequest searches for the flights of one travel request, or of several chosen together, each
// with its own member of the search.
func (room *Room) SearchRequest(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
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
		k := flights.ReadRequestKey(name)
		q, err := in.TravelRequest(r.Context(), k.ID, k.Sub)
		if err != nil {
			return err
		}
		one := book.SearchForRequest(q.TravelRequest, v.User.Email, room.Now())
		if i == 0 {
			s = one
			continue
		}
		if gangway.Fold(s.Vessel) != gangway.Fold(one.Vessel) || s.Flag != one.Flag {
			return gangway.Errorf(gangway.Invalid, "requests for different vessels are searched one vessel at a "+
				"time, since marine fares are sold for one vessel")
		}
		s.Members = append(s.Members, one.Members...)
	}
	if err := in.SaveSearch(r.Context(), s); err != nil {
		return err
	}
	return room.Redirect(w, r, "/searches/"+s.ID)
}

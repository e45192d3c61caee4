package flights

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A bookPage is the form that starts a search and, below it, the travel planned for
// a date and the user's earlier searches.
type bookPage struct {
	BookForm
	Picked   chosenTraveller
	Day      shell.Day
	On       gangway.Date // the requests shown are for this date
	Before   gangway.Date
	After    gangway.Date
	Requests []RequestRow
	Next     PlannedDay   // the next day with requests, where this one has none
	Undated  []RequestRow // without a date yet
	More     int          // of those that are not among them
	Cut      bool         // there are more on this day than Requests
	Recent   []recentSearch
	Asking   Asking
	BaseURL  string
}

// A recentSearch is a search that can be found again.
type recentSearch struct {
	ID    string
	Who   string
	Where string
	At    time.Time
}

// Book shows the form. The query may fill it in: from a travel request, with a
// stored traveller, or field by field.
func (room *Room) Book(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	f, err := room.prefilled(r, in)
	if err != nil {
		return err
	}
	return room.showBook(w, r, in, f, http.StatusOK)
}

// BookQuestion is what the Book page asks customers' systems: the travel requests of
// the day that it shows. Somebody who only fills in the form waits for none.
//
// Spec: B3 Travel requests.
func (room *Room) BookQuestion(r *http.Request) Question {
	on, q := room.dayShown(r), r.URL.Query()
	picked := q.Get("on") != "" && on.Wrong == "" && len(q) == 1
	q.Set("on", string(on.Date))
	return Question{
		Flow: gangway.TravelRequestsFlow, Picked: picked, Query: q,
		Ask: func(ctx context.Context, in store.Scoped) ([]gangway.FeedAnswer, error) {
			return room.desk.AskTravelRequests(ctx, in, on.Date, on.Date)
		},
	}
}

// dayShown is the day whose travel requests the page shows: today, unless another is picked.
func (room *Room) dayShown(r *http.Request) shell.Day {
	on := room.ReadDay(r, "on", gangway.Nearest)
	on.Date = cmp.Or(on.Date, room.Date(r))
	return on
}

func (room *Room) showBook(w http.ResponseWriter, r *http.Request, in store.Scoped, f BookForm, status int) error {
	v, _ := shell.VisitorOf(r.Context())
	p := bookPage{BookForm: f, Asking: AskingOf(r.Context()), BaseURL: room.BaseURL}
	traveller, err := f.traveller(r.Context(), in)
	if err != nil && gangway.KindOf(err) != gangway.NotFound {
		return err
	}
	p.startAtHome(traveller)
	p.Picked = room.picked(r.Context(), traveller, f.travelDate())
	p.Day = room.dayShown(r)
	p.On = p.Day.Date
	p.Before, p.After = p.On.AddDays(-1), p.On.AddDays(1)
	if p.Requests, p.Cut, err = room.RequestRows(r.Context(), in, "", p.On, p.On); err != nil {
		return err
	}
	if len(p.Requests) == 0 {
		if p.Next, err = NextPlanned(r.Context(), in, "", p.On); err != nil {
			return err
		}
	}
	if p.Undated, p.More, err = room.UndatedRows(r.Context(), in, "", undatedOnBook); err != nil {
		return err
	}
	searches, err := in.RecentSearches(r.Context(), v.Person().Email, 8)
	if err != nil {
		return err
	}
	for _, s := range searches {
		p.Recent = append(p.Recent, recentSearchOf(s))
	}
	return room.Show(w, r, shell.Page{
		Template: "book", Section: "book", Title: "Book", Status: status, Data: p,
		Answer: p.answer(),
	})
}

// undatedOnBook is how many travel requests without a date the page offers; the
// page of requests has the others.
const undatedOnBook = 5

func (p bookPage) answer() string {
	answer := shell.Plural(len(p.Requests), "travel request", "travel requests") + " for " + shell.DateInWords(p.On)
	if n := len(p.Undated) + p.More; n > 0 {
		answer += " · " + shell.Number(n) + " without a date yet"
	}
	return answer
}

// StartSearch keeps the search that the form describes and goes to its results. A
// button that only changes the form (choose one of several airports, add a flight)
// shows the form again instead.
func (room *Room) StartSearch(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	f := room.ReadBookForm(r)
	if f.Step(r.PostFormValue("step"), r.PostFormValue("choose")) {
		return room.showBook(w, r, in, f, http.StatusOK)
	}
	v, _ := shell.VisitorOf(r.Context())
	if err := f.findFlag(r.Context(), in); err != nil {
		return err
	}
	s, err := room.searchOf(r.Context(), &f, in)
	if err != nil {
		return err
	}
	if len(f.Wrong) > 0 {
		return room.showBook(w, r, in, f, http.StatusUnprocessableEntity)
	}
	s.ID, s.By, s.CreatedAt = book.NewID(), v.User.Email, room.Now()
	if err := in.SaveSearch(r.Context(), s); err != nil {
		return err
	}
	f.Tell(r.Context(), room.Shell)
	return room.Redirect(w, r, "/searches/"+s.ID)
}

func recentSearchOf(s gangway.Search) recentSearch {
	out := recentSearch{ID: s.ID, At: s.CreatedAt}
	switch {
	case len(s.Members) == 1:
		m := s.Members[0]
		out.Who = m.Traveller.LastName + ", " + m.Traveller.FirstName
		for i, l := range m.Legs {
			if i == 0 {
				out.Where = string(l.Origin)
			}
			out.Where += " → " + string(l.Destination)
		}
		if len(m.Legs) > 0 {
			out.Where += " · " + shell.DateInWords(legDate(m.Legs[0]))
		}
	case s.Vessel != "":
		out.Who = s.Vessel
		out.Where = shell.Plural(len(s.Members), "traveller", "travellers") + " · " + string(s.Airport)
	default:
		out.Who = shell.Plural(len(s.Members), "traveller", "travellers")
	}
	return out
}

// legDate returns the date that was asked for a leg.
func legDate(l gangway.Leg) gangway.Date {
	if l.Date != "" {
		return l.Date
	}
	return l.ArriveOn
}

// A chosenTraveller is the traveller that the form is for, as the form shows them.
type chosenTraveller struct {
	Key      string
	About    string         // birth, nationality, home, passport, in one line
	Notes    []passportNote // on the passport, for every day of travel
	Passport string         // what is wrong with it for the day at hand, a sentence
}

func (room *Room) picked(ctx context.Context, t gangway.Traveller, travel gangway.Date) chosenTraveller {
	notes := passportNotes(t, gangway.DateOf(room.Clock(ctx).UTC()))
	return chosenTraveller{Key: TravellerRef(ctx, t), About: About(t), Notes: notes, Passport: noteOf(notes, travel)}
}

// About tells a traveller from others of the same name.
func About(t gangway.Traveller) string { return aboutOn(t, "") }

// aboutOn is About on a day, on which the passport may have expired.
func aboutOn(t gangway.Traveller, today gangway.Date) string {
	line := ""
	add := func(words, value string) {
		if value == "" {
			return
		}
		if line != "" {
			line += " · "
		}
		line += words + value
	}
	add("born ", shell.BirthInWords(t.DOB))
	add("", t.Nationality.Name())
	add("home ", string(t.HomeAirport))
	switch {
	case t.DocExpire == "":
	case t.DocExpire < today:
		add("passport expired ", shell.BirthInWords(t.DocExpire))
	case t.DocNumber != "":
		add("passport until ", shell.BirthInWords(t.DocExpire))
	}
	return line
}

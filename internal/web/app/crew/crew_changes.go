package crew

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gangway/internal/book"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// A crewChangesPage lists the crew changes that the customer's system has sent, for a
// vessel and a span of days.
type crewChangesPage struct {
	Vessel   string
	From, To gangway.Date
	Since    shell.Day // the fields of these
	Until    shell.Day
	Rows     []crewChangeRow
	More     bool // there are more, on the last day shown or later
	Asking   flights.Asking
	Uploads  flights.UploadLinks
	BaseURL  string
}

// LastDay returns the day on which the next page begins: the pages go by the days that were sent.
func (p crewChangesPage) LastDay() (last gangway.Date) {
	for _, row := range p.Rows {
		last = max(last, cmp.Or(row.Sent, row.Date))
	}
	return last
}

// GoOn is the query of the next page, which begins on the last day of this one.
func (p crewChangesPage) GoOn() url.Values {
	return url.Values{"vessel": {p.Vessel}, "from": {string(p.LastDay())}, "to": {string(p.To)}}
}

// A crewChangeRow is one crew change and how far it is booked.
type crewChangeRow struct {
	book.Progress
	Due    int        // in how many days it is
	Source string     // where it comes from, in few words
	Under  *batchNews // the batch that is under way
	Asked  bool       // whether it is another one, moved
}

// Done reports whether nothing is to be said of anybody but that they are booked as planned.
func (r crewChangeRow) Done() bool {
	return r.Size() > 0 && r.Good == r.Size() && r.Unneeded == 0 && !r.Asked && !r.Cut
}

// MisfitWords says how many bookings do not fit the plan, and in what: "2 for the old plan".
func (r crewChangeRow) MisfitWords() string {
	return strings.ReplaceAll(misfitWords(r.Misfits), " booked for", " for")
}

// DueWords says in how many days it is.
func (r crewChangeRow) DueWords() string {
	switch {
	case r.Due == 0:
		return "today"
	case r.Due == 1:
		return "tomorrow"
	case r.Due < 0:
		return shell.Plural(-r.Due, "day", "days") + " ago"
	}
	return "in " + shell.Number(r.Due) + " days"
}

// DueClass is the colour class of that: none where everybody is booked.
func (r crewChangeRow) DueClass() string {
	if r.Done() {
		return ""
	}
	return []string{"", "watch", "act"}[r.Urgency(r.Due)]
}

// PortName is the port as people call it.
func (r crewChangeRow) PortName() string { return portName(r.Place) }

// Airport is the port as a field of the form has it.
func (r crewChangeRow) Airport() string { return flights.PlaceLabel(r.Place) }

// crewChangeDays is how far ahead the page looks unless asked otherwise.
const crewChangeDays = 30

// crewChangesShown is how many crew changes a page has.
const crewChangesShown = 30

// daysShown returns the first and the last day whose crew changes the page shows.
func (room *Room) daysShown(r *http.Request) (from, to shell.Day) {
	from, to = room.ReadDay(r, "from", gangway.Nearest), room.ReadDay(r, "to", gangway.Nearest)
	from.Date = cmp.Or(from.Date, room.Date(r))
	if to.Date < from.Date {
		to.Date = from.AddDays(crewChangeDays)
	}
	return from, to
}

// CrewChangesQuestion is what the page asks customers' systems: the crew changes of
// the first days that it shows.
//
// Spec: B4 Crew change by date.
func (room *Room) CrewChangesQuestion(r *http.Request) flights.Question {
	first, until := room.daysShown(r)
	from, to, q := first.Date, until.Date, r.URL.Query()
	picked := q.Get("from") != "" && first.Wrong == ""
	q.Set("from", string(from))
	question := flights.Question{
		Flow: gangway.CrewChangesFlow, Picked: picked, Query: q,
		Ask: func(ctx context.Context, in store.Scoped) ([]gangway.FeedAnswer, error) {
			return room.desk.AskCrewChanges(ctx, in, from, to)
		},
	}
	if last := book.LastDateAsked(from, to); last < to {
		question.Note = "It is asked about one day at a time, here about " + shell.DateInWords(from) + " to " +
			shell.DateInWords(last) + "; pick a later first day for the days after."
	}
	return question
}

// CrewChanges lists the crew changes of some days.
func (room *Room) CrewChanges(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	p := crewChangesPage{Vessel: r.FormValue("vessel"), Asking: flights.AskingOf(r.Context()), BaseURL: room.BaseURL}
	p.Since, p.Until = room.daysShown(r)
	p.From, p.To = p.Since.Date, p.Until.Date
	uploads, err := flights.UploadsOf(r.Context(), in, gangway.CrewChangesFlow)
	if err != nil {
		return err
	}
	p.Uploads = uploads
	keys, err := in.CrewChangeKeys(r.Context(), gangway.Fold(p.Vessel), p.From, p.To, crewChangesShown+1)
	if err != nil {
		return err
	}
	if p.More = len(keys) > crewChangesShown; p.More {
		keys = keys[:crewChangesShown]
	}
	list, err := room.desk.ProgressOf(r.Context(), in, keys)
	if err != nil {
		return err
	}
	under, err := in.BatchesUnderWay(r.Context())
	if err != nil {
		return err
	}
	asked, err := in.Asked(r.Context())
	if err != nil {
		return err
	}
	sources, err := flights.SourcesOf(r.Context(), in)
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b book.Progress) int { return cmp.Compare(a.Date, b.Date) })
	people, done, unneeded, misfits := 0, 0, 0, []string{}
	today := gangway.DateOf(room.Clock(r.Context()).UTC())
	for _, c := range list {
		key := c.Key
		row := crewChangeRow{Progress: c, Due: today.DaysTo(c.Date), Source: sources.Of(c.Source), Asked: asked[key]}
		if b, is := under[key]; is {
			row.Under = batchNewsOf(b)
		}
		p.Rows = append(p.Rows, row)
		people += row.Size()
		done += row.Booked
		misfits = append(misfits, row.Misfits...)
		unneeded += row.Unneeded
	}
	answer := "None are planned from " + shell.DateInWords(p.From) + " to " + shell.DateInWords(p.To)
	if len(p.Rows) > 0 {
		answer = shell.Plural(len(p.Rows), "crew change", "crew changes")
		if p.More {
			answer = "The first " + answer
		}
		answer += " · " + bookedWords(done, shell.Plural(people, "traveller", "travellers"), misfits, unneeded)
	}
	return room.Show(w, r, shell.Page{Template: "crew_changes", Section: "crew-changes", Title: "Crew changes",
		Answer: answer, Data: p})
}

// SearchCrewChange searches for flights for everybody of a crew change, to and from the
// airport that was chosen for it, or goes to the search that somebody has begun already.
func (room *Room) SearchCrewChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	v, _ := shell.VisitorOf(r.Context())
	c, err := in.CrewChange(r.Context(), r.PostFormValue("key"))
	if err != nil {
		return err
	}
	f := flights.BookForm{Wrong: map[string]string{}, Choices: map[string][]flights.Choice{}}
	typed := r.PostFormValue("airport")
	at := f.Place("airport", &typed)
	if at == "" {
		return room.showPlan(w, r, in, c, typed, whichAirport(f))
	}
	s := book.SearchForCrewChange(c, at, v.User.Email, room.Now())
	s.Uploaded = true
	f.Tell(r.Context(), room.Shell)
	if s, err = room.searches.Begin(r.Context(), in, s); err != nil {
		return err
	}
	if c.Airport() == "" { // the customer named none, so this is the airport from now on
		if err := room.flights.PutShip(r.Context(), in, s); err != nil {
			return err
		}
	}
	return room.Redirect(w, r, "/searches/"+s.ID)
}

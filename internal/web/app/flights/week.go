package flights

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"gangway/internal/book"
	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A weekStrip is the days around the one that was asked for, each with its cheapest fare for crew.
type weekStrip struct {
	Search string
	Ask    string // "to be there" or "to leave"
	Days   []weekDay
	Ccy    string     // of all prices; empty: they differ
	All    url.Values // the query that looks for the days that nobody knows; nil: there are none
	Query  url.Values // the page's own
}

// A weekDay is one of them.
type weekDay struct {
	plan.DayFare
	Over    bool // by the clock of the account
	Waiting bool // it is being looked for
}

// Name is what the strip calls the day: "Tue 1".
func (d weekDay) Name() string { return d.Date.In(time.UTC).Format("Mon 2") }

// Figure is the price in whole units of its currency, rounded up: "676".
func (d weekDay) Figure() string {
	up := d.Price
	for range gangway.Exponent(up.Currency) {
		up.Minor = (up.Minor + 9) / 10
	}
	for range gangway.Exponent(up.Currency) {
		up.Minor *= 10
	}
	whole, _, _ := strings.Cut(strings.TrimPrefix(shell.Amount(up), up.Currency+" "), ".")
	return whole
}

// State is how much is known of the day.
func (d weekDay) State() string {
	switch {
	case d.Over:
		return "over"
	case d.Price.Currency != "":
		return "found"
	case d.Waiting:
		return "waiting"
	case d.Done && !d.Wrong:
		return "none"
	}
	return "unknown"
}

// sevenDays is the field of an address that asks for the whole week.
const sevenDays = "days"

// onlyWeek is the field of the address of a stream that has nothing but the week.
const onlyWeek = "only-week"

// week lays out the days around the one that was asked for.
func (v SearchView) week() (w weekStrip) {
	if len(v.Days) == 0 {
		return w
	}
	w = weekStrip{Search: v.ID, Ask: "to leave", Query: shell.CloneQuery(v.Query)}
	w.Query.Del("open")
	if v.Members[0].Legs[0].ArriveOn != "" {
		w.Ask = "to be there"
	}
	all := v.Query.Get(sevenDays) != ""
	for i, day := range v.Days {
		d := weekDay{DayFare: day, Over: gangway.TodayAt(v.Now).Over(day.Date)}
		d.Waiting = !day.Done && (day.On || day.Begun || all)
		if !day.Done && !day.On && !d.Over && !all {
			w.All = shell.CloneQuery(v.Query)
			w.All.Set(sevenDays, "7")
		}
		if ccy := day.Price.Currency; ccy != "" && !slices.ContainsFunc(v.Days[:i], func(other plan.DayFare) bool {
			return other.Price.Currency != "" && other.Price.Currency != ccy
		}) {
			w.Ccy = ccy
		}
		w.Days = append(w.Days, d)
	}
	return w
}

// weekPending reports whether the page waits for days that it had looked for.
func (v SearchView) weekPending() bool {
	return v.Query.Get(sevenDays) != "" && slices.ContainsFunc(v.Days, func(d plan.DayFare) bool {
		return d.Begun && !d.Done && !d.On
	})
}

// searchWeek has the days around the one of s looked for that nobody knows, if the page asks for them.
func (room *Room) searchWeek(r *http.Request, in store.Scoped, s gangway.Search, ss *plan.Session) []*plan.Session {
	if r.URL.Query().Get(sevenDays) == "" || len(s.Members) != 1 || shell.IsLive(r) {
		return nil
	}
	return room.searches.SearchWeek(in, shell.Settings(r.Context()), s, ss, gangway.DateOf(in.Now(room.Now())))
}

// SearchDay searches for the flights of a search on another day.
func (room *Room) SearchDay(w http.ResponseWriter, r *http.Request, in store.Scoped, s gangway.Search) error {
	v, _ := shell.VisitorOf(r.Context())
	s, err := plan.OnDay(s, gangway.Date(r.PostFormValue("date")))
	if err != nil {
		return err
	}
	q, err := url.ParseQuery(r.PostFormValue("query"))
	if err != nil {
		q = url.Values{}
	}
	for _, of := range []string{"open", "show", "compare", sevenDays} {
		q.Del(of)
	}
	s.ID, s.By, s.CreatedAt, s.Unplaced = book.NewID(), v.User.Email, room.Now(), false
	if err := in.SaveSearch(r.Context(), s); err != nil {
		return err
	}
	room.searches.Adopt(in, s)
	return room.Redirect(w, r, SearchPath(s.ID, q))
}

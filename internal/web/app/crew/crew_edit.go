package crew

import (
	"cmp"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"gangway/internal/book/plan"
	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// MoveChange moves a whole crew change to another airport or day, as ships do. That is
// the plan from then on, with which every booking is compared, and flights are searched
// for again. If the form only asks who could be there, it answers that and moves nobody.
func (room *Room) MoveChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	b := flights.BookForm{Wrong: map[string]string{}, Choices: map[string][]flights.Choice{}}
	day := room.ReadDay(r, "date", gangway.Next)
	to := shipMove{typed: strings.TrimSpace(r.PostFormValue("airport")),
		date: cmp.Or(day.Date, gangway.Date(day.Typed))}
	at := b.Place("airport", &to.typed)
	switch {
	case at == "":
		to.wrong = whichAirport(b)
	case !to.date.Valid():
		to.wrong = cmp.Or(day.Wrong, "Which day? As in 28 nov.")
	}
	if to.wrong != "" {
		return room.showMove(w, r, in, to)
	}
	if r.PostFormValue("step") == "compare" {
		to.at = at
		return room.showMove(w, r, in, to)
	}
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	s.Airport, s.Date = at, to.date
	b.Tell(r.Context(), room.Shell)
	if err := room.flights.PutShip(r.Context(), in, s); err != nil {
		return err
	}
	v, _ := shell.VisitorOf(r.Context())
	return room.correct(w, r, in, func(s *gangway.Search, _ int) error {
		if s.Airport == at && s.Date == to.date {
			return nil
		}
		s.Moved = &gangway.MovedFrom{Place: s.Airport, Date: s.Date, By: v.User.Email, At: room.Now()}
		for i := range s.Members {
			plan.MoveMember(&s.Members[i], *s, at, to.date)
		}
		s.Airport, s.Date = at, to.date
		return nil
	})
}

// A shipMove is the port and day that the ship may have moved to, as typed.
type shipMove struct {
	typed string
	date  gangway.Date
	at    gangway.Place // for which to find out who could be there; empty: not asked
	wrong string        // what is wrong with the typed text, a sentence
}

// showMove shows the crew change with the form as it was filled in, and either what is
// wrong with it or who could be there.
func (room *Room) showMove(w http.ResponseWriter, r *http.Request, in store.Scoped, to shipMove) error {
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	p, v, err := room.readCrewPage(r.Context(), in, s, room.searches.Of(in, s, false), queryOf(r))
	if err != nil {
		return err
	}
	p.At, p.On, p.Wrong, p.View = to.typed, to.date, to.wrong, viewMove
	if to.at != "" {
		days, err := plan.DaysAround(r.Context(), room.desk, in, s, to.at, to.date)
		if err != nil {
			return err
		}
		p.Days = bookedOn(v, dayRows(days), to.at)
	}
	shown := p.page()
	if to.wrong != "" {
		shown.Status = http.StatusUnprocessableEntity
	}
	return room.Show(w, r, shown)
}

// queryOf is the query of the form's page.
func queryOf(r *http.Request) url.Values {
	q, err := url.ParseQuery(r.PostFormValue("query"))
	if err != nil {
		return url.Values{}
	}
	return q
}

// whichAirport says what is wrong with an airport, and what may have been meant.
func whichAirport(b flights.BookForm) string {
	sentence := b.Wrong["airport"]
	for i, c := range b.Choices["airport"] {
		if i < 4 {
			sentence += " " + c.Words + "?"
		}
	}
	return sentence
}

// correct changes a search and goes back to its page, with the same filters.
func (room *Room) correct(w http.ResponseWriter, r *http.Request, in store.Scoped, change func(s *gangway.Search,
	member int) error) error {
	member := 0
	s, err := in.UpdateSearch(r.Context(), r.PathValue("id"), func(s *gangway.Search) (err error) {
		if text := r.PostFormValue("member"); text != "" {
			if member, err = flights.MemberOf(*s, text); err != nil {
				return err
			}
		}
		return change(s, member)
	})
	if err != nil {
		return err
	}
	q, err := url.ParseQuery(r.PostFormValue("query"))
	if err != nil {
		q = url.Values{"member": {strconv.Itoa(member)}}
	}
	return room.Redirect(w, r, flights.SearchPath(s.ID, q))
}

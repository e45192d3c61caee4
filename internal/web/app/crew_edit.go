package app

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"gangway"
	"gangway/internal/book/plan"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// moveChange moves a whole crew change to another airport or day, as ships do:
// that is the plan from then on, which every booking is held against, and
// flights are looked for anew. Asked only who could be there, it says that and
// moves nobody.
func (a *App) moveChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	b := bookForm{Wrong: map[string]string{}, Choices: map[string][]choice{}}
	to := shipMove{typed: strings.TrimSpace(r.PostFormValue("airport")), date: gangway.Date(r.PostFormValue("date"))}
	at := b.place("airport", &to.typed)
	switch {
	case at == "":
		to.wrong = whichAirport(b)
	case !to.date.Valid():
		to.wrong = "Which day? As in 2026-12-01."
	}
	if to.wrong != "" {
		return a.showMove(w, r, in, to)
	}
	if r.PostFormValue("step") == "compare" {
		to.at = at
		return a.showMove(w, r, in, to)
	}
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	s.Airport, s.Date = at, to.date
	if err := a.putShip(r.Context(), in, s); err != nil {
		return err
	}
	v, _ := shell.VisitorOf(r.Context())
	return a.mend(w, r, in, func(s *gangway.Search, _ int) error {
		if s.Airport == at && s.Date == to.date {
			return nil
		}
		s.Moved = &gangway.MovedFrom{Place: s.Airport, Date: s.Date, By: v.User.Email, At: a.Now()}
		for i := range s.Members {
			plan.MoveMember(&s.Members[i], *s, at, to.date)
		}
		s.Airport, s.Date = at, to.date
		return nil
	})
}

// putShip keeps with the crew change where and when the search has it, if the
// customer's system has sent one.
func (a *App) putShip(ctx context.Context, in store.Scoped, s gangway.Search) error {
	v, _ := shell.VisitorOf(ctx)
	err := in.MoveCrewChange(ctx, s.Change, gangway.ShipMove{Place: s.Airport, Date: s.Date, By: v.User.Email, At: a.Now()})
	if gangway.KindOf(err) == gangway.NotFound {
		return nil
	}
	return err
}

// A shipMove is where the ship may have moved to, as it was typed.
type shipMove struct {
	typed string
	date  gangway.Date
	at    gangway.Place // where it is to be found out who could be there; empty: nowhere
	wrong string        // with what was typed, a sentence
}

// showMove shows the crew change with the form as it was filled in, and what
// is wrong with it or who could be there.
func (a *App) showMove(w http.ResponseWriter, r *http.Request, in store.Scoped, to shipMove) error {
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	booked, err := memberBookings(r.Context(), in, s)
	if err != nil {
		return err
	}
	q := queryOf(r)
	p := newCrewPage(a.view(r.Context(), in, a.searches.Of(in, s, false), s, q, booked))
	if p.Last, err = a.newsOf(r.Context(), in, s.ID, booked); err != nil {
		return err
	}
	if p.Landing, err = a.landingOf(r.Context(), in, s, len(booked.booked)); err != nil {
		return err
	}
	p.At, p.On, p.Wrong, p.Moving = to.typed, to.date, to.wrong, true
	if to.at != "" {
		days, err := plan.DaysAround(r.Context(), a.desk, in, s, to.at, to.date)
		if err != nil {
			return err
		}
		p.Days = dayRows(days)
	}
	shown := p.page()
	if to.wrong != "" {
		shown.Status = http.StatusUnprocessableEntity
	}
	return a.Show(w, r, shown)
}

// queryOf is the query of the page that a form was on.
func queryOf(r *http.Request) url.Values {
	q, err := url.ParseQuery(r.PostFormValue("query"))
	if err != nil {
		return url.Values{}
	}
	return q
}

// whichAirport says what was wrong with an airport, and what may have been meant.
func whichAirport(b bookForm) string {
	sentence := b.Wrong["airport"]
	for i, c := range b.Choices["airport"] {
		if i < 4 {
			sentence += " " + c.Words + "?"
		}
	}
	return sentence
}

// mend changes a search and goes back to its page, with the filters it had.
func (a *App) mend(w http.ResponseWriter, r *http.Request, in store.Scoped, change func(s *gangway.Search, member int) error) error {
	member := 0
	s, err := in.UpdateSearch(r.Context(), r.PathValue("id"), func(s *gangway.Search) (err error) {
		if text := r.PostFormValue("member"); text != "" {
			if member, err = memberOf(*s, text); err != nil {
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
	return a.Redirect(w, r, searchPath(s.ID, q))
}

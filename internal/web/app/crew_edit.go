package app

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"gangway"
	"gangway/internal/store"
)

// chooseFlight keeps which flight a booker picked for one person.
func (a *App) chooseFlight(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	return a.mend(w, r, in, func(s *gangway.Search, member int) error {
		s.Members[member].Chosen = r.PostFormValue("key")
		return nil
	})
}

// moveChange moves a whole crew change to another airport or day, as ships do:
// everybody who is not booked yet is looked for anew.
func (a *App) moveChange(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	b := bookForm{Wrong: map[string]string{}, Choices: map[string][]choice{}}
	typed := strings.TrimSpace(r.PostFormValue("airport"))
	at := b.place("airport", &typed)
	date := gangway.Date(r.PostFormValue("date"))
	wrong := ""
	switch {
	case at == "":
		wrong = whichAirport(b)
	case !date.Valid():
		wrong = "Which day? As in 2026-12-01."
	}
	if wrong != "" {
		return a.moveAgain(w, r, in, typed, date, wrong)
	}
	return a.mend(w, r, in, func(s *gangway.Search, _ int) error {
		booked, err := memberBookings(r.Context(), in, *s)
		if err != nil {
			return err
		}
		for i := range s.Members {
			if _, ok := booked[i]; !ok {
				moveMember(&s.Members[i], *s, at, date)
			}
		}
		s.Airport, s.Date = at, date
		return nil
	})
}

// moveAgain shows the crew change with what was typed and what is wrong with it.
func (a *App) moveAgain(w http.ResponseWriter, r *http.Request, in store.Scoped, typed string, date gangway.Date, wrong string) error {
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	booked, err := memberBookings(r.Context(), in, s)
	if err != nil {
		return err
	}
	q, err := url.ParseQuery(r.PostFormValue("query"))
	if err != nil {
		q = url.Values{}
	}
	p := a.newCrewPage(s, a.hunt(in, s, false), q, booked)
	p.At, p.On, p.Wrong = typed, date, wrong
	shown := p.page()
	shown.Status = http.StatusUnprocessableEntity
	return a.show(w, r, shown)
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

// moveMember moves one person's flight with the ship: as many days as the ship
// moves, to or from the new airport.
func moveMember(m *gangway.SearchMember, s gangway.Search, at gangway.Place, date gangway.Date) {
	days := 0
	if s.Date.Valid() {
		days = int(date.In(time.UTC).Sub(s.Date.In(time.UTC)).Hours() / 24)
	}
	shift := func(d gangway.Date) gangway.Date {
		switch {
		case !d.Valid():
			return d
		case !s.Date.Valid():
			return date
		}
		return d.AddDays(days)
	}
	m.Chosen = ""
	home := gangway.Place(m.Traveller.HomeAirport)
	if len(m.Legs) == 0 {
		if home == "" || home == at {
			return
		}
		m.Warnings = nil
		m.Legs = []gangway.Leg{{Origin: home, Destination: at, ArriveOn: date}}
		if m.Side == gangway.OffSigner {
			m.Legs = []gangway.Leg{{Origin: at, Destination: home, Date: date}}
		}
		return
	}
	for i := range m.Legs {
		m.Legs[i].Date, m.Legs[i].ArriveOn = shift(m.Legs[i].Date), shift(m.Legs[i].ArriveOn)
	}
	if m.Side == gangway.OffSigner {
		m.Legs[0].Origin = at
	} else {
		m.Legs[len(m.Legs)-1].Destination = at
	}
}

// mend changes a search and goes back to its page, with the filters it had.
func (a *App) mend(w http.ResponseWriter, r *http.Request, in store.Scoped, change func(s *gangway.Search, member int) error) error {
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	member := 0
	if text := r.PostFormValue("member"); text != "" {
		if member, err = memberOf(s, text); err != nil {
			return err
		}
	}
	if err := change(&s, member); err != nil {
		return err
	}
	if err := in.SaveSearch(r.Context(), s); err != nil {
		return err
	}
	q, err := url.ParseQuery(r.PostFormValue("query"))
	if err != nil {
		q = url.Values{"member": {strconv.Itoa(member)}}
	}
	return a.redirect(w, r, searchPath(s.ID, q))
}

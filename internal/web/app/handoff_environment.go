package app

import (
	"context"
	"net/http"
	"net/url"

	"gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/shell"
)

// A landing is what is to be said of a search that a hand-off brought.
type landing struct {
	Search    string
	Notes     []string
	Mend      []toMend
	Simulated bool                // though it opened in production, tickets are not real
	Other     gangway.Environment // where it can be opened instead; empty when that is not asked
}

// A toMend is somebody of whom something was missing or malformed.
type toMend struct {
	Member int
	Name   string
	Words  []string
}

// landingOf asks for the environment as long as nobody is booked.
func (a *App) landingOf(ctx context.Context, in store.Scoped, s gangway.Search, booked int) (landing, error) {
	v, _ := shell.VisitorOf(ctx)
	out := landing{Search: s.ID, Notes: s.Notes}
	for i, m := range s.Members {
		if len(m.Warnings) > 0 && len(s.Members) > 1 {
			out.Mend = append(out.Mend, toMend{i, m.Traveller.LastName + ", " + m.Traveller.FirstName, m.Warnings})
		}
	}
	if s.Unplaced && booked == 0 {
		out.Other = gangway.Development
		if v.Account.Environment == gangway.Development {
			out.Other = gangway.Production
		}
		var err error
		if out.Simulated, err = a.desk.Simulated(ctx, in); err != nil {
			return out, err
		}
	}
	return out, nil
}

// inEnvironment returns the account of the user's customer in an environment.
func (a *App) inEnvironment(ctx context.Context, e gangway.Environment) (store.Scoped, error) {
	v, _ := shell.VisitorOf(ctx)
	production, development, err := a.db.Accounts(ctx, v.User.Customer)
	if err != nil {
		return store.Scoped{}, err
	}
	switch e {
	case gangway.Production:
		return a.db.In(production.Scope()), nil
	case gangway.Development:
		return a.db.In(development.Scope()), nil
	}
	return store.Scoped{}, gangway.Errorf(gangway.Invalid, "an environment is production or development")
}

// placeHandoff opens a search that was handed over without a word for which
// environment in the other one of the same customer, and goes on there.
func (a *App) placeHandoff(w http.ResponseWriter, r *http.Request, in store.Scoped) error {
	s, err := in.Search(r.Context(), r.PathValue("id"))
	if err != nil {
		return err
	}
	booked, err := memberBookings(r.Context(), in, s)
	if err != nil {
		return err
	}
	if !s.Unplaced || len(booked.booked) > 0 {
		return gangway.Errorf(gangway.Conflict, "this search stays where it is: flights were booked from it, or it was made here")
	}
	e := gangway.Environment(r.PostFormValue("environment"))
	to, err := a.inEnvironment(r.Context(), e)
	if err != nil {
		return err
	}
	_, err = to.Search(r.Context(), s.ID)
	if gangway.KindOf(err) == gangway.NotFound {
		err = to.SaveSearch(r.Context(), s)
		if err == nil && s.Airport != "" && s.Date.Valid() {
			err = a.putShip(r.Context(), to, s)
		}
	}
	if err != nil {
		return err
	}
	a.Sessions.Switch(r.Context(), e)
	return a.Redirect(w, r, "/searches/"+url.PathEscape(s.ID))
}

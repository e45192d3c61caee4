package inbox

import (
	"context"
	"net/http"
	"net/url"

	"gangway/internal/gangway"
	"gangway/internal/store"
	"gangway/internal/web/app/flights"
	"gangway/internal/web/app/shell"
)

// inEnvironment returns the account of the user's customer in an environment.
func (room *Room) inEnvironment(ctx context.Context, e gangway.Environment) (store.Scoped, error) {
	v, _ := shell.VisitorOf(ctx)
	production, development, err := room.db.Accounts(ctx, v.User.Customer)
	if err != nil {
		return store.Scoped{}, err
	}
	switch e {
	case gangway.Production:
		return room.db.In(production.Scope()), nil
	case gangway.Development:
		return room.db.In(development.Scope()), nil
	}
	return store.Scoped{}, gangway.Errorf(gangway.Invalid, "an environment is production or development")
}

// PlaceHandoff opens a search whose hand-off named no environment in the other environment of the
// same customer, and continues there.
func (room *Room) PlaceHandoff(w http.ResponseWriter, r *http.Request, in store.Scoped, s gangway.Search) error {
	booked, err := flights.ReadMemberBookings(r.Context(), in, s, room.Now())
	if err != nil {
		return err
	}
	if !s.Unplaced || len(booked.Booked) > 0 {
		return gangway.Errorf(gangway.Conflict, "this search stays where it is: flights were booked from it, or it "+
			"was made here")
	}
	e := gangway.Environment(r.PostFormValue("environment"))
	to, err := room.inEnvironment(r.Context(), e)
	if err != nil {
		return err
	}
	_, err = to.Search(r.Context(), s.ID)
	if gangway.KindOf(err) == gangway.NotFound {
		err = to.SaveSearch(r.Context(), s)
		if err == nil && s.Airport != "" && s.Date.Valid() {
			err = room.flights.PutShip(r.Context(), to, s)
		}
	}
	if err != nil {
		return err
	}
	room.Sessions.Switch(r.Context(), e)
	return room.Redirect(w, r, "/searches/"+url.PathEscape(s.ID))
}
